import { placesOn } from '../../viewer/page/session/model/axis/places.ts';
import { totalOf, type Loss } from '../../viewer/page/session/model/history.ts';
import type { Step } from '../../viewer/page/session/model/wire.ts';
import type { Format } from '../paper/format.ts';
import type { Paper } from '../paper/paper.ts';
import type { OpenSession } from './browsing.ts';
import { lastResult } from './last-result.ts';
import { signsOf, type Signs } from './signs.ts';

// The size of the prompt over turns, a column for each cell, and an axis below it with what happened: the same
// history that the page draws, on cells. The top is the largest limit that the session had.

/** The columns of a session. */
interface Columns {
  /** The largest prompt of each column, in tokens. */
  readonly totals: readonly number[];
  readonly most: number;
  /** The column of each step. */
  readonly of: readonly number[];
}

const columnsOf = lastResult((steps: readonly Step[], count: number, width: number): Columns => {
  const places = placesOn('turns', steps);
  const of: number[] = [];
  const totals: number[] = [];
  let most = 1;
  for (let index = 0; index < count; index += 1) {
    const { limit } = steps[index]!;
    const column = Math.min(width - 1, Math.floor(places[index]! * width));
    const total = totalOf(steps[index]!);
    of.push(column);
    totals[column] = Math.max(totals[column] ?? 0, total);
    most = Math.max(most, limit);
  }
  for (let column = 1; column < width; column += 1) totals[column] ??= totals[column - 1] ?? 0;
  return { totals, most, of };
});

/** The chart, as many lines as `height`, and the axis below it. */
export function timelineLines(open: OpenSession, height: number, paper: Paper): readonly string[] {
  const { history, count, at } = open;
  const { width } = paper;
  const signs = signsOf(paper);
  if (count === 0) return [...Array.from({ length: height }, () => ''), axisOf([], 0, paper)];
  const { totals, most, of } = columnsOf(history.steps, count, width);
  const head = of[at] ?? 0;
  const levels = totals.map((total) =>
    total === 0 ? 0 : Math.max(1, Math.min(8 * height, Math.round((total / most) * 8 * height))),
  );
  const lines = Array.from({ length: height }, (_, row) => {
    const floor = (height - 1 - row) * 8;
    const cells = levels.map((level) => signs.heights[Math.max(0, Math.min(8, level - floor))]!);
    return painted(cells, { head, signs }, paper);
  });
  return [...lines, axisOf(marksOf(open, of, paper), head, paper)];
}

/** A line of the chart: what was before the playhead, the column under it, and what came later. */
function painted(
  cells: readonly string[],
  { head, signs }: { readonly head: number; readonly signs: Signs },
  { paint }: Paper,
): string {
  const before = cells.slice(0, head).join('');
  const after = cells.slice(head + 1).join('');
  const here = cells[head] ?? ' ';
  const column = here === ' ' ? signs.above : here;
  return paint(before, 'cyan') + paint(column, 'bold', 'magenta') + paint(after, 'gray');
}

/** A sign on the axis. */
interface Mark {
  readonly column: number;
  readonly sign: string;
  readonly format: Format;
}

function marksOf({ history }: OpenSession, of: readonly number[], paper: Paper): readonly Mark[] {
  const signs = signsOf(paper);
  // What is rarer covers what is more often.
  const rank = (one: Loss): number => ('frame' in one ? 0 : 'cut' in one ? 2 : 1);
  const losses = history.losses.toSorted((one, other) => rank(one) - rank(other));
  return losses.flatMap((one): readonly Mark[] => {
    const column = of[one.at] ?? 0;
    if ('frame' in one) return [{ column, sign: signs.ended, format: 'cyan' }];
    if ('cut' in one) return [{ column, sign: paper.glyphs.failed, format: 'red' }];
    if (!('compression' in one)) return [];
    const sign = signs.numbers[one.compression] ?? signs.compressed;
    return [{ column, sign, format: 'magenta' }];
  });
}

/** The axis with its marks; the playhead covers what is at its place. */
function axisOf(marks: readonly Mark[], head: number, paper: Paper): string {
  const { width, glyphs, paint } = paper;
  const cells = Array.from({ length: width }, () => [glyphs.rule, 'gray'] as [string, Format]);
  for (const { column, sign, format } of marks) cells[column] = [sign, format];
  if (head < width) cells[head] = [signsOf(paper).playhead, 'bold'];
  let line = '';
  for (let first = 0; first < cells.length;) {
    let end = first + 1;
    while (end < cells.length && cells[end]![1] === cells[first]![1]) end += 1;
    const run = cells.slice(first, end).map(([sign]) => sign);
    line += paint(run.join(''), cells[first]![1]);
    first = end;
  }
  return line;
}
