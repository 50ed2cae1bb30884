import type { SearchedSegment } from '../../core/search/rank.ts';
import { framesKey } from '../key.ts';
import type { Change } from '../store.ts';
import {
  packExtent,
  postingsIn,
  printTerms,
  searchVersion,
  unpackExtent,
  type Complete,
  type PackedExtent,
} from './search-segment.ts';

// What the frames of a session say, as a segment of one row. It holds for the state that it was made of, and is
// written where a session is let go of: who searches then reads no state, unless a frame is among the hits.

interface FramesRow extends PackedExtent {
  readonly version: number;
  /** When the session was made, in milliseconds since 1970. */
  readonly created: number;
  /** The newest record of the journal that the frames follow from. */
  readonly seq: number;
  /** The ordinal of the first frame; others follow it one by one. */
  readonly from: number;
  readonly terms: string;
}

/** The frames of a session, read or to be written. */
export interface FramesAt extends Pick<FramesRow, 'created' | 'seq'> {
  readonly session: string;
}

/** The change that writes what frames say, from the one with ordinal `from` on. */
export function framesChange(
  { session, created, seq }: FramesAt,
  from: number,
  made: Complete,
): Change {
  const value: FramesRow = {
    version: searchVersion,
    created,
    seq,
    from,
    ...packExtent(made),
    terms: printTerms(made.postings),
  };
  return { type: 'put', kind: 'search', key: framesKey(session), value };
}

/** Looks terms up in what frames say; `first` is the position that frame 0 has behind the log. */
export type FindFrames = (terms: readonly string[], first: number) => SearchedSegment;

/** What a row says of the frames; null where it was made of another state. */
export function readFrames({ created, seq }: FramesAt, value: unknown): FindFrames | null {
  const row = value as FramesRow | undefined;
  if (row?.version !== searchVersion || row.created !== created || row.seq !== seq) return null;
  const extent = unpackExtent(row);
  return (terms, behind) => {
    const first = behind + row.from;
    const segment = { first, last: first + extent.starts.length - 2, ...extent };
    return { segment, postings: terms.map((term) => postingsIn(row.terms, term)) };
  };
}
