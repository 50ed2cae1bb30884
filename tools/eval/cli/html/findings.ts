import { number, many, percent } from '../../../../src/cli/paper/size.ts';
import type { Total } from '../../index.ts';
import { faultsOf, methodsIn } from '../measure.ts';
import { broken } from '../row.ts';
import type { Bars } from './bars.ts';

/** How full the contexts of one method are. */
export function courseSentence(
  own: readonly Total[],
  { sessions, hasFrames }: { readonly sessions: number; readonly hasFrames: boolean },
): string {
  const [first] = own;
  const mean = own.map(({ budget, rates }) => percent((rates.mean ?? 0) / budget));
  const greatest = Math.max(...own.map(({ budget, tally }) => tally.greatest / budget));
  const compressed = own.map(({ tally }) => number(tally.spending.compressions));
  const isCompressed = own.some(({ tally }) => tally.spending.compressions > 0);
  return [
    `On average a context of ${first!.method} fills ${listed(mean)} of the window${own.length === 1 ? '' : ', from the smallest to the largest'}; the fullest reaches ${percent(greatest)}.`,
    ...(isCompressed
      ? [
          `Where the line falls, history was compressed (${listed(compressed)} times)${hasFrames ? ' or a frame ended' : ''}.`,
        ]
      : []),
    ...(sessions > 1 ? ['Dotted, a new session begins.'] : []),
    'Good is a line that never crosses the dashed limit, and leaves little room free while something is lost.',
  ].join(' ');
}

/** What fills the windows, and what of it is used least. */
export function partsSentence(found: readonly Pick<Bars, 'window' | 'rows'>[]): string {
  const known = found.filter(({ rows }) => rows.length > 0);
  if (known.length === 0) return 'There was nothing to measure.';
  const largest = known.map(({ window, rows: all }) => ({
    window,
    ...all.reduce((one, other) => (other.share > one.share ? other : one)),
  }));
  const [from, to] = [largest[0]!, largest.at(-1)!];
  const most = `Within ${number(from.window)} tokens most room goes to ${from.name}: ${percent(from.share)} of a context, of which ${percent(from.used)} is said or named again later`;
  const more =
    from === to
      ? ''
      : `; within ${number(to.window)}, to ${to.name}: ${percent(to.share)}, of which ${percent(to.used)}`;
  const { window, rows } = known[0]!;
  const least = rows.reduce((one, other) => (other.used < one.used ? other : one));
  return [
    `${most}${more}.`,
    ...(rows.length > 1
      ? [
          `Least used again within ${number(window)}: ${least.name}, ${percent(least.used)} of its ${percent(least.share)}.`,
        ]
      : []),
    'The filled part is what later messages use. Good is much of it where a section takes much room.',
  ].join(' ');
}

/** Which methods break rules, and which rules. */
export function rulesSentence(totals: readonly Total[]): string {
  const [first, ...others] = methodsIn(totals);
  const of = (method: string): readonly Total[] => totals.filter((one) => one.method === method);
  const sum = (method: string, count: (total: Total) => number): number =>
    of(method).reduce((all, total) => all + count(total), 0);
  const contexts = many(
    sum(first!, ({ tally }) => tally.contexts),
    'context',
  );
  const rules = (method: string): string =>
    broken.rows
      .map(({ label, value }) => ({ label, count: sum(method, (total) => value(total) ?? 0) }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count)
      .map(({ label, count }) => `${label} ${number(count)}`)
      .join(', ');
  const wrong = rules(first!);
  const own =
    wrong === ''
      ? `Not one of ${contexts} of ${first!} breaks a rule.`
      : `Of ${contexts} of ${first!} some break rules: ${wrong}.`;
  const worst = others
    .map((method) => ({ method, count: sum(method, faultsOf) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)[0];
  const beside =
    others.length === 0
      ? []
      : worst === undefined
        ? ['Nor does one of another method.']
        : [`${worst.method} breaks most: ${rules(worst.method)}.`];
  return [
    own,
    ...beside,
    'Good is 0: a server may refuse such a context, or the model is told what was not said.',
  ].join(' ');
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
