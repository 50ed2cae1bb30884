import type { Cut, History } from './history.ts';

// What a cut means at a moment: from where the prompt was cut until it is mended, the model goes on
// without what it lost.

/** The last cut by a step that nothing has mended: neither was it recovered since, nor another prompt counted. */
export function cutNow({ cuts, counts }: History, at: number): Cut | null {
  const cut = cuts.findLast((one) => one.at <= at);
  if (cut === undefined || cut.news === null) return null;
  const isOver = cut.stages.some(({ at: then, news }) => then <= at && news.stage === 'recovered');
  const isPast = counts.some((one) => one.at > cut.at && one.at <= at);
  return isOver || isPast ? null : cut;
}

/** Whether an entry is in one of some ranges, such as `e1-e8`. */
export const isWithin = (ranges: readonly string[], entry: string): boolean => {
  const n = Number(entry.slice(1));
  return ranges.some((range) => {
    const [first = 0, last = first] = range.split('-').map((id) => Number(id.slice(1)));
    return n >= first && n <= last;
  });
};

/** What was answered to the prompt that was cut. */
export const answersTo = ({ steps }: History, { at }: Cut): readonly string[] =>
  steps[at]!.news.flatMap((one) =>
    one.type === 'entry' && one.role === 'assistant' ? [one.entry] : [],
  );

/** The limit before and after a step, where it fell. */
export function fallOfLimit(
  { steps }: History,
  at: number,
): { readonly from: number; readonly to: number } | null {
  const [from, to] = [steps[at - 1]?.limit ?? 0, steps[at]!.limit];
  return to < from ? { from, to } : null;
}
