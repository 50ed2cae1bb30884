import { detailKey, postingKey, segmentKey, termsKey } from '../key.ts';
import {
  bucketCount,
  bucketOf,
  headChanges,
  printPostings,
  readPostings,
  type Complete,
  type FilterColumns,
  type WrittenSegment,
} from './search-segment.ts';
import type { Change, RecordStore } from '../store.ts';
import { ListedTerms, termHeads } from './term-rows.ts';

// Looking a term up costs a row for each segment. So many small segments become
// one large one. Its terms are written first, some buckets at a time, and count
// for nothing until its first row is there, in one batch with the end of the
// small ones; what is left of those is deleted last.

/** Small segments that become a large one. */
export const mergedSegments = 16;

/** Buckets that are merged before the event loop gets a turn. */
const stride = 16;

/** How segments are merged. */
export interface MergeInput {
  readonly session: string;
  /** When the session was made, in milliseconds since 1970. */
  readonly created: number;
  /** Yields to the event loop. */
  readonly pause: () => Promise<unknown>;
}

/** Makes one segment of several that follow one another. */
export async function mergeSegments(
  store: RecordStore,
  parts: readonly WrittenSegment[],
  { session, created, pause }: MergeInput,
): Promise<WrittenSegment> {
  const whole = { ...joinSegments(parts), isMerged: true };
  const buckets = Array.from({ length: bucketCount }, (_, bucket) => bucket);
  const listed = new ListedTerms();
  for (let at = 0; at < bucketCount; at += stride) {
    const changes: Change[] = [];
    for (const bucket of buckets.slice(at, at + stride)) {
      const keys = parts.map((part) => postingKey(session, { ...segmentAtOf(part), bucket }));
      const dealt = mergeRows(await store.getMany('search', keys), {
        shifts: shiftsOf(parts),
        listed,
      });
      for (const [fine, value] of dealt) {
        const key = postingKey(session, { ...segmentAtOf(whole), bucket: fine });
        changes.push({ type: 'put', kind: 'search', key, value });
      }
    }
    await store.commit(changes);
    await pause();
  }
  await store.commit(listed.changes(session, segmentAtOf(whole)));
  const rows = await store.getMany(
    'search',
    parts.map((part) => detailKey(session, part)),
  );
  const detail = joinDetails(parts, rows as FilterColumns[]);
  const heads = parts.flatMap((part) => [segmentKey(session, part), detailKey(session, part)]);
  await store.commit([
    ...headChanges(session, { ...whole, detail, created }),
    ...heads.map((key) => ({ type: 'del', kind: 'search', key }) as const),
  ]);
  for (const part of parts) {
    const at = segmentAtOf(part);
    const keys = [
      ...buckets.map((bucket) => postingKey(session, { ...at, bucket })),
      ...termHeads.map((head) => termsKey(session, { ...at, head })),
    ];
    await store.commit(keys.map((key) => ({ type: 'del', kind: 'search', key })));
    await pause();
  }
  return whole;
}

/** A segment that goes on to the end of a log: what is read back of the one before, and the tail behind it. */
export async function extendedSegment(
  store: RecordStore,
  session: string,
  { segment, tail }: { readonly segment: WrittenSegment; readonly tail: Complete },
): Promise<Complete> {
  const { first } = segment;
  const at = { first, isMerged: false };
  const keys = Array.from({ length: bucketCount }, (_, bucket) =>
    postingKey(session, { ...at, bucket }),
  );
  const postings = new Map<string, number[]>();
  for (const row of await store.getMany('search', keys)) addPostings(postings, row, 0);
  const shift = segment.lengths.length;
  for (const [term, held] of tail.postings) addHeld(postings, term, { held, shift });
  const detail = (await store.get('search', detailKey(session, at))) as FilterColumns;
  const parts = [segment, tail];
  return { ...joinSegments(parts), detail: joinDetails(parts, [detail, tail.detail]), postings };
}

const segmentAtOf = ({ first, isMerged }: WrittenSegment) => ({ first, isMerged });

/** What is joined to others. */
type Part = Pick<Complete, 'first' | 'last' | 'terms' | 'starts' | 'lengths' | 'carry'>;

/** Pieces before each part. */
function shiftsOf(parts: readonly Part[]): readonly number[] {
  let pieces = 0;
  return parts.map(({ lengths }) => (pieces += lengths.length) - lengths.length);
}

function joinSegments(parts: readonly Part[]): Omit<WrittenSegment, 'isMerged'> {
  const shifts = shiftsOf(parts);
  const starts = parts.flatMap((part, index) =>
    Array.from(part.starts, (start) => start + shifts[index]!).slice(index === 0 ? 0 : 1),
  );
  return {
    first: parts[0]!.first,
    last: parts.at(-1)!.last,
    starts: Uint32Array.from(starts),
    lengths: Uint32Array.from(parts.flatMap(({ lengths }) => Array.from(lengths))),
    terms: parts.reduce((sum, { terms }) => sum + terms, 0),
    carry: parts.at(-1)!.carry,
  };
}

/** The rows of a bucket of several segments as those of the merged one, each with its bucket; their terms are listed. */
function mergeRows(
  rows: readonly unknown[],
  { shifts, listed }: { readonly shifts: readonly number[]; readonly listed: ListedTerms },
): ReadonlyMap<number, string> {
  const all = new Map<string, number[]>();
  for (const [index, row] of rows.entries()) addPostings(all, row, shifts[index]!);
  const dealt = new Map<number, string>();
  for (const [term, held] of all) {
    listed.add(term);
    const bucket = bucketOf(term, { isMerged: true });
    dealt.set(bucket, (dealt.get(bucket) ?? '|') + printPostings(term, held));
  }
  return dealt;
}

/** Adds the terms of a row, whose pieces count from `shift` on. */
function addPostings(all: Map<string, number[]>, row: unknown, shift: number): void {
  for (const part of ((row ?? '') as string).split('|')) {
    if (part === '') continue;
    const term = part.slice(0, part.indexOf('='));
    const colon = part.indexOf(':', term.length);
    const pieces = Number(part.slice(term.length + 1, colon));
    addHeld(all, term, { held: readPostings(part.slice(colon + 1), pieces), shift });
  }
}

function addHeld(
  all: Map<string, number[]>,
  term: string,
  { held, shift }: { readonly held: ArrayLike<number>; readonly shift: number },
): void {
  const before = all.get(term) ?? [];
  if (before.length === 0) all.set(term, before);
  for (let at = 0; at < held.length; at += 2) before.push(held[at]! + shift, held[at + 1]!);
}

function joinDetails(parts: readonly Part[], details: readonly FilterColumns[]): FilterColumns {
  const tools = new Map<string, number[]>();
  for (const [index, detail] of details.entries()) {
    const shift = parts[index]!.first - parts[0]!.first;
    for (const [tool, offsets] of Object.entries(detail.tools)) {
      const before = tools.get(tool) ?? [];
      if (before.length === 0) tools.set(tool, before);
      for (const offset of offsets) before.push(offset + shift);
    }
  }
  return {
    turns: details[0]!.turns,
    roles: details.map(({ roles }) => roles).join(''),
    tools: Object.fromEntries(tools),
    at: details.flatMap(({ at }) => at),
  };
}
