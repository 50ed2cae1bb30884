import { nameOfCut } from './cut.ts';
import { totalOf, type History, type Loss } from '../history.ts';

/** What a loss is called. */
export function nameOf({ cuts, frames }: History, one: Loss): string {
  if ('compression' in one) return `Compression ${one.compression + 1}`;
  if ('cut' in one) return nameOfCut(cuts[one.cut]!.news);
  const { title, status } = frames.get(one.frame)!;
  return `Frame ${status}: ${title}`;
}

/** Which of them it is, and what it was about. */
export function aboutOf({ cuts, compressions }: History, one: Loss): string {
  if ('cut' in one) return `${one.cut + 1} of ${cuts.length}`;
  if ('frame' in one) return one.frame;
  const { from, to, by } = compressions[one.compression]!.news;
  return `of ${compressions.length} · ${from}-${to} · ${writerOf(by)}`;
}

/** Who wrote a summary, in words. */
const writerOf = (by: string): string => (by === 'embedded' ? 'by rules' : `by ${by}`);

/** Tokens of the prompt before and after. */
export function sizesOf(
  { compressions, steps }: History,
  one: Loss,
): { readonly before: number; readonly after: number } {
  if ('compression' in one) return compressions[one.compression]!.news;
  const [before, after] = [steps[one.at - 1], steps[one.at]!];
  return { before: totalOf(before ?? after), after: totalOf(after) };
}
