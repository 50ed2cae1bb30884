import type { Postings, SearchedSegment, Segment } from '../../core/search/rank.ts';
import type { Complete, FilterColumns } from '../../store/search/search-segment.ts';
import type { Tail } from '../../store/search/search-tail.ts';

/** What a tail holds of `terms`, its entries counted from position `first`. */
export function searchedTail(
  tail: Tail,
  terms: readonly string[],
  first: number = tail.first,
): SearchedSegment {
  const segment = { ...segmentOf(tail), first, last: first + tail.last - tail.first };
  return { segment, postings: terms.map((term) => toPostings(tail.postings.get(term))) };
}

/** The end of the log as it is now; it goes on growing. */
export function segmentOf({ first, last, starts, lengths, terms }: Complete): Segment {
  return {
    first,
    last,
    starts: Uint32Array.from(starts),
    lengths: Uint32Array.from(lengths),
    terms,
  };
}

/** Postings as they are now; those of the tail go on growing. */
function toPostings(held: readonly number[] | undefined): Postings | undefined {
  if (held === undefined) return undefined;
  const copy = Uint32Array.from(held);
  return { pieces: copy.length / 2, read: () => copy };
}

/** The columns of a segment from an offset on, for a reader that began before it was merged. */
export function detailFrom(detail: FilterColumns, offset: number): FilterColumns {
  const { turns, roles, tools, at } = detail;
  return {
    turns: turns + Array.from(roles.slice(0, offset)).filter((letter) => letter === 'p').length,
    roles: roles.slice(offset),
    tools: Object.fromEntries(
      Object.entries(tools).map(([tool, offsets]) => [
        tool,
        offsets.filter((one) => one >= offset).map((one) => one - offset),
      ]),
    ),
    at: at.slice(offset),
  };
}
