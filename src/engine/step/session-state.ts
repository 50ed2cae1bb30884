import { giantLimit, type Budget } from '../../core/budget/budget.ts';
import type { Age, Checkpoint } from '../../core/checkpoints/checkpoint.ts';
import { namesCompressed, namesHeld, type NamesHeld } from '../../core/assembly/names-held.ts';
import type { Purpose } from '../../core/checkpoints/compression-state.ts';
import type { Goal } from '../../core/frames/goal.ts';
import { nextStepOf } from '../../core/frames/next-step.ts';
import { deepFreeze } from '../../core/messages/message.ts';
import {
  reliabilityOf,
  sizeInName,
  type EntityTally,
  type Reliability,
} from '../../core/budget/reliability.ts';
import type { Usage } from '../../core/messages/usage.ts';
import { askedShare, limitForGiants } from '../../core/state/limit.ts';
import type { State } from '../../core/state/state.ts';
import type { Undoable } from '../../core/state/timeline.ts';
import { measure } from './measure.ts';
import {
  recoveredLine,
  type Confirmation,
  type RecoveredContext,
} from '../../core/truncation/recovery.ts';
import type { Truncation, TruncationRule } from '../../core/truncation/detect.ts';
import type { FrameId } from '../../core/values/id.ts';
import { protocolWords } from '../../core/budget/options.ts';

/** A checkpoint as a host sees it. */
export interface CheckpointSummary {
  readonly id: string;
  readonly frame: string;
  readonly age: Age;
  readonly from: string;
  readonly to: string;
  readonly entries: number;
  readonly tokens: number;
  /** What its entries cost before, in tokens. */
  readonly before: number;
  readonly by: string;
  /** Share of the names in its entries that the prompt holds now, in its lines and those of the chronicle; 0 to 1. */
  readonly kept: number;
  /** How many breadcrumbs lead to its entries; `session.breadcrumbs` lists them. */
  readonly breadcrumbs: number;
  readonly at: number;
  /** Times that it was compressed: once when it was made, and again with each age. */
  readonly compressions: number;
  /** What was decided, changed, left to do and asked in its entries when it was made. */
  readonly decisions: readonly string[];
  readonly files: readonly string[];
  readonly next: readonly string[];
  readonly questions: readonly string[];
}

/** A session at a moment, as a host sees it: values that do not change. `next`, `longest`, `facts`, `reliability` and `checkpoints` are worked out when they are read first. */
export interface SessionState {
  readonly id: string;
  readonly seq: number;
  readonly epoch: number;
  readonly turn: number;
  /** Entries in the log. */
  readonly entries: number;
  /** Sum of their tokens. */
  readonly tokens: number;
  readonly phase: State['phase'];
  /** Id of the active frame. */
  readonly active: string;
  readonly goal: Goal | null;
  /** The next step: of the goal, its milestones or what is planned; null where none is known. */
  readonly next: string | null;
  readonly budget: Budget;
  /** The longest message of a person that is sent whole, in tokens; of a longer one its beginning and end are. */
  readonly longest: number;
  /** What a server counted last, of its cache and of the answer, too; null before it did. */
  readonly usage: Usage | null;
  /** Names of what was compressed in the active frame and those above it, and those of them that the prompt holds now, in its checkpoints and the chronicle. */
  readonly facts: EntityTally;
  /** How far to rely on it, by the size of its model; null where no model is named, or its size is not known. */
  readonly reliability: Reliability | null;
  /** Of all open frames, oldest first. */
  readonly checkpoints: readonly CheckpointSummary[];
  /** A recovery that waits for an answer; null where none does. */
  readonly recovery: RecoverySummary | null;
  /** Compressions since the session began. */
  readonly compressions: number;
  /** The step that `undo` takes back, and the one that `redo` takes again; null for none. */
  readonly undo: Undoable | null;
  readonly redo: Undoable | null;
  /** Effects that have not ended. */
  readonly pending: readonly {
    readonly key: string;
    readonly purpose: Purpose;
    readonly frame: string;
  }[];
}

/** A state as its host sees it. What has to be looked for is, when it is read first: a replay asks most states for their budget alone. */
export function toSessionState(state: State): SessionState {
  const facts = once(() => namesCompressed(state));
  const reliability = once(() => reliabilityIn(state, facts()));
  const checkpoints = once(() => checkpointsIn(state));
  const next = once(() => nextStepOf(state));
  const budget = measure(state);
  return {
    id: state.session,
    seq: state.seq,
    epoch: state.epoch,
    turn: state.turn,
    entries: state.entryCount,
    tokens: state.tokens,
    phase: state.phase,
    active: state.active,
    goal: deepFreeze(state.goal),
    get next() {
      return next();
    },
    budget,
    get longest() {
      return giantLimit(limitForGiants(state), budget, askedShare(state));
    },
    usage: state.usage ?? null,
    get facts() {
      return facts();
    },
    get reliability() {
      return reliability();
    },
    get checkpoints() {
      return checkpoints();
    },
    recovery: recoveryIn(state),
    compressions: state.compressions,
    undo: state.timeline.done.at(-1)?.what ?? null,
    redo: state.timeline.undone.at(-1)?.what ?? null,
    pending: [...state.outbox].map(([key, { purpose, frame }]) => ({ key, purpose, frame })),
  };
}

/** What `make` gives, made when it is asked for first. */
function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | null = null;
  return () => (cached ??= { value: make() }).value;
}

function checkpointsIn(state: State): readonly CheckpointSummary[] {
  return [...state.views].flatMap(([frame, { checkpoints }]) => {
    const held = checkpoints.length === 0 ? () => 0 : namesHeld(state, frame);
    return checkpoints.map((checkpoint) => summaryOf(checkpoint, frame, held));
  });
}

function summaryOf(checkpoint: Checkpoint, frame: FrameId, held: NamesHeld): CheckpointSummary {
  const { id, age, from, to, entries, tokens, before } = checkpoint;
  const { by, names, breadcrumbs, at, sources } = checkpoint;
  const { decisions, files, next, questions } = checkpoint;
  return {
    id,
    frame,
    age,
    from,
    to,
    entries,
    tokens,
    before,
    by,
    kept: names === 0 ? 1 : held({ frame, from, to }) / names,
    breadcrumbs: breadcrumbs?.count ?? 0,
    at,
    compressions: 1 + sources.length,
    decisions,
    files,
    next,
    questions,
  };
}

function reliabilityIn(
  { options, calibration, modelSummaries: compressions, epoch }: State,
  facts: EntityTally,
): Reliability | null {
  const { model, modelSize } = options;
  if (model === null) return null;
  const size = modelSize ?? sizeInName(model);
  const suspected = calibration.doubted?.epoch === epoch;
  return size === null ? null : reliabilityOf({ model, size, facts, compressions, suspected });
}

/** A recovery that waits for an answer, as a host sees it. */
export interface RecoverySummary {
  /** `confirming` asks whether `line` is right, `recap` what it was instead. */
  readonly state: 'confirming' | 'recap';
  /** Why it began; null where somebody supplied what they know. */
  readonly rule: TruncationRule | null;
  readonly truncation: Truncation;
  /** What to say: that context was lost, what was recovered, and the question. */
  readonly announce: string;
  readonly line: string;
  readonly question: string;
  readonly context: RecoveredContext | null;
}

/** Yes, no, or how it was instead. */
export type RecoveryAnswer = boolean | string;

/** The recovery that waits in a state; null for none. */
function recoveryIn({ losses }: State): RecoverySummary | null {
  const { recovery } = losses;
  if (recovery === null) return null;
  const { suspicion, context } = recovery.memory;
  return {
    state: recovery.value,
    rule: suspicion?.rule ?? null,
    truncation: suspicion?.truncation ?? 'certain',
    announce: protocolWords.announce,
    line: context === null ? '' : recoveredLine(context),
    question: recovery.value === 'recap' ? protocolWords.recap : protocolWords.confirm,
    context,
  };
}

/** An answer as the recovery machine takes it. */
export function toConfirmation(answer: RecoveryAnswer): Confirmation {
  const recap = typeof answer === 'string' ? answer.trim() : '';
  return { right: answer === true, recap };
}
