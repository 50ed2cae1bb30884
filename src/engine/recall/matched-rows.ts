import { isEngineError } from '../../core/values/error.ts';
import { entryId } from '../../core/values/id.ts';
import { entryKey } from '../../store/key.ts';
import type { EntryRow } from '../journal/load.ts';
import type { MatchedLog, MatchedRow } from './recall-filter.ts';
import { readMatched, type OnLostIn } from './recall-lost.ts';

/** The position of a match, and the log it is in. */
export interface Located {
  readonly n: number;
  readonly log: MatchedLog;
}

/** The entries, or frames, that matches of one store lead to; null for what was lost. */
export async function rowsOf(
  matches: readonly Located[],
  onLost: OnLostIn,
): Promise<readonly (MatchedRow | null)[]> {
  const entries = matches.filter(({ n, log }) => n <= log.upTo);
  const found = new Map<Located, EntryRow | null>();
  const rows = await entryRows(entries);
  for (const [index, match] of entries.entries()) {
    const row = rows[index] as EntryRow | undefined;
    found.set(match, row ?? (await readMatched(match.log, match.n, onLost)));
  }
  return Promise.all(
    matches.map(async (match) => {
      const row = found.get(match);
      if (row === undefined) return match.log.frames!.read(match.n);
      return row && { ...row, entry: entryId(match.n), role: row.message.role };
    }),
  );
}

/** The rows of entries, read at once; none of them where one is damaged: then each is read by itself. */
async function entryRows(entries: readonly Located[]): Promise<readonly unknown[]> {
  const keys = entries.map(({ n, log }) => entryKey(log.session, n));
  try {
    return (await entries[0]?.log.store.getMany('entry', keys)) ?? [];
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return [];
    throw error;
  }
}
