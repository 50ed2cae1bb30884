import { compressionMachine, type CompressionInput } from '../../../machines/compression.ts';
import {
  freshMemory,
  type CompressionMemory,
  type CompressionState,
  type CompressionMeasure,
  type CompressionRange,
  type SummaryRequest,
  type SummaryVerdict,
} from '../../core/checkpoints/compression-state.ts';
import { embedded } from '../../core/budget/options.ts';
import type { FrameId } from '../../core/values/id.ts';
import type { Fact } from '../../core/state/fact.ts';
import { select } from '../../core/assembly/select-entries.ts';
import { commitCheckpoint } from './commit-checkpoint.ts';
import { checkSummary, harvestStretch, targetFor } from './summary-check.ts';
import type { Draft } from '../step/draft.ts';
import { drive, type MachineInput } from '../step/drive-machine.ts';
import { boundHuman } from './human-limit.ts';
import { isDue, measure } from '../step/measure.ts';
import { beginEpoch } from './begin-epoch.ts';
import { endRewrites } from './model-rewrites.ts';
import { snapshotBefore } from '../step/snapshots.ts';
import { ageCheckpoints } from './age-checkpoints.ts';

// The compression machine says when; this supplies its ports. All but
// `summarize` are pure and answered within the step. The embedded summarizer is
// pure, too; a model's summary is an effect, and its answer comes as an input.

/** How a compression is asked for. */
export interface Request {
  readonly frame: FrameId;
  /** Whether nothing but the newest unit stays verbatim; as much as the budget allows unless told. */
  readonly onlyNewest?: boolean;
  /** Whether to wait for no summarizer. */
  readonly hurry?: boolean;
  readonly force?: boolean;
  readonly focus?: string;
}

/** Starts a compression of a frame, and carries it as far as it goes without waiting. */
export function startCompression(draft: Draft, request: Request): void {
  const { force = false, focus = '' } = request;
  if (draft.state.views.get(request.frame)?.compression != null) return;
  if (boundHuman(draft)) beginEpoch(draft, 1);
  const event = { type: 'compression.request', force, focus };
  move(draft, request, { type: 'event', event });
}

/** Carries a resting compression on: its summary came, its wait is over, or somebody decided. */
export function moveCompression(draft: Draft, frame: FrameId, push: MachineInput): void {
  move(draft, { frame }, push);
}

/** The event that ends a wait for the summarizer with the deterministic summary. */
export const fallback: MachineInput = { type: 'event', event: { type: 'compression.fallback' } };

/** The event that gives a compression up. */
const cancel: MachineInput = { type: 'event', event: { type: 'compression.cancel' } };

/** Gives up whatever compression a frame has, and what was asked for its checkpoints. */
export function cancelCompression(draft: Draft, frame: FrameId): void {
  endRewrites(draft, frame);
  if (draft.state.views.get(frame)?.compression != null) moveCompression(draft, frame, cancel);
}

function move(draft: Draft, request: Request, push: MachineInput): void {
  const { frame } = request;
  const resting = draft.state.views.get(frame)?.compression ?? null;
  const at = { value: resting?.value ?? 'idle', memory: resting?.memory ?? freshMemory };
  endEffects(draft, frame);
  const result = drive<CompressionMemory>(
    compressionMachine,
    { at, push },
    {
      answer: (port, input) => answer(draft, request, { port, input }),
      hear(event, memory) {
        if (event.type === 'compression.started') snapshotBefore(draft);
        draft.record(toFact(frame, event, memory));
      },
    },
  );
  const state = toState(result.value, result.memory);
  if (state !== null || resting !== null) draft.record({ type: 'compression.moved', frame, state });
  for (const { input } of result.asked) requestSummary(draft, frame, input as SummaryRequest);
  if (result.delay !== null)
    draft.record({ type: 'timer.set', key: frame, due: draft.at + result.delay, frame });
}

function toState(value: string, memory: CompressionMemory): CompressionState | null {
  if (value !== 'summarizing' && value !== 'waiting') return null;
  const { stretch, focus, attempt, strict } = memory;
  return { value, memory: { ...freshMemory, stretch, focus, attempt, strict } };
}

function answer(
  draft: Draft,
  request: Request,
  asked: { port: string; input: unknown },
): { output: unknown } | undefined {
  const { frame } = request;
  const memory = (asked.input as CompressionInput).memory;
  switch (asked.port) {
    case 'measure':
      return { output: measured(draft) };
    case 'select':
      return {
        output: select(draft.state, frame, request.onlyNewest),
      };
    case 'summarize':
      return summarize(draft, request, asked.input as SummaryRequest);
    case 'check':
      return { output: checkSummary(draft, memory) satisfies SummaryVerdict };
    case 'harvest':
      return { output: harvestStretch(draft, memory.stretch!) };
    case 'age':
      ageCheckpoints(draft, frame);
      return { output: null };
    case 'commit':
      commitCheckpoint(draft, memory);
      return { output: null };
    default:
      return undefined;
  }
}

function measured(draft: Draft): CompressionMeasure {
  const { human, working, threshold } = measure(draft.state);
  return { due: isDue(draft.state), working: human + working, threshold };
}

function summarize(
  draft: Draft,
  request: Request,
  asked: SummaryRequest,
): { output: string } | undefined {
  const byItself = draft.state.options.summarizer === embedded || request.hurry === true;
  return byItself ? { output: harvestStretch(draft, asked.stretch) } : undefined;
}

function requestSummary(draft: Draft, frame: FrameId, asked: SummaryRequest): void {
  const { stretch, strict, attempt, focus } = asked;
  draft.record({
    type: 'effect.requested',
    key: `${draft.state.seq + 1}/${frame}`,
    effect: {
      purpose: 'checkpoint',
      frame,
      from: stretch.from,
      to: stretch.to,
      target: Math.floor(targetFor(draft.state, stretch) * (strict ? 0.75 : 1)),
      strict,
      attempt,
      focus,
    },
  });
}

/** Whatever this compression waited for is over. */
function endEffects(draft: Draft, frame: FrameId): void {
  for (const [key, effect] of draft.state.outbox)
    if (effect.frame === frame && effect.purpose === 'checkpoint')
      draft.record({ type: 'effect.ended', key });
  if (draft.state.timers.has(frame)) draft.record({ type: 'timer.ended', key: frame });
}

function toFact(frame: FrameId, event: { type: string }, memory: CompressionMemory): Fact {
  switch (event.type) {
    case 'compression.started': {
      const { from, to, tokens } = memory.stretch as CompressionRange;
      return { type: 'compression.started', frame, from, to, tokens };
    }
    case 'compression.skipped': {
      const { reason } = event as unknown as { reason: 'not due' | 'nothing to select' };
      return { type: 'compression.skipped', frame, reason };
    }
    case 'compression.failed': {
      const { attempt, reason } = event as unknown as { attempt: number; reason: string };
      return { type: 'compression.failed', frame, attempt, reason };
    }
    case 'compression.refused': {
      const { reason } = event as unknown as Extract<Fact, { type: 'compression.refused' }>;
      return { type: 'compression.refused', frame, reason };
    }
    default:
      return { type: 'compression.cancelled', frame };
  }
}
