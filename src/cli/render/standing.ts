import type { Session } from '../../index.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { many, number } from '../paper/size.ts';
import { cut, hanging } from '../paper/width.ts';
import { frameTitles } from '../sessions/frame-titles.ts';

/** Where a session stands, which a recovery puts before the model: its goal, what was asked last, its frame, what is next. */
export async function standingLines(
  session: Session,
  { longest, glyphs }: Paper,
): Promise<readonly string[]> {
  const { id, state } = session;
  const { active, goal, next, turn, entries } = state;
  const title = frameTitles(session).get(active) ?? '';
  const asked = await newestRequest(session);
  const line = (name: string, text: string): readonly string[] =>
    hanging(`  ${name.padEnd(6)} `, cleanLine(text), longest);
  return [
    `${cleanLine(id)}: turn ${number(turn)}, ${many(entries, 'entry', 'entries')}`,
    ...(goal === null ? [] : line('goal', goal.description)),
    ...(asked === null ? [] : line('asked', cut(cleanLine(asked), mostAsked, glyphs.more))),
    ...line('frame', title === '' ? `${active}, which has no title` : `${active} ${title}`),
    ...(next === null ? [] : line('next', next)),
  ];
}

/** Cells of a request; the rest of it is in the log. */
const mostAsked = 300;

/** How far back a request is looked for, in entries. */
const depth = 500;

/** Characters from which on words of a person say what is wanted: more than `ok`, `ls` or `go on`. */
const leastRequest = 20;

/** What a person typed last that says what is wanted, or else typed at all; null where nobody did in the newest entries. */
async function newestRequest(session: Session): Promise<string | null> {
  let newest: string | null = null;
  for await (const entry of session.log({ reverse: true, limit: depth })) {
    const isTyped = entry.role === 'user' && entry.origin !== 'machine';
    if (!isTyped || typeof entry.content !== 'string') continue;
    newest ??= entry.content;
    if (entry.content.trim().length >= leastRequest) return entry.content;
  }
  return newest;
}
