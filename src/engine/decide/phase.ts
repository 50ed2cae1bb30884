import { lifecycles } from '../../../machines/lifecycle.ts';
import { isClosed } from '../../core/frames/frame.ts';
import { frameId } from '../../core/values/id.ts';
import { nextState, type SessionSignal } from '../../core/frames/lifecycle.ts';
import type { State } from '../../core/state/state.ts';
import { frameOf } from '../../core/frames/tree.ts';
import { cancelCompression } from '../compression/compress.ts';
import type { Draft } from '../step/draft.ts';
import { cancelRecovery } from './recovery.ts';

// The session machine says which phase follows. At the end of a step it gets a
// signal for what goes on and for what is over; one that a phase does not take
// changes nothing.

/** Sends the session machine what goes on after a step, and records the phase it moves to. */
export function movePhase(draft: Draft): void {
  const { frames, views, losses } = draft.state;
  if (isClosed(frameOf(frames, frameId(0)))) complete(draft);
  const isRecovering = losses.recovery !== null;
  const isCompressing = [...views.values()].some(({ compression }) => compression !== null);
  if (!isRecovering) send(draft, 'recovery.ended');
  if (!isCompressing) send(draft, 'compression.ended');
  if (isRecovering) send(draft, 'recovery.started');
  if (isCompressing) send(draft, 'compression.started');
}

/** Completes the session: compressions and recovery end. */
function complete(draft: Draft): void {
  if (phaseAfter(draft, 'session.complete') === draft.state.phase) return;
  for (const frame of draft.state.views.keys()) cancelCompression(draft, frame);
  cancelRecovery(draft);
  send(draft, 'session.complete');
}

function send(draft: Draft, signal: SessionSignal): void {
  const phase = phaseAfter(draft, signal);
  if (phase !== draft.state.phase) draft.record({ type: 'session.moved', phase });
}

const phaseAfter = ({ state }: Draft, signal: SessionSignal): State['phase'] =>
  nextState(lifecycles.session, state.phase, signal);
