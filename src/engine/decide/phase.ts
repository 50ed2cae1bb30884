import { lifecycles } from '../../../machines/lifecycle.ts';
import { isClosed } from '../../core/frames/frame.ts';
import { frameId } from '../../core/values/id.ts';
import { nextState, type SessionSignal } from '../../core/frames/lifecycle.ts';
import type { State } from '../../core/state/state.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { cancelCompression } from '../compression/compress.ts';
import type { Draft } from '../step/draft.ts';
import { cancelRecovery } from './recovery.ts';

// The session machine says which phase follows. At the end of a step the engine
// tells it what goes on and what is over; what does not concern a phase leads nowhere.

/** Tells the session machine what goes on after a step, and records where that leads. */
export function movePhase(draft: Draft): void {
  const { frames, views, watch } = draft.state;
  if (isClosed(frameOf(frames, frameId(0)))) complete(draft);
  const isRecovering = watch.recovery !== null;
  const isCompressing = [...views.values()].some(({ compression }) => compression !== null);
  if (!isRecovering) tell(draft, 'recovery.ended');
  if (!isCompressing) tell(draft, 'compression.ended');
  if (isRecovering) tell(draft, 'recovery.started');
  if (isCompressing) tell(draft, 'compression.started');
}

/** Gives up what the session will not come back to. */
function complete(draft: Draft): void {
  if (next(draft, 'session.complete') === draft.state.phase) return;
  for (const frame of draft.state.views.keys()) cancelCompression(draft, frame);
  cancelRecovery(draft);
  tell(draft, 'session.complete');
}

function tell(draft: Draft, signal: SessionSignal): void {
  const phase = next(draft, signal);
  if (phase !== draft.state.phase) draft.record({ type: 'session.moved', phase });
}

const next = ({ state }: Draft, signal: SessionSignal): State['phase'] =>
  nextState(lifecycles.session, state.phase, signal);
