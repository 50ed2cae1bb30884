import { entryId, ordinal, type EntryId } from './id.ts';

/** Entries from one to another, both included. */
export interface Span {
  readonly from: EntryId;
  readonly to: EntryId;
}

/** A span in positions, as a state keeps it; both ends included. */
export type PositionSpan = readonly [first: number, last: number];

/** The positions of a span's ends. */
export const endsOf = ({ from, to }: Span): PositionSpan => [ordinal(from), ordinal(to)];

/** Ascending positions as spans, neighbors joined. */
export function toPositionSpans(positions: readonly number[]): readonly PositionSpan[] {
  const spans: [number, number][] = [];
  for (const n of positions) {
    const last = spans.at(-1);
    if (last !== undefined && n === last[1] + 1) last[1] = n;
    else spans.push([n, n]);
  }
  return spans;
}

/** Spans in any order as ascending ones, those that overlap or follow one another joined. */
export function joinedSpans(spans: readonly PositionSpan[]): readonly PositionSpan[] {
  const joined: [number, number][] = [];
  for (const [first, last] of [...spans].sort(([one], [other]) => one - other)) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** The spans of what lies both in one list and in another. */
export function sharedSpans(
  one: readonly PositionSpan[],
  other: readonly PositionSpan[],
): readonly PositionSpan[] {
  const shared = one.flatMap(([first, last]) =>
    other.map(([from, to]): PositionSpan => [Math.max(first, from), Math.min(last, to)]),
  );
  return shared.filter(([first, last]) => first <= last);
}

/** Ascending positions as spans of entries, neighbors joined. */
export function toSpans(positions: readonly number[]): readonly Span[] {
  return toPositionSpans(positions).map(([first, last]) => ({
    from: entryId(first),
    to: entryId(last),
  }));
}

/** The positions in spans, in their order. */
export function positionsIn(spans: readonly Span[]): readonly number[] {
  return spans.map(endsOf).flatMap(positionsBetween);
}

/** The positions from the first to the last, ascending. */
export function positionsBetween([first, last]: PositionSpan): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Whether position `n` lies in a span. */
export const isWithin = ([first, last]: PositionSpan, n: number): boolean =>
  first <= n && n <= last;

/** A span in print: `e4–e9`, or `e4` for one entry. */
export const rangeLabel = ({ from, to }: Span): string => (from === to ? from : `${from}–${to}`);
