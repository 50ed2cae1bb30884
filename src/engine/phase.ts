import { transition } from 'xstate';
import { sessionMachine, type SessionEvent } from '../../machines/session.ts';
import type { Phase } from '../core/fact.ts';
import { isClosed } from '../core/frame.ts';
import { frameId } from '../core/id.ts';
import { frameOf } from '../core/tree.ts';
import { cancelCompression } from './compress.ts';
import type { Draft } from './draft.ts';
import { cancelRecovery } from './recover.ts';

/** Tells the session machine what happened, and records where that leads. */
export function movePhase(draft: Draft): void {
  const completed = isClosed(frameOf(draft.state.frames, frameId(0)));
  if (completed && draft.state.phase !== 'completed') {
    for (const frame of draft.state.views.keys()) cancelCompression(draft, frame);
    cancelRecovery(draft);
    tellPhase(draft, 'session.complete');
    return;
  }
  const compressing = [...draft.state.views.values()].some(
    ({ compression }) => compression !== null,
  );
  const recovering = draft.state.watch.recovery !== null;
  if (!recovering && draft.state.phase === 'recovering') tellPhase(draft, 'recovery.ended');
  if (!compressing && draft.state.phase === 'compressing') tellPhase(draft, 'compression.ended');
  const { phase } = draft.state;
  if (recovering && (phase === 'open' || phase === 'compressing'))
    tellPhase(draft, 'recovery.started');
  else if (compressing && phase === 'open') tellPhase(draft, 'compression.started');
}

function tellPhase(draft: Draft, type: Exclude<SessionEvent['type'], 'session.close'>): void {
  const at = sessionMachine.resolveState({ value: draft.state.phase, context: {} });
  const phase = transition(sessionMachine, at, { type })[0].value as Phase;
  draft.tell({ type: 'session.moved', phase });
}
