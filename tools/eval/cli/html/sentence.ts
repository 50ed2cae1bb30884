import { rate } from '../../index.ts';
import { number, percent } from '../../../../src/cli/paper/size.ts';
import { at, methodsIn, windowsOf, type Cell, type Measure } from '../measure.ts';

// What one sees in a chart, said from the numbers that it shows.

/** Fewer than this make a shaky share. */
const few = 30;

/** Closer than this is as much. */
const close = 0.005;

/** How the first method does by a measure, how the others stand beside it, and what good is. */
export function sentenceOf<Total extends Cell>(
  measure: Measure<Total>,
  totals: readonly Total[],
): string {
  const [first, ...others] = methodsIn(totals);
  const of = (method: string, window: number): number | null =>
    rate(measure.share(at(totals, method, window)));
  const windows = windowsOf(totals).filter((window) => of(first!, window) !== null);
  const [least] = windows;
  if (least === undefined) return 'There was nothing of it to measure.';
  const most = windows.at(-1)!;
  const shown = (method: string, window: number): string => percent(of(method, window)!);
  const own = measure.says(first!, shown(first!, least));
  const more = most === least ? '' : `; within ${number(most)}, ${shown(first!, most)}`;
  const rare = windows
    .map((window) => ({ window, count: measure.share(at(totals, first!, window)).of }))
    .filter(({ count }) => count < few);
  const counts = new Set(rare.map(({ count }) => count));
  const hint =
    counts.size === 1 && rare.length === windows.length
      ? `only ${number(rare[0]!.count)}`
      : rare.map(({ window, count }) => `${number(count)} within ${number(window)}`).join(', ');
  return [
    `Within ${number(least)} tokens ${own}${more}.`,
    ...standing(first!, { others, windows, of }),
    ...(rare.length === 0 ? [] : [`Few were asked for (${hint}): no more than a hint.`]),
    measure.good,
  ].join(' ');
}

/** Who has more than the first method, or who comes nearest. */
function standing(
  first: string,
  {
    others,
    windows,
    of,
  }: {
    readonly others: readonly string[];
    readonly windows: readonly number[];
    readonly of: (method: string, window: number) => number | null;
  },
): readonly string[] {
  const gaps = others.flatMap((method) =>
    windows.map((window) => {
      const value = of(method, window) ?? 0;
      return { method, window, value, gap: of(first, window)! - value };
    }),
  );
  if (gaps.length === 0) return [];
  const ahead = gaps.filter(({ gap }) => gap < -close);
  if (ahead.length === 0) {
    const nearest = gaps.reduce((one, other) => (other.gap < one.gap ? other : one));
    const { method, value, window, gap } = nearest;
    const how = gap < close ? 'has as much' : `comes nearest with ${percent(value)}`;
    return [`No other method has more; ${method} ${how} within ${number(window)}.`];
  }
  const best = ahead.reduce((one, other) => (other.gap < one.gap ? other : one)).method;
  const where = ahead
    .filter(({ method }) => method === best)
    .map(({ value, window }) => `${percent(value)} within ${number(window)}`)
    .join(', ');
  const count = new Set(ahead.map(({ method }) => method)).size;
  return count === 1
    ? [`${best} has more: ${where}.`]
    : [`${count} others have more somewhere, ${best} most: ${where}.`];
}

/** A measure by its name, with its values within the windows. */
interface Course {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** Which measures a larger window helps most, and which is the least in the largest. */
export function growthOf(
  method: string,
  windows: readonly number[],
  rows: readonly Course[],
): string {
  const known = rows.flatMap(({ name, values }) => {
    const [from, to] = [values[0], values.at(-1)];
    return from == null || to == null ? [] : [{ name: name.toLowerCase(), from, to }];
  });
  if (known.length === 0) return 'There was nothing to measure.';
  const [least, most] = [windows[0]!, windows.at(-1)!];
  const lowest = known.reduce((one, other) => (other.to < one.to ? other : one));
  const good = 'Good is all of them at the top, in the smallest window, too.';
  const low = `Lowest within ${number(most)} tokens: ${lowest.name} with ${percent(lowest.to)}.`;
  if (least === most) return `${low} ${good}`;
  const gainer = known.reduce((one, other) =>
    other.to - other.from > one.to - one.from ? other : one,
  );
  const { name, from, to } = gainer;
  const grows =
    to - from < close
      ? `A window of ${number(most)} tokens keeps no more than one of ${number(least)}.`
      : `From ${number(least)} to ${number(most)} tokens ${method} gains most in ${name}: ${percent(from)} to ${percent(to)}.`;
  return `${grows} ${low} ${good}`;
}
