import type { SessionState } from '../../index.ts';
import { countedBudget } from '../../reader.ts';
import type { Paper } from '../paper/paper.ts';
import { many, number, percent } from '../paper/size.ts';
import { cut, widthOf } from '../paper/width.ts';
import { triggerOf } from './bar.ts';
import { titleText } from '../sessions/words/title-text.ts';

/** The same in fields: its tokens and their limit, whose they are, how many are left before the next compression, and how many there were. */
export function contextFields(
  { budget: own, compressions }: Pick<SessionState, 'budget' | 'compressions'>,
  active: string,
): Readonly<Record<string, string | number>> {
  const budget = countedBudget(own);
  const { total, limit, window, count } = budget;
  const left = Math.max(0, Math.floor(triggerOf(budget) - total));
  return { active, tokens: total, limit, window, count, left, compressions };
}

/** A session in one line, for a status line of another program: how full, how far the next compression is, how many there were so far (those too that were undone), where it is. */
export function contextLine(
  { budget: own, compressions }: Pick<SessionState, 'budget' | 'compressions'>,
  active: string,
  { longest, glyphs }: Paper,
): string {
  const budget = countedBudget(own);
  const { total, limit } = budget;
  const remaining = triggerOf(budget) - total;
  const parts = [
    `Context ${number(total)}/${number(limit)} ${percent(total / limit)}`,
    remaining > 0 ? `compresses in ${many(remaining, 'token')}` : 'compression is due',
    ...(compressions === 0 ? [] : [`${many(compressions, 'compression')} so far`]),
  ];
  const summary = parts.join(` ${glyphs.dot} `);
  const room = longest - widthOf(summary) - 3;
  const title = room < 8 ? '' : ` ${glyphs.dot} ${cut(titleText(active), room, glyphs.more)}`;
  return cut(summary + title, longest, glyphs.more);
}
