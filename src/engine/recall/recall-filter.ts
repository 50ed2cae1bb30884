import type { Message } from '../../core/messages/message.ts';
import type { EntryFilter, SearchedSegment } from '../../core/search/rank.ts';
import type { PositionSpan } from '../../core/values/span.ts';
import type { FilterColumns } from '../../store/search/search-segment.ts';
import type { RecordStore } from '../../store/store.ts';
import type { SearchIndex } from './search-index.ts';

/** A range of turns or of time; both ends inside, each open where it is left out. */
export type Between =
  | { readonly from?: number; readonly to?: number }
  | readonly [from: number, to: number];

/** Who said it. */
export type Role = 'user' | 'assistant' | 'tool' | 'person' | 'machine';

/** Which entries count. */
export interface RecallFilter {
  /** Those of one frame, by its id. */
  readonly frame?: string;
  /** Those behind ids and ranges, such as `e40-e52` or `c3`. */
  readonly within?: string;
  /** Those of one role, or of several; `person` and `machine` are the two that speak as `user`. */
  readonly role?: Role | readonly Role[];
  /** Calls of one tool, and their results. */
  readonly tool?: string;
  /** Those of some turns; the first human entry begins turn 1. */
  readonly turns?: Between;
  /** Those of a time, in milliseconds since 1970. */
  readonly time?: Between;
}

/** Whether a filter asks for what only entries have. */
export const asksOfEntries = ({ role, tool, turns, time }: RecallFilter): boolean =>
  [role, tool, turns, time].some((one) => one !== undefined);

/** The frames of a session as more entries to search. */
export interface FrameRecords {
  /** What they hold of `terms`. */
  find(terms: readonly string[]): Promise<readonly SearchedSegment[]>;
  /** Whether the frame at a position may be found. */
  isMeant(n: number): boolean;
  /** The frame at a position; null where the journal that tells of it cannot be read. */
  read(n: number): Promise<MatchedRow | null>;
}

/** What a match leads to: an entry, or a frame. */
export interface MatchedRow {
  /** Its id. */
  readonly entry: string;
  readonly role: Message['role'] | 'frame';
  readonly frame: string;
  readonly at: number;
  readonly message: Message;
}

/** What of a session's log leads from a match to an entry. */
export interface MatchedLog {
  readonly store: RecordStore;
  readonly session: string;
  readonly index: Pick<SearchIndex, 'detail' | 'humanBefore'>;
  /** The last entry, which must be durable. */
  readonly upTo: number;
  /** Where to look, oldest first; everywhere unless told. */
  readonly within?: readonly PositionSpan[];
  /** Frames to look through beside the entries; none unless told. */
  readonly frames?: FrameRecords;
}

/** A session's log, as it is searched. */
export interface Log extends MatchedLog {
  readonly index: SearchIndex;
}

/** The filter as a test of positions, asked in rising order; of segments without a term of the query nothing is read. */
export async function entryFilter(
  searched: readonly SearchedSegment[],
  { log, filter }: { readonly log: MatchedLog; readonly filter: RecallFilter },
): Promise<EntryFilter> {
  const isWithin = withinSpans(log.within);
  if (!asksOfEntries(filter)) return isWithin;
  const matching = searched.filter(({ postings }) => postings.some((held) => held !== undefined));
  const segments = await Promise.all(
    matching.map(async ({ segment: { first, last } }) => {
      const isMeant = offsetFilter(await log.index.detail({ first, last }), filter);
      return { last, isMeant: (n: number) => isMeant(n - first) };
    }),
  );
  let at = 0;
  return (n) => {
    while (segments[at]!.last < n) at += 1;
    return isWithin(n) && segments[at]!.isMeant(n);
  };
}

/** Spans as a test of positions, asked in rising order. */
export function withinSpans(spans: readonly PositionSpan[] | undefined): EntryFilter {
  if (spans === undefined) return () => true;
  let at = 0;
  return (n) => {
    while (at < spans.length && spans[at]![1] < n) at += 1;
    return at < spans.length && spans[at]![0] <= n;
  };
}

const letters = { user: 'pm', person: 'p', machine: 'm', assistant: 'a', tool: 't' } as const;

/** What {@link RecallFilter} takes for `role`. */
export const roles: readonly string[] = Object.keys(letters);

/** The filter as a test of offsets into a segment. */
function offsetFilter(detail: FilterColumns, filter: RecallFilter): (offset: number) => boolean {
  const { role, tool, turns, time } = filter;
  const roleLetters = role === undefined ? undefined : [role].flat().map((one) => letters[one]);
  const spoken = roleLetters?.join('');
  const used = tool === undefined ? undefined : new Set(offsetsOf(detail, tool));
  const turn = turns === undefined ? undefined : turnsOf(detail);
  return (offset) =>
    (spoken?.includes(detail.roles[offset] ?? ' ') ?? true) &&
    (used?.has(offset) ?? true) &&
    (turn === undefined || isBetween(turn[offset] ?? 0, turns!)) &&
    (time === undefined || isBetween(detail.at[offset] ?? 0, time));
}

const offsetsOf = ({ tools }: FilterColumns, tool: string): readonly number[] =>
  Object.hasOwn(tools, tool) ? tools[tool]! : [];

/** The turn of each entry. */
function turnsOf({ turns, roles }: FilterColumns): readonly number[] {
  let turn = turns;
  return Array.from(roles, (letter) => (letter === 'p' ? (turn += 1) : turn));
}

function isBetween(value: number, between: Between): boolean {
  const [from, to] = 'length' in between ? between : [between.from, between.to];
  return value >= (from ?? Number.NEGATIVE_INFINITY) && value <= (to ?? Number.POSITIVE_INFINITY);
}
