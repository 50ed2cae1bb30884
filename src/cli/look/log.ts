import type { LogEntry, Place, Session } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { viewIn, type TypedMoment } from '../command-line/moment.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { number } from '../paper/size.ts';
import { cut, padEnd, padStart } from '../paper/width.ts';
import { messageText } from '../render/message.ts';
import { newLeftOut } from '../sessions/left-out.ts';
import { readSession } from '../sessions/with-session.ts';

/** Options of `log` alone. */
export interface LogCommandOptions {
  readonly frame?: string | undefined;
  readonly limit?: number | undefined;
  readonly reverse?: boolean | undefined;
  readonly at?: TypedMoment | undefined;
}

/** Lists what was said, a line for each entry, with where it is; gives the exit code. */
export async function log(
  said: string | undefined,
  options: LogCommandOptions,
  call: CommandCall,
): Promise<number> {
  return readSession(call, said, async (session) => {
    const { at, frame, limit, reverse } = options;
    const view = at === undefined ? null : await viewIn(session, at);
    const { entries } = view === null ? session.state : view.state;
    const where = (id: string): Place => (view ?? session).where(id);
    const paper = call.paper();
    let isFirst = true;
    const leftOut = newLeftOut(call);
    const { onLost } = leftOut;
    for await (const entry of session.log({
      ...(frame === undefined ? {} : { frame }),
      ...(reverse === undefined ? {} : { reverse }),
      ...(limit === undefined ? {} : { limit }),
      ...logBound(session, entries),
      signal: call.io.signal,
      onLost,
    })) {
      const place = where(entry.id);
      if (call.json) call.emit('flamestack.entry/1', { session: session.id, entry, place });
      else {
        if (isFirst) call.print(paper.paint(headLine(at !== undefined), 'gray'));
        call.print(entryLine(entry, place, paper));
      }
      isFirst = false;
    }
    return leftOut.settle(session.id);
  });
}

/** The bound of a log that was shorter then. */
function logBound({ state }: Session, entries: number): { before?: string } {
  return entries < state.entries ? { before: `e${entries + 1}` } : {};
}

const headLine = (isPast: boolean): string =>
  `${columns('entry', 'frame', 'role', 'tokens', isPast ? 'then' : 'now')}said`;

const columns = (
  ...[id, frame, who, tokens, place]: readonly [string, string, string, string, string]
): string =>
  `${padEnd(id, 6)} ${padEnd(frame, 5)} ${padEnd(who, 9)} ${padStart(tokens, 7)}  ${padEnd(place, 11)} `;

/** The most that a line shows of what was said where no width is known, in cells. */
const longestSaid = 200;

function entryLine(entry: LogEntry, { place }: Place, paper: Paper): string {
  const { id, frame, tokens, role } = entry;
  const who = role === 'user' && entry.origin === 'machine' ? 'machine' : role;
  const head = columns(id, frame, who, number(tokens), place);
  const { longest } = paper;
  const room = Number.isFinite(longest) ? Math.max(8, longest - head.length) : longestSaid;
  // Many more characters than cells would be cut off again.
  const text = cleanLine(messageText(entry).slice(0, room * 8));
  return `${paper.paint(head, 'gray')}${cut(text, room, paper.glyphs.more)}`;
}
