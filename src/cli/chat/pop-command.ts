import { isEngineError, type PopGiven } from '../../index.ts';
import type { Chat } from './chat.ts';
import { cleanLine } from '../render/clean.ts';

/** Leaves the active frame: `[completed|failed|blocked] [results]`; asks before planned work below it is dropped. */
export async function popCommand(chat: Chat, rest: string): Promise<void> {
  const { session, teller } = chat;
  const found = /^(completed|failed|blocked)\b\s*([^]*)$/i.exec(rest);
  const status = (found?.[1]?.toLowerCase() ?? 'completed') as PopGiven['status'];
  const results = (found === null ? rest : found[2]!).trim();
  if (session.frames.tree().active)
    throw new Error('This is the root of the session, which stays open. /push begins a frame.');
  const given: PopGiven = { status, ...(results === '' ? {} : { results }) };
  await session.pop(given).catch(async (error: unknown) => {
    if (!isEngineError(error, 'FRAME_CHILDREN_LEFT') || !(await isDropped(chat, error)))
      throw error;
    return session.pop({ ...given, drop: true });
  });
  teller.tell({ type: 'note', text: `Left as ${status}.` });
}

/** Whether the person gives up what is still to do below a frame. */
async function isDropped({ person }: Chat, { message }: Error): Promise<boolean> {
  if (!person.isThere) return false;
  return (await person.choose(`${cleanLine(message)}. Drop them? [y/N] `, 'yn')) === 'y';
}
