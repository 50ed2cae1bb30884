import { compressionMachine, type CompressionEmitted } from '../../../machines/compression.ts';
import {
  freshMemory,
  type CompressionMemory,
  type CompressionRange,
  type CompressionState,
  type CompressionMeasure,
  type CommitRequest,
  type SummaryRequest,
} from '../../core/checkpoints/compression-state.ts';
import { embedded } from '../../core/budget/options.ts';
import type { FrameId } from '../../core/values/id.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { State } from '../../core/state/state.ts';
import { select, selectToRecent } from '../../core/assembly/select-entries.ts';
import { commitCheckpoint } from './commit-checkpoint.ts';
import { isWorth, extractSummary, summaryLength } from './summary-check.ts';
import type { Draft } from '../step/draft.ts';
import { begins, idleStates } from '../step/trace.ts';
import { drive, isKnown, type MachineInput } from '../step/drive-machine.ts';
import { restsOf } from '../step/fact-moves.ts';
import { limitHuman } from './human-text.ts';
import { isDue, measure } from '../step/measure.ts';
import { beginEpoch } from './begin-epoch.ts';
import { endRewrites } from './model-rewrites.ts';
import { snapshotBefore } from '../step/snapshots.ts';

// The compression machine says when; this answers its ports. All but `summarize`
// are pure and answered within the step. The embedded summarizer is pure, too; a
// model's summary is an effect, and its result comes back as an input.

/** A compression that is asked for. */
export interface CompressionRequest {
  readonly frame: FrameId;
  /** Leaves only the newest unit verbatim; as much as the budget allows unless told. */
  readonly onlyNewest?: boolean;
  /** Takes the deterministic summary and waits for no summarizer. */
  readonly atOnce?: boolean;
  /** Nothing else makes the assembly fit: takes a range, too, that gives back less than its checkpoint may cost. */
  readonly takesAny?: boolean;
  /** Compresses even where none is due. */
  readonly force?: boolean;
  /** Somebody asked for it: takes older units even where there is room for them. */
  readonly byCommand?: boolean;
  /** Tokens of the assembly before it, where the epoch that the state names is not the one to compare with. */
  readonly before?: number;
  readonly focus?: string;
}

/** Starts a compression of a frame, and carries it as far as it goes without waiting. */
export function startCompression(draft: Draft, request: CompressionRequest): void {
  const { force = false, focus = '' } = request;
  if (draft.state.views.get(request.frame)?.compression != null) return;
  if (limitHuman(draft)) beginEpoch(draft, 1);
  const event = { type: 'compression.request', force, focus };
  driveCompression(draft, request, { type: 'event', event });
}

/** Carries a resting compression on: its summary came, its wait is over, or it is cut short. */
export function moveCompression(draft: Draft, frame: FrameId, input: MachineInput): void {
  driveCompression(draft, { frame }, input);
}

/** Ends the wait for a summarizer with the deterministic summary. */
export const fallbackEvent: MachineInput = {
  type: 'event',
  event: { type: 'compression.fallback' },
};

const cancelEvent: MachineInput = { type: 'event', event: { type: 'compression.cancel' } };

/** Gives up a frame's compression, and the rewrites that were asked for its checkpoints. */
export function cancelCompression(draft: Draft, frame: FrameId): void {
  endRewrites(draft, frame);
  if (draft.state.views.get(frame)?.compression != null) moveCompression(draft, frame, cancelEvent);
}

function driveCompression(draft: Draft, request: CompressionRequest, input: MachineInput): void {
  const { frame } = request;
  const resting = draft.state.views.get(frame)?.compression ?? null;
  const at = {
    value: resting?.value ?? idleStates.compression,
    memory: resting?.memory ?? freshMemory,
  };
  endPending(draft, frame);
  const subject = { machine: 'compression', frame } as const;
  if (resting === null) draft.tell(begins({ ...subject, memory: at.memory }, at.value));
  const result = drive<CompressionMemory>(
    compressionMachine,
    { at, input },
    {
      part: draft.part,
      answer: (port, asked) => answerPort(draft, request, { port, asked }),
      onEmit(event, memory) {
        if (event.type === 'compression.started') snapshotBefore(draft);
        const fact = toFact(frame, event as CompressionEmitted, memory);
        if (fact !== null) draft.record(fact);
      },
      onMove: draft.trace && ((move, memory) => draft.tell({ ...subject, memory, ...move })),
    },
  );
  const state = toRestingState(result.value, result.memory);
  if (state !== null || resting !== null) draft.record({ type: 'compression.moved', frame, state });
  const wait = input.type === 'error' ? (input.wait ?? 0) : 0;
  for (const { port, input: asked } of result.requests)
    if (port === 'pause') setTimer(draft, frame, Math.max(wait, (asked as Pause).milliseconds));
    else requestSummary(draft, frame, asked as SummaryRequest);
}

/** The input of the `pause` port. */
interface Pause {
  readonly milliseconds: number;
}

function setTimer(draft: Draft, frame: FrameId, delay: number): void {
  draft.record({ type: 'timer.set', key: frame, due: draft.at + delay, frame });
}

function toRestingState(value: string, memory: CompressionMemory): CompressionState | null {
  if (value !== 'summarizing' && value !== 'waiting') return null;
  const { stretch, focus, attempt, strict } = memory;
  const { version } = compressionMachine;
  return { version: version!, value, memory: { ...freshMemory, stretch, focus, attempt, strict } };
}

function answerPort(
  draft: Draft,
  request: CompressionRequest,
  { port, asked }: { port: string; asked: unknown },
): { output: unknown } | undefined {
  switch (port) {
    case 'measure':
      return { output: measureWorking(draft, request) };
    case 'summarize':
      return summarizeAtOnce(draft, request, asked as SummaryRequest);
    case 'commit':
      commit(draft, request, asked as CommitRequest);
      return { output: null };
    default:
      return undefined;
  }
}

function measureWorking(draft: Draft, request: CompressionRequest): CompressionMeasure {
  const { human, working, threshold } = measure(draft.state);
  const due = isDue(draft.state);
  const stretch = due || request.force === true ? selectFor(draft, request) : null;
  return { due, working: human + working, threshold, stretch };
}

function selectFor(draft: Draft, request: CompressionRequest): CompressionRange | null {
  const { state } = draft;
  const { frame, onlyNewest, byCommand = false, takesAny = false } = request;
  const range = draft.part(() => {
    const found = select(state, frame, onlyNewest);
    return found === null && byCommand ? selectToRecent(state, frame) : found;
  });
  const isTaken = range === null || takesAny || draft.part(() => isWorth(draft, range));
  return isTaken ? range : null;
}

/** The deterministic summary; undefined where a model is to be asked. */
function summarizeAtOnce(
  draft: Draft,
  { atOnce = false }: CompressionRequest,
  { stretch }: SummaryRequest,
): { output: string } | undefined {
  const isEmbedded = draft.state.options.summarizer === embedded;
  return atOnce || isEmbedded ? { output: extractSummary(draft, stretch) } : undefined;
}

/** Puts the new checkpoint in place of its entries. */
function commit(draft: Draft, { before }: CompressionRequest, { memory }: CommitRequest): void {
  const { stretch, by } = memory;
  const summary = by === 'fallback' ? extractSummary(draft, stretch!) : memory.summary;
  commitCheckpoint(draft, { ...memory, summary }, before);
}

function requestSummary(draft: Draft, frame: FrameId, request: SummaryRequest): void {
  const { stretch, strict, attempt, focus } = request;
  draft.record({
    type: 'effect.requested',
    key: `${draft.state.seq + 1}/${frame}`,
    effect: {
      purpose: 'checkpoint',
      frame,
      from: stretch.from,
      to: stretch.to,
      target: summaryLength(draft, frame),
      strict,
      attempt,
      focus,
    },
  });
}

/** Whether the machine goes on from where a compression of a frame rests: it knows the state, and what it waits for is owed. */
export function goesOn({ outbox, timers }: State, frame: FrameId, at: CompressionState): boolean {
  if (!isKnown(compressionMachine, at)) return false;
  if (at.value === 'waiting') return timers.has(frame);
  return [...outbox.values()].some((one) => one.frame === frame && one.purpose === 'checkpoint');
}

/** Gives up a compression that its machine cannot be asked about. */
export function dropCompression(draft: Draft, frame: FrameId): void {
  endPending(draft, frame);
  draft.record({ type: 'compression.cancelled', frame });
  const moved = { type: 'compression.moved', frame, state: null } as const;
  draft.tell(...restsOf(draft.state, moved));
  draft.record(moved);
}

/** Ends the effects and the timer that this compression waited for. */
function endPending(draft: Draft, frame: FrameId): void {
  for (const [key, effect] of draft.state.outbox)
    if (effect.frame === frame && effect.purpose === 'checkpoint')
      draft.record({ type: 'effect.ended', key });
  if (draft.state.timers.has(frame)) draft.record({ type: 'timer.ended', key: frame });
}

/** The fact of what the machine says; null where another tells it. */
function toFact(frame: FrameId, event: CompressionEmitted, memory: CompressionMemory): Fact | null {
  switch (event.type) {
    case 'compression.started': {
      const { from, to, tokens } = memory.stretch!;
      return { type: event.type, frame, from, to, tokens };
    }
    case 'compression.skipped':
      return event.reason === 'under way'
        ? null
        : { type: event.type, frame, reason: event.reason };
    case 'compression.refused':
      return { type: event.type, frame, reason: event.reason };
    case 'compression.failed':
      return { type: event.type, frame, attempt: event.attempt, reason: event.reason };
    case 'compression.cancelled':
      return { type: event.type, frame };
    case 'compression.finished': // by the checkpoint, with its numbers
    case 'compression.stopped': // what is answered at once throws
      return null;
  }
}
