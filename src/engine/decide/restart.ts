import { lifecycles, sessionTable } from '../../../machines/lifecycle.ts';
import type { CompressionState } from '../../core/checkpoints/compression-state.ts';
import type { State } from '../../core/state/state.ts';
import type { FrameId } from '../../core/values/id.ts';
import { dropCompression, goesOn, startCompression } from '../compression/compress.ts';
import type { Draft } from '../step/draft.ts';
import { recoveryGoesOn, restartRecovery } from './recovery.ts';

// Work that can go on no more. A stored session may rest in a state, or in a version of a machine, that the
// machines of this version do not know; or what an effect brings cannot be taken in. Neither is left to wait
// for ever: the first begins again from what is known, the second is given up, and both are told.

/** Whether a machine of a session rests where those of this version do not go on. */
export function mustRestart(state: State): boolean {
  const { recovery } = state.losses;
  if (!Object.hasOwn(sessionTable, state.phase)) return true;
  return stuckCompressions(state).length > 0 || (recovery !== null && !recoveryGoesOn(recovery));
}

/** Begins again what {@link mustRestart}; a compression of a frame that is set aside waits until it is due there. */
export function restart(draft: Draft): void {
  const { phase, losses } = draft.state;
  if (!Object.hasOwn(sessionTable, phase)) {
    tell(draft, { machine: 'session', state: phase, version: '' });
    draft.record({ type: 'session.moved', phase: lifecycles.session.initial });
  }
  for (const [frame, { value, version, memory }] of stuckCompressions(draft.state)) {
    tell(draft, { machine: 'compression', frame, state: value, version });
    dropCompression(draft, frame);
    if (frame === draft.state.active)
      startCompression(draft, { frame, force: true, focus: memory.focus });
  }
  if (losses.recovery === null || recoveryGoesOn(losses.recovery)) return;
  const { value, version } = losses.recovery;
  tell(draft, { machine: 'recovery', state: value, version });
  restartRecovery(draft, losses.recovery);
}

/** Whether an effect, a timer or a document is owed under a key. */
export function isOwed({ outbox, timers, documents }: State, key: string): boolean {
  return outbox.has(key) || timers.has(key) || documents.pending.some((one) => one.key === key);
}

/** Gives up what is owed under a key. */
export function abandon(draft: Draft, key: string, reason: string): void {
  const { outbox, timers, documents } = draft.state;
  const effect = outbox.get(key);
  draft.record({ type: 'effect.abandoned', key, reason });
  const frame = effect?.purpose === 'checkpoint' ? effect.frame : timers.get(key)?.frame;
  if (frame !== undefined) {
    dropCompression(draft, frame);
    draft.record({ type: 'compression.skipped', frame, reason: 'given up' });
  } else if (effect !== undefined) draft.record({ type: 'effect.ended', key });
  if (documents.pending.some((document) => document.key === key))
    draft.record({ type: 'document.failed', key, reason });
}

function tell(
  draft: Draft,
  stuck: {
    readonly machine: 'session' | 'compression' | 'recovery';
    readonly frame?: FrameId;
    readonly state: string;
    readonly version: string | undefined;
  },
): void {
  draft.record({ type: 'machine.restarted', ...stuck, version: stuck.version ?? '' });
}

/** The compressions that rest where the machine does not go on. */
function stuckCompressions(state: State): readonly (readonly [FrameId, CompressionState])[] {
  return [...state.views].flatMap(([frame, { compression }]) =>
    compression === null || goesOn(state, frame, compression)
      ? []
      : [[frame, compression] as const],
  );
}
