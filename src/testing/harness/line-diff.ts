import { commonSubsequence } from '../../core/host-history/common-subsequence.ts';

/** Lines around a change that stay. */
const around = 2;

/**
 * What differs between two texts, line by line: `- ` before a line that was expected, `+ ` before one that is there;
 * of what is equal only what stands next to it. Empty for equal texts.
 */
export function lineDiff(expected: string, there: string): readonly string[] {
  if (expected === there) return [];
  const [before, after] = [expected, there].map((text) => text.split('\n'));
  const pairs = [...commonSubsequence(before!, after!), [before!.length, after!.length] as const];
  const rows: { readonly mark: string; readonly line: string }[] = [];
  let [one, other] = [0, 0];
  for (const [next, also] of pairs) {
    for (; one < next; one += 1) rows.push({ mark: '-', line: before![one]! });
    for (; other < also; other += 1) rows.push({ mark: '+', line: after![other]! });
    if (next < before!.length) rows.push({ mark: ' ', line: before![next]! });
    [one, other] = [next + 1, also + 1];
  }
  const isNear = (at: number): boolean =>
    rows.slice(Math.max(0, at - around), at + around + 1).some(({ mark }) => mark !== ' ');
  const lines: string[] = [];
  for (const [at, { mark, line }] of rows.entries())
    if (isNear(at)) lines.push(`${mark} ${line}`.trimEnd());
    else if (lines.at(-1) !== '  …') lines.push('  …');
  return lines;
}
