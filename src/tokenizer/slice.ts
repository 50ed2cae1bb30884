import { lastCut, nextCut } from './cut.ts';

/** How long a slice is, in UTF-16 units; up to the next safe cut where it has none. */
export const sliceLength = 65_536;

/** `text` in slices that count together what it counts. */
export function* slicesOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > sliceLength) {
    const cut = lastCut(text, start, start + sliceLength);
    const end = cut > start ? cut : nextCut(text, start + sliceLength);
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}
