import type { Session } from '../../index.ts';
import { cleanLine } from '../paper/clean.ts';
import type { Paper } from '../paper/paper.ts';
import { many, number } from '../paper/size.ts';
import { hanging } from '../paper/width.ts';
import { frameTitles } from '../sessions/words/frame-titles.ts';
import { titleText } from '../sessions/words/title-text.ts';

/** Where a session stands, which `ls` has under a title, and the sentence that a recovery puts before the model. */
export function standingLines(
  session: Session,
  listed: string | undefined,
  { longest }: Paper,
): readonly string[] {
  const { id, state } = session;
  const { active, turn, entries } = state;
  const own = frameTitles(session).get(active);
  const title = own ?? (session.frames.tree().id === active ? (listed ?? '') : '');
  const line = (name: string, text: string): readonly string[] =>
    hanging(`  ${name.padEnd(6)} `, cleanLine(text), longest);
  return [
    `${cleanLine(id)}: turn ${number(turn)}, ${many(entries, 'entry', 'entries')}`,
    ...line(
      'frame',
      title === '' ? `${active}, which has no title` : `${active} ${titleText(title)}`,
    ),
    ...line('prompt', session.recovery.preview() || 'There is nothing to recover yet.'),
  ];
}
