import type { Session } from '../../index.ts';
import { cleanLine } from '../paper/clean.ts';
import { many, number } from '../paper/size.ts';
import { frameTitles } from '../sessions/frame-titles.ts';

/** Where a session stands, which a recovery puts before the model: its goal, its frame, what is next. */
export function standingLines(session: Session): readonly string[] {
  const { id, state } = session;
  const { active, goal, next, turn, entries } = state;
  const title = frameTitles(session).get(active) ?? '';
  return [
    `${cleanLine(id)}: turn ${number(turn)}, ${many(entries, 'entry', 'entries')}`,
    ...(goal === null ? [] : [`  goal   ${cleanLine(goal.description)}`]),
    `  frame  ${active} ${cleanLine(title)}`.trimEnd(),
    ...(next === null ? [] : [`  next   ${cleanLine(next)}`]),
  ];
}
