import type { Budget } from '../../core/budget/budget.ts';
import type { Age } from '../../core/checkpoints/checkpoint.ts';
import type { Purpose } from '../../core/checkpoints/compression-state.ts';
import type { Goal } from '../../core/frames/goal.ts';
import { deepFreeze } from '../../core/messages/message.ts';
import { reliabilityOf, sizeInName, type Reliability } from '../../core/budget/reliability.ts';
import type { State } from '../../core/state/state.ts';
import type { Undoable } from '../../core/state/timeline.ts';
import { measure } from './measure.ts';
import {
  recoveredLine,
  type Confirmation,
  type RecoveredContext,
} from '../../core/truncation/recovery.ts';
import type { Truncation, TruncationRule } from '../../core/truncation/detect.ts';
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
  /** Share of the entities of its entries that it still names, 0 to 1. */
  readonly kept: number;
  /** How many breadcrumbs lead to its entries; `session.breadcrumbs` lists them. */
  readonly breadcrumbs: number;
  readonly at: number;
}

/** A session at a moment, as a host sees it. Plain values; reading it costs nothing. */
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
  readonly budget: Budget;
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

/** A state as its host sees it. */
export function toSessionState(state: State): SessionState {
  return {
    id: state.session,
    seq: state.seq,
    epoch: state.epoch,
    turn: state.turn,
    entries: state.entries,
    tokens: state.tokens,
    phase: state.phase,
    active: state.active,
    goal: deepFreeze(state.goal),
    budget: measure(state),
    reliability: reliabilityIn(state),
    checkpoints: [...state.views].flatMap(([frame, view]) =>
      view.checkpoints.map(
        ({ id, age, from, to, entries, tokens, before, by, kept, breadcrumbs, at }) => ({
          id,
          frame,
          age,
          from,
          to,
          entries,
          tokens,
          before,
          by,
          kept,
          breadcrumbs: breadcrumbs?.count ?? 0,
          at,
        }),
      ),
    ),
    recovery: recoveryIn(state),
    compressions: state.compressions,
    undo: state.timeline.done.at(-1)?.what ?? null,
    redo: state.timeline.undone.at(-1)?.what ?? null,
    pending: [...state.outbox].map(([key, { purpose, frame }]) => ({ key, purpose, frame })),
  };
}

function reliabilityIn({ options, calibration, facts, epoch }: State): Reliability | null {
  const { model, modelSize } = options;
  if (model === null) return null;
  const size = modelSize ?? sizeInName(model);
  const suspected = calibration.doubted?.epoch === epoch;
  return size === null ? null : reliabilityOf({ model, size, facts, suspected });
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
function recoveryIn({ watch }: State): RecoverySummary | null {
  const { recovery } = watch;
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
