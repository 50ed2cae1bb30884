import type { EngineError } from '../../../core/values/error.ts';
import { ordinal } from '../../../core/values/id.ts';
import {
  callable,
  checkArgument,
  nonEmptyText,
  objectOf,
  signal,
} from '../../../core/values/validation.ts';
import { deletion } from '../../../store/erase-session.ts';
import { outboxKey } from '../../../store/key.ts';
import type { FileDamage } from '../../../store/store.ts';
import { openLevelStore } from '../../../store/level/level-store.ts';
import { clearFolder } from '../../../store/files/new-folder.ts';
import {
  salvageRows,
  type SalvagedRows,
  type SalvageOptions,
} from '../../../store/salvage/salvage-rows.ts';
import { salvageMachines, type SalvagedMachine } from '../../../store/salvage/salvage-machines.ts';
import type { RecordStore } from '../../../store/store.ts';
import { sessionHeads, sessionIds } from '../../journal/sessions/session-ids.ts';
import { verifySession, type SessionCheck } from '../../journal/verify-session.ts';
import { openOver } from '../open-store.ts';
import {
  cutSession,
  noteLosses,
  rebuildSession,
  windowOf,
  type Rebuilding,
} from './salvage-session.ts';

/** What was salvaged of a session, and what is lost of it. */
export interface SalvagedSession extends Pick<
  SessionCheck,
  'id' | 'entries' | 'journal' | 'texts' | 'known'
> {
  /**
   * The record of its journal after which its entries were appended again, 0 where it is begun anew; left
   * out where it goes on as it was.
   */
  readonly rebuiltAfter?: number;
}

/** What was salvaged of a store. */
export interface Salvage {
  /** The folder of the new store. */
  readonly location: string;
  readonly rows: number;
  readonly sessions: readonly SalvagedSession[];
  /** The durable machines; one that does not go on keeps its id, so that no number of a step and no key is given twice. */
  readonly machines: readonly SalvagedMachine[];
  /** Files in which something is damaged, or that are missing. */
  readonly files: readonly FileDamage[];
  /** Those of them that held rows, and of which kinds: of keys and the search index nobody can name what is lost. */
  readonly unread: SalvagedRows['unread'];
  /** Rows of which no version matches its checksum. */
  readonly damaged: SalvagedRows['damaged'];
  /** Whether all files that held rows could be read, nothing is lost, and each session goes on as it was. */
  readonly isWhole: boolean;
}

const salvageOptions = objectOf<SalvageOptions>({ signal, onProgress: callable });

/**
 * Writes all that can be read of the store at `location` into a new one in `folder`, and says what is lost.
 * The old one is only read, and need not be one that can be opened. Rejects with `STORE_NOT_FOUND`, and
 * `OPTION_INVALID` where the folder is not empty; then nothing is left in it.
 */
export async function salvageStore(
  location: string,
  folder: string,
  options: SalvageOptions = {},
): Promise<Salvage> {
  checkArgument('location', location, nonEmptyText('a folder'));
  checkArgument('folder', folder, nonEmptyText('a new folder'));
  checkArgument('options', options, salvageOptions);
  const { heads, ...salvaged } = await salvageRows(location, folder, options);
  let records: RecordStore | undefined;
  try {
    records = await openLevelStore(folder, { durability: 'power' });
    const machines = await salvageMachines(records, heads);
    const sessions = await salvageSessions(records, heads, options);
    const isWhole = isAllThere({ ...salvaged, sessions, machines });
    return { location: records.location, isWhole, ...salvaged, sessions, machines };
  } catch (error) {
    await records?.close();
    await clearFolder(folder);
    throw error;
  }
}

const isAllThere = ({
  damaged,
  unread,
  sessions,
  machines,
}: Pick<Salvage, 'damaged' | 'unread' | 'sessions' | 'machines'>): boolean =>
  damaged.length + unread.length === 0 &&
  machines.every(({ goesOn }) => goesOn) &&
  sessions.every(
    ({ entries, journal, texts, rebuiltAfter }) =>
      entries.lost.length + journal.lost.length + texts.lost.length === 0 &&
      rebuiltAfter === undefined,
  );

/** Makes each session of which something is left one that can be opened; closes the records. */
async function salvageSessions(
  records: RecordStore,
  heads: SalvagedRows['heads'],
  { signal, onProgress }: SalvageOptions,
): Promise<readonly SalvagedSession[]> {
  const refuse = (error: EngineError): never => {
    throw error;
  };
  const ids = [
    ...new Set([...(await sessionIds(records, refuse)), ...sessionHeads(heads).keys()]),
  ].sort();
  const sessions: SalvagedSession[] = [];
  const rebuildings = new Map<string, Rebuilding>();
  for (const [at, id] of ids.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ of: id, share: at / ids.length });
    // One that was being deleted stays so: the opening below goes on with that.
    if ((await records.get('outbox', outboxKey(id, deletion))) !== undefined) continue;
    const check = await verifySession(records, id, { head: heads.get(id) });
    const { entries, journal, texts, known } = check;
    const cut = await cutSession(records, id);
    if (cut !== null) rebuildings.set(id, cut);
    const rebuilt = cut === null ? {} : { rebuiltAfter: cut.after };
    sessions.push({ id, entries, journal, texts, ...(known && { known }), ...rebuilt });
  }
  const store = await openOver(records);
  for (const one of sessions) {
    const { id } = one;
    signal?.throwIfAborted();
    const { after, said } = rebuildings.get(id) ?? { after: null, said: [] };
    await using session = await store.open(
      id,
      after === 0 ? { window: await windowOf(records, id) } : {},
    );
    const live = await store.live(session.id);
    await rebuildSession(live, { said, newest: newestOf(one) });
    await noteLosses(live, records);
  }
  await store.close();
  return sessions;
}

/** The newest entry that there ever was, as far as anybody knows. */
function newestOf({ entries: { sound, lost }, known }: SalvagedSession): number {
  const gone = [...lost, ...(known?.entries ?? [])];
  const missing = gone.reduce((sum, { from, to }) => sum + ordinal(to) - ordinal(from) + 1, 0);
  return sound + missing;
}
