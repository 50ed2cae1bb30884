import { entryKey } from '../../store/key.ts';
import { segmentSize } from '../../store/search/search-tail.ts';
import type { RecordStore } from '../../store/store.ts';
import type { EntryRow } from '../journal/load.ts';
import type { SessionHeader } from '../journal/sessions/session-header.ts';
import type { SearchIndexes } from './search-indexes.ts';

// Most of thousands of sessions are so short that nothing of their index is written. To walk over the rows of each, of
// the index and of the log, takes longer than all else in a search: so the logs of many are read at once.

/** A session of fewer entries and tokens is short: next to none of them is packed, and any is soon read. */
const short = { entries: segmentSize.entries / 32, tokens: 2_048 } as const;

/** A session that is searched. */
export interface ListedLog {
  readonly session: string;
  readonly header: SessionHeader;
}

/** The position of the last entry of a session, and its last record, where it rests and both were noted; undefined elsewhere. */
export function notedHead(
  records: RecordStore,
  { session, header }: ListedLog,
): readonly [seq: number, entry: number] | undefined {
  const head = records.isShared === true ? undefined : records.heads?.()?.get(session);
  return head !== undefined && head[0] === header.rest?.seq ? head : undefined;
}

/** Reads the short ones of these logs into their indexes, where nobody writes; a damaged row leaves all of them to be read one by one. */
export async function readShortLogs(
  { records, searches }: { readonly records: RecordStore; readonly searches: SearchIndexes },
  logs: readonly ListedLog[],
): Promise<void> {
  if (records.refusal === undefined) return;
  const begun = new Set<string>();
  const unread = logs.flatMap((log) => {
    if (begun.has(log.session)) return [];
    begun.add(log.session);
    const upTo = notedHead(records, log)?.[1] ?? Number.POSITIVE_INFINITY;
    if (upTo >= short.entries || log.header.rest!.tokens >= short.tokens) return [];
    const index = searches.of(log.session, log.header.created);
    return index.isUnread ? [{ session: log.session, upTo, index }] : [];
  });
  const keys = unread.flatMap(({ session, upTo }) =>
    Array.from({ length: upTo }, (_, at) => entryKey(session, at + 1)),
  );
  const rows = await records.getMany('entry', keys).catch(() => null);
  let from = 0;
  for (const { upTo, index } of rows === null ? [] : unread)
    index.begin(rows!.slice(from, (from += upTo)) as (EntryRow | undefined)[]);
}
