import { entryId, ordinal, type EntryId } from './id.ts';

/** Entries from one to another, both included. */
export interface Span {
  readonly from: EntryId;
  readonly to: EntryId;
}

/** Positions as stretches, neighbors joined: first and last of each, both included; ascending. */
export function toPositionSpans(
  positions: readonly number[],
): readonly (readonly [number, number])[] {
  const stretches: [number, number][] = [];
  for (const n of positions) {
    const last = stretches.at(-1);
    if (last !== undefined && n === last[1] + 1) last[1] = n;
    else stretches.push([n, n]);
  }
  return stretches;
}

/** Positions as spans, neighbors joined; ascending. */
export function toSpans(positions: readonly number[]): readonly Span[] {
  return toPositionSpans(positions).map(([from, to]) => ({ from: entryId(from), to: entryId(to) }));
}

/** The positions in spans, ascending. */
export function positionsIn(spans: readonly Span[]): readonly number[] {
  return spans.flatMap(({ from, to }) => {
    const [first, last] = [ordinal(from), ordinal(to)];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
