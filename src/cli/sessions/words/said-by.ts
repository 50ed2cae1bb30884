import type { Session, SessionState } from '../../../index.ts';

/** When the newest entry of a step was said; of one without any, or that was lost, when the step was written. */
export async function saidBy(
  session: Session,
  { at, state }: { readonly at: number; readonly state: Pick<SessionState, 'entries'> },
): Promise<number> {
  if (state.entries === 0) return at;
  return session.entry(`e${state.entries}`).then(
    (entry) => entry.at,
    () => at,
  );
}
