import type { PositionSpan } from '../../core/values/span.ts';
import type { EntryFilter, SearchedSegment } from '../../core/search/rank.ts';
import type { FilterColumns } from '../../store/search-segment.ts';
import type { RecordStore } from '../../store/store.ts';
import type { SearchIndex } from './search-index.ts';

/** A stretch of turns or of time; both ends inside, each open where it is left out. */
export type Between =
  | { readonly from?: number; readonly to?: number }
  | readonly [from: number, to: number];

/** Who said it. */
export type Role = 'user' | 'assistant' | 'tool' | 'person' | 'machine';

/** Which entries count. */
export interface RecallFilter {
  /** Those of one frame, by its id. */
  readonly frame?: string;
  /** Those of one role, or of several; `person` and `machine` are the two that speak as `user`. */
  readonly role?: Role | readonly Role[];
  /** Calls of one tool, and their results. */
  readonly tool?: string;
  /** Those of some turns; the first human entry begins turn 1. */
  readonly turns?: Between;
  /** Those of a time, in milliseconds since 1970. */
  readonly time?: Between;
}

/** Which entries a filter lets through; of segments without a term of the query nothing is read. */
export async function meant(
  searched: readonly SearchedSegment[],
  { log, filter }: { readonly log: Log; readonly filter: RecallFilter },
): Promise<EntryFilter> {
  const isWithin = within(log.within);
  const { role, tool, turns, time } = filter;
  if ([role, tool, turns, time].every((one) => one === undefined)) return isWithin;
  const judged = searched.filter(({ postings }) => postings.some((held) => held !== undefined));
  const judges = await Promise.all(
    judged.map(async ({ segment: { first, last } }) => {
      const isMeant = judgeOf(await log.index.detail({ first, last }), filter);
      return { last, isMeant: (n: number) => isMeant(n - first) };
    }),
  );
  let at = 0;
  return (n) => {
    while (judges[at]!.last < n) at += 1;
    return isWithin(n) && judges[at]!.isMeant(n);
  };
}

/** Whether a position lies in one of the stretches; asked in rising order. */
function within(stretches: Log['within']): EntryFilter {
  if (stretches === undefined) return () => true;
  let at = 0;
  return (n) => {
    while (at < stretches.length && stretches[at]![1] < n) at += 1;
    return at < stretches.length && stretches[at]![0] <= n;
  };
}

const letters = { user: 'pm', person: 'p', machine: 'm', assistant: 'a', tool: 't' } as const;

/** What {@link RecallFilter} takes for `role`. */
export const roles: readonly string[] = Object.keys(letters);

/** Whether the entry at an offset of a segment is meant. */
function judgeOf(detail: FilterColumns, filter: RecallFilter): (offset: number) => boolean {
  const { role, tool, turns, time } = filter;
  const spoken =
    role === undefined
      ? undefined
      : [role]
          .flat()
          .map((one) => letters[one])
          .join('');
  const used = tool === undefined ? undefined : new Set(toolIn(detail, tool));
  const turn = turns === undefined ? undefined : turnsOf(detail);
  return (offset) =>
    (spoken?.includes(detail.roles[offset] ?? ' ') ?? true) &&
    (used?.has(offset) ?? true) &&
    (turn === undefined || isBetween(turn[offset] ?? 0, turns!)) &&
    (time === undefined || isBetween(detail.at[offset] ?? 0, time));
}

const toolIn = ({ tools }: FilterColumns, tool: string): readonly number[] =>
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

/** Where to look. */
export interface Log {
  readonly store: RecordStore;
  readonly session: string;
  readonly index: SearchIndex;
  /** The last entry, which must be durable. */
  readonly upTo: number;
  /** Where in the log to look, oldest first; everywhere unless told. */
  readonly within?: readonly PositionSpan[];
}
