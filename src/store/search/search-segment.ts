import type { PositionSpan } from '../../core/values/span.ts';
import type { Postings, Segment } from '../../core/search/rank.ts';
import { packNumbers, unpackNumbers } from './packed-numbers.ts';
import { detailKey, postingKey, segmentKey, type SegmentAt } from '../key.ts';
import type { Change } from '../store.ts';
import { ListedTerms } from './term-rows.ts';

// The search index is a list of segments, each over a stretch of the log. A
// segment is written once, when its stretch is complete, in batches of which the
// last one has the row without which the others count for nothing; and is never
// changed, but for a short one at the end of a session that was let go of, which
// is written again with what followed, in one batch:
//
//   s/1025        what it covers: pieces of each entry, terms of each piece
//   d/1025        roles, tools and times of the entries, for filters
//   p0a3/1025     terms of bucket 0a3, each with the pieces that hold it
//   ta/1025       terms that begin with an a
//
// A segment that was merged of sixteen has eight times as many buckets, so that
// its rows stay short: to look a term up, one is read of each segment. Everything
// follows from the log: what is damaged, of another version or not there is made
// again.

/** Version of the segment format; segments of another version are rebuilt. */
export const searchVersion = 3;

/** Buckets that the terms of a segment are dealt to. */
export const bucketCount = 512;

/** Buckets of a merged segment for each of a small one; bucket 3 goes to those from 24 to 31. */
const mergedBuckets = 8;

/** Columns that filters read. */
export interface FilterColumns {
  /** Human entries of the log before the segment. */
  readonly turns: number;
  /** A letter for each entry: person, machine, assistant, tool. */
  readonly roles: string;
  /** Offsets of the entries that call a tool or answer it, by its name. */
  readonly tools: Readonly<Record<string, readonly number[]>>;
  /** When each was said, in milliseconds since 1970. */
  readonly at: readonly number[];
}

/** State that a segment carries over to the next. */
export interface Carry {
  readonly turns: number;
  /** The last calls that had an id, and their tools. */
  readonly calls: readonly (readonly [id: string, tool: string])[];
  /** Entries up to here that could not be read, and are found by no term; left out where there are none. */
  readonly lost?: readonly PositionSpan[];
}

/** A segment that is complete. */
export interface Complete extends Pick<Segment, 'first' | 'last' | 'terms'> {
  readonly starts: ArrayLike<number>;
  readonly lengths: ArrayLike<number>;
  readonly detail: FilterColumns;
  readonly carry: Carry;
  /** For each term the pieces that hold it, and how often: piece, times, piece, times … */
  readonly postings: ReadonlyMap<string, readonly number[]>;
}

/** A segment that was written. */
export interface WrittenSegment extends Segment {
  readonly isMerged: boolean;
  readonly carry: Carry;
}

/** Pieces of each entry, and terms of each piece, as one text each. */
export interface PackedExtent {
  readonly pieces: string;
  readonly lengths: string;
}

/** A segment's first row. */
interface SegmentRow extends PackedExtent {
  readonly version: number;
  /** When the session was made, in milliseconds since 1970: another session may have had its id. */
  readonly created: number;
  readonly last: number;
  readonly carry: Carry;
}

/** Terms that are dealt to their buckets before others get a turn. */
const termsAtOnce = 2_048;

/** Length of the rows of a batch from which it is written, in UTF-16 units. */
const largestBatch = 1 << 16;

/**
 * The changes that write a segment, batch by batch, its first row in the last one; an empty batch where
 * only work was done. What a crash leaves of them is written again, the same, from the same log.
 */
export function* segmentBatches(
  session: string,
  created: number,
  segment: Complete,
): Generator<readonly Change[]> {
  const { first, last, starts, lengths, terms, detail, carry } = segment;
  const at = { first, isMerged: false };
  const dealt: string[] = [];
  const listed = new ListedTerms();
  let done = 0;
  for (const [term, held] of segment.postings) {
    const bucket = bucketOf(term, at);
    dealt[bucket] = (dealt[bucket] ?? '|') + printPostings(term, held);
    listed.add(term);
    done += 1;
    if (done % termsAtOnce === 0) yield [];
  }
  const rows = dealt.flatMap((text, bucket) =>
    text === undefined ? [] : [putRow(postingKey(session, { ...at, bucket }), text)],
  );
  let batch: Change[] = [];
  let length = 0;
  for (const row of [...rows, ...listed.changes(session, at)]) {
    batch.push(row);
    length += (row.value as string).length;
    if (length < largestBatch) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  const head = { ...at, last, starts, lengths, terms, detail, carry, created };
  yield [...batch, ...headChanges(session, head)];
}

/** The changes that write a segment without its terms. */
export function headChanges(
  session: string,
  segment: Omit<Complete, 'postings'> & { readonly isMerged: boolean; readonly created: number },
): readonly Change[] {
  const { last, detail, carry, created } = segment;
  const row: SegmentRow = {
    version: searchVersion,
    created,
    last,
    ...packExtent(segment),
    carry,
  };
  return [putRow(segmentKey(session, segment), row), putRow(detailKey(session, segment), detail)];
}

const putRow = (key: string, value: unknown): Change & { readonly type: 'put' } => ({
  type: 'put',
  kind: 'search',
  key,
  value,
});

/** A term as a row of its bucket holds it. */
export const printPostings = (term: string, held: readonly number[]): string =>
  `${term}=${held.length / 2}:${packPostings(held)}|`;

/** Terms as one row that holds all of them, each spelled as told. */
export function printTerms(
  postings: Complete['postings'],
  spell: (term: string) => string = (term) => term,
): string {
  let row = '|';
  for (const [term, held] of postings) row += printPostings(spell(term), held);
  return row;
}

/** How far a segment reaches, packed. */
export const packExtent = ({
  starts,
  lengths,
}: Pick<Complete, 'starts' | 'lengths'>): PackedExtent => ({
  pieces: packNumbers(piecesOf(starts)),
  lengths: packNumbers(Array.from(lengths)),
});

/** What {@link packExtent} packed, and how many terms that are. */
export function unpackExtent(packed: PackedExtent): Pick<Segment, 'starts' | 'lengths' | 'terms'> {
  const lengths = unpackNumbers(packed.lengths);
  const starts = startsOf(unpackNumbers(packed.pieces));
  return { starts, lengths, terms: lengths.reduce((sum, length) => sum + length, 0) };
}

/** A segment, as its first row says; null where the row is of another version or session. */
export function readSegment(
  { first, isMerged }: SegmentAt,
  value: unknown,
  created: number,
): WrittenSegment | null {
  const row = value as SegmentRow;
  if (row.version !== searchVersion || row.created !== created) return null;
  return { first, isMerged, last: row.last, ...unpackExtent(row), carry: row.carry };
}

/** The pieces that hold `term` in a row of its bucket, or where there is no such row; undefined where none does. */
export function postingsIn(row: unknown, term: string): Postings | undefined {
  const text = (row ?? '') as string;
  const at = text.indexOf(`|${term}=`);
  return at < 0 ? undefined : postingsAt(text, at + term.length + 2);
}

/** The terms of a row that begin with one of some letters and digits. */
export function* termsAmong(row: string, begin: string): Generator<string> {
  for (const [, term] of row.matchAll(new RegExp(`\\|([${begin}][^|=]*)=`, 'g'))) yield term!;
}

/** The postings that begin behind the sign `=` of a term. */
export function postingsAt(text: string, start: number): Postings {
  const colon = text.indexOf(':', start);
  const packed = text.slice(colon + 1, text.indexOf('|', colon));
  const pieces = Number(text.slice(start, colon));
  return { pieces, read: () => readPostings(packed, pieces) };
}

/** The numbers by which a segment's pieces are found: the first of each entry, and behind the last their number. */
export function startsOf(pieces: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(pieces.length + 1);
  for (let index = 0; index < pieces.length; index += 1)
    starts[index + 1] = starts[index]! + pieces[index]!;
  return starts;
}

/** How many pieces each entry has. */
const piecesOf = (starts: ArrayLike<number>): readonly number[] =>
  Array.from({ length: starts.length - 1 }, (_, i) => starts[i + 1]! - starts[i]!);

/** The postings of a term that `pieces` hold, as {@link printPostings} packed them. */
export function readPostings(packed: string, pieces: number): Uint32Array {
  const numbers = unpackNumbers(packed, pieces * 2);
  for (let index = 2; index < numbers.length; index += 2)
    numbers[index] = numbers[index]! + numbers[index - 2]!;
  return numbers;
}

/** The bucket of a term, by FNV-1a over its units. */
export function bucketOf(term: string, { isMerged }: Pick<SegmentAt, 'isMerged'>): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < term.length; index += 1)
    sum = Math.imul(sum ^ term.charCodeAt(index), 0x01000193);
  const fine = ((sum >>> 0) ^ (sum >>> 16)) & (bucketCount * mergedBuckets - 1);
  return isMerged ? fine : Math.floor(fine / mergedBuckets);
}

function packPostings(held: readonly number[]): string {
  return packNumbers(
    held.map((value, index) => (index % 2 === 0 && index > 1 ? value - held[index - 2]! : value)),
  );
}
