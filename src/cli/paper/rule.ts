import type { Paper } from './paper.ts';
import { cut, widthOf } from './width.ts';

/** A line across the paper with a title in it, and something at its right end. */
export function rule(paper: Paper, title: string, right = ''): string {
  const { width, glyphs, paint } = paper;
  const sign = glyphs.rule;
  const end = right === '' ? '' : ` ${right} ${sign.repeat(2)}`;
  const label = cut(title, width - widthOf(end) - 6, glyphs.more);
  const room = width - widthOf(label) - widthOf(end) - 4;
  return paint(`${sign.repeat(2)} ${label} ${sign.repeat(Math.max(0, room))}${end}`, 'gray');
}
