import { EngineError, isEngineError, type PopGiven, type Session } from '../../../index.ts';
import { toFailure } from '../../call/exit.ts';
import { cleanLine } from '../../paper/clean.ts';
import { frameName } from '../../render/step.ts';
import { frameTitles } from '../../sessions/words/frame-titles.ts';
import type { Chat } from '../conversation/chat.ts';
import { frameList } from './named-frame.ts';
import { refused } from './refused.ts';

/** Leaves the active frame: `[completed|failed|blocked] [results]`; asks before planned work below it is dropped, unless `drop` before them says so. */
export async function popCommand(chat: Chat, said: string): Promise<void> {
  const { session, teller, person } = chat;
  const rest = said.replace(/^drop(?:$|\s+(?=(?:completed|failed)\b))/i, '');
  const drop = rest !== said;
  const match = /^(completed|failed|blocked)\b\s*([^]*)$/i.exec(rest);
  const status = (match?.[1]?.toLowerCase() ?? 'completed') as PopGiven['status'];
  const results = (match === null ? rest : match[2]!).trim();
  if (session.frames.tree().active)
    throw refused('This is the root of the session, which stays open. /push begins a frame.');
  if (match === null && /^[\w-]+$/.test(rest))
    throw refused(`"${rest}" is no status: /pop completed, failed or blocked, then the results.`);
  const options: PopGiven = { status, ...(results === '' ? {} : { results }), drop };
  const isLeft = await session.pop(options).then(
    () => true,
    async (error: unknown) => {
      if (!isEngineError(error, 'FRAME_CHILDREN_LEFT')) throw error;
      const childrenError = workLeft(session, error);
      if (!person.isThere) throw childrenError;
      if (!(await isDropped(chat, childrenError))) {
        teller.tell({ type: 'note', text: `Kept open. ${toFailure(childrenError).advice}` });
        return false;
      }
      await session.pop({ ...options, drop: true });
      return true;
    },
  );
  if (isLeft) teller.tell({ type: 'note', text: `Left as ${status}.` });
}

/** The refusal of a pop without what a caller of the engine would do about it. */
function workLeft(session: Session, { detail }: EngineError<'FRAME_CHILDREN_LEFT'>): EngineError {
  const { frame, children } = detail;
  const name = frameName(frame, frameTitles(session).get(frame) ?? '');
  return new EngineError(
    'FRAME_CHILDREN_LEFT',
    `Work is left below ${name}: ${frameList(children)}`,
    { detail },
  );
}

/** Whether the person gives up what is still to do below a frame. */
async function isDropped({ person }: Chat, { message }: Error): Promise<boolean> {
  const choices = { of: ['yes', 'no'], usual: 'no' } as const;
  return (await person.choose(`${cleanLine(message)}. Drop them? [y/N] `, choices)) === 'yes';
}
