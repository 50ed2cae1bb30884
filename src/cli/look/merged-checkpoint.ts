import { isEngineError, type Session } from '../../index.ts';

/** The checkpoint in the prompt that stands for one that was merged; the one that was said where it is there, or none stands for it. */
export async function shownCheckpoint(
  session: Session,
  said: string,
  signal: AbortSignal,
): Promise<string> {
  if (session.state.checkpoints.some(({ id }) => id === said)) return said;
  // What is no id of a checkpoint may be one of an entry, which has something behind it, too.
  if (!/^c\d+$/.test(said)) return said;
  const entries = await session.expand(said, { signal }).catch((error: unknown) => {
    if (isEngineError(error, 'CHECKPOINT_NOT_FOUND')) return [];
    throw error;
  });
  for (const { id } of entries) {
    const place = session.where(id);
    if (place.place === 'checkpoint') return place.checkpoint;
  }
  return said;
}
