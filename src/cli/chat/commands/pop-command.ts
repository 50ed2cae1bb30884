import { isEngineError, type PopGiven } from '../../../index.ts';
import { toFailure } from '../../call/exit.ts';
import { cleanLine } from '../../paper/clean.ts';
import type { Chat } from '../conversation/chat.ts';
import { refused } from './refused.ts';

/** Leaves the active frame: `[completed|failed|blocked] [results]`; asks before planned work below it is dropped, unless `drop` before them says so. */
export async function popCommand(chat: Chat, said: string): Promise<void> {
  const { session, teller, person } = chat;
  const rest = said.replace(/^drop(?:$|\s+(?=(?:completed|failed)\b))/i, '');
  const drop = rest !== said;
  const found = /^(completed|failed|blocked)\b\s*([^]*)$/i.exec(rest);
  const status = (found?.[1]?.toLowerCase() ?? 'completed') as PopGiven['status'];
  const results = (found === null ? rest : found[2]!).trim();
  if (session.frames.tree().active)
    throw refused('This is the root of the session, which stays open. /push begins a frame.');
  if (found === null && /^[\w-]+$/.test(rest))
    throw refused(`"${rest}" is no status: /pop completed, failed or blocked, then the results.`);
  const given: PopGiven = { status, ...(results === '' ? {} : { results }), drop };
  const isLeft = await session.pop(given).then(
    () => true,
    async (error: unknown) => {
      if (!person.isThere || !isEngineError(error, 'FRAME_CHILDREN_LEFT')) throw error;
      if (!(await isDropped(chat, error))) {
        teller.tell({ type: 'note', text: `Kept open. ${toFailure(error).advice}` });
        return false;
      }
      await session.pop({ ...given, drop: true });
      return true;
    },
  );
  if (isLeft) teller.tell({ type: 'note', text: `Left as ${status}.` });
}

/** Whether the person gives up what is still to do below a frame. */
async function isDropped({ person }: Chat, { message }: Error): Promise<boolean> {
  const choices = { of: ['yes', 'no'], usual: 'no' } as const;
  return (await person.choose(`${cleanLine(message)}. Drop them? [y/N] `, choices)) === 'yes';
}
