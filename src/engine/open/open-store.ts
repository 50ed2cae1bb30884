import { setMaxListeners } from 'node:events';
import { EngineError, fail } from '../../core/values/error.ts';
import { toSessionId } from '../../core/values/id.ts';
import {
  callable,
  checkArgument,
  nonEmptyText,
  objectOf,
  signal,
  wait,
} from '../../core/values/validation.ts';
import type { SourceInput } from '../../import/source/source.ts';
import { copyStore, type CopyOptions, type StoreCopy } from '../../store/copy-store.ts';
import { checkTables } from '../../store/level/damaged-tables.ts';
import type { Compaction, CompactOptions, RecordStore, StoreHost } from '../../store/store.ts';
import type { SessionOptions } from '../commands/configure.ts';
import { checkImport, type ImportOptions, type ImportResult } from '../import/import-options.ts';
import type { SessionCheck } from '../journal/verify-session.ts';
import { verifyOptions, verifySessions, type VerifyOptions } from '../journal/verify.ts';
import { countBeforeEnd } from '../live/counting.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { Session } from '../session/session.ts';
import {
  replay,
  replayOptions,
  type ReplayOptions,
  type ReplayStep,
} from '../time-travel/replay.ts';
import { deleteSession, type SessionDeletion } from './delete-session.ts';
import { importFile } from './import-file.ts';
import { openSession } from './open-session.ts';
import { noteRecords, type StoreRecords } from './open-records.ts';
import { hostOf, place } from './place.ts';
import { toContext, type StoreContext } from './store-context.ts';
import { checkStoreOptions, type StoreOptions } from './store-options.ts';
import { closed, readsOf, type StoreReader } from './store-reader.ts';
import { resumeErasures, resumePending } from './resume-pending.ts';

/** A folder of sessions; one process at a time writes to it, any number read it (`readOnly`). */
export interface Store extends StoreReader {
  /** Opens a session, or creates it where there is none; the same id is the same session, however many handles are open. */
  open(id: string, options?: SessionOptions): Promise<Session>;
  /** Reads every record of each session and of each durable machine, or of one session, past those that are damaged, and says what is lost; rejects with `SESSION_NOT_FOUND`. */
  verify(options?: VerifyOptions): AsyncIterable<SessionCheck>;
  /**
   * Plays a session as it is stored: each step with the session as it was after it. Asks no model and writes nothing; with
   * `decide` each input is decided again and compared. Beginning anywhere costs the same. Rejects with `SESSION_NOT_FOUND`, and `MOMENT_NOT_FOUND`.
   */
  replay(id: string, options?: ReplayOptions): AsyncIterable<ReplayStep>;
  /** Copies the store, as it is now, into a new folder, while it is used; rejects with `OPTION_INVALID` where the folder is not empty. */
  backup(folder: string, options?: CopyOptions): Promise<StoreCopy>;
  /** Gives back what the store's files hold of what was changed or deleted; it can be used meanwhile. What has no files of its own gives back nothing. */
  compact(options?: CompactOptions): Promise<Compaction>;
  /** Takes a session file in; a second time it adds only what is new. `source` is a path, or text. */
  import(source: SourceInput, options?: ImportOptions): Promise<ImportResult>;
  /** Deletes a session: its rows and their bytes in every file of the store, and its documents; names what it cannot reach. Rejects with `SESSION_NOT_FOUND`, and with `BUSY` while it is open. */
  delete(id: string): Promise<SessionDeletion>;
  /** Finishes the steps under way, stops effects (their work stays on record), and closes; rejects with `BUSY` after `timeout` milliseconds, 30,000 unless told. */
  close(options?: { timeout?: number }): Promise<void>;
}

/**
 * Opens a store in a folder, in memory for `:memory:`, in PostgreSQL for `postgres://…`, or where a
 * host has it. Rejects with `STORE_IN_USE` where another process has the folder and it is not
 * `readOnly`, `STORE_DAMAGED` where opening
 * would lose data, `STORE_TOO_NEW`, `STORE_NOT_FOUND` without `create`,
 * `OPTION_INVALID`.
 */
export async function openStore(
  location: string | StoreHost,
  options: StoreOptions = {},
): Promise<Store> {
  checkArgument('location', location, place);
  checkStoreOptions(options);
  const { durability = 'power', create = true, readOnly = false, command } = options;
  const host = typeof location === 'string' ? hostOf(location) : location;
  const records = await host.open({ durability, create: create && !readOnly, readOnly, command });
  return openOver(readOnly ? forReading(records) : records, options);
}

/** Records that take no commands. */
function forReading(records: RecordStore): RecordStore {
  const { location } = records;
  const message = `Store "${location}" is open for reading only`;
  const refusal = fail('STORE_READ_ONLY', message, { location });
  return Object.assign(Object.create(records) as RecordStore, { refusal });
}

/** A store, and what the engine's own tests look into. */
interface InnerStore extends Store {
  /** Takes up work that is pending and does not run. */
  resume(): Promise<void>;
  live(id: string): Promise<LiveSession>;
}

/**
 * {@link openStore} over records that are open already; they are closed with the store.
 *
 * @internal
 */
export async function openOver(
  records: RecordStore,
  options: StoreOptions = {},
): Promise<InnerStore> {
  const context = toContext(records, options);
  const store = toStore(context);
  try {
    if (records.refusal === undefined) {
      await resumeErasures(context);
      await store.resume();
    } else await context.effects.stop();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

const backupOptions = objectOf<CopyOptions>({ signal, onProgress: callable });
const compactOptions = objectOf<CompactOptions>({ signal, onProgress: callable });
const closeOptions = objectOf<{ timeout?: number }>({ timeout: wait(0) });

function toStore(context: StoreContext): InnerStore {
  const { records, searches, sessions } = context;
  const { location } = records;
  const users: StoreRecords['users'] = new Set();
  const ended = new AbortController();
  // As many listen as there are streams and machines open.
  setMaxListeners(0, ended.signal);
  let closing: Promise<void> | null = null;

  const check = (): void => {
    if (closing !== null) throw closed(location);
  };
  const open = async (
    id: string,
    changes: SessionOptions,
    fresh: SessionOptions = {},
  ): Promise<Session> => {
    check();
    return openSession({ ...context, check, ended: ended.signal }, id, { changes, fresh });
  };

  const store: InnerStore = {
    location,
    open: (id, options = {}) => open(id, options),
    ...readsOf({ records, searched: () => ({ searches }) }, check),
    async *verify(options = {}) {
      check();
      checkArgument('options', options, verifyOptions);
      yield* verifySessions(records, options);
    },
    async *replay(id, options = {}) {
      check();
      checkArgument('options', options, replayOptions);
      yield* replay(records, toSessionId(id), options);
    },
    async backup(folder, options = {}) {
      check();
      checkArgument('folder', folder, nonEmptyText('a new folder'));
      checkArgument('options', options, backupOptions);
      return copyStore(records, folder, options);
    },
    async compact(options = {}) {
      check();
      checkArgument('options', options, compactOptions);
      if (records.refusal !== undefined) throw records.refusal;
      await checkTables(records);
      return (await records.compact?.(options)) ?? { before: 0, after: 0 };
    },
    async import(source, options = {}) {
      check();
      checkImport(source, options);
      if (records.refusal !== undefined) throw records.refusal;
      return importFile({ ...context, open }, source, options);
    },
    async delete(id) {
      check();
      return deleteSession(context, id);
    },
    async close(options = {}) {
      checkArgument('options', options, closeOptions);
      const { timeout = 30_000 } = options;
      if (closing !== null) return closing;
      closing = closeContext({ ...context, users }, timeout);
      ended.abort();
      return closing;
    },
    [Symbol.asyncDispose]: () => store.close(),
    resume: () => resumePending(context),
    live: (id) => sessions.get(id),
  };
  noteRecords(store, { records, users, check });
  return store;
}

/** Stops effects, finishes the steps under way, counts what is known by its bound, and closes the records; throws `BUSY` where that takes longer than `timeout`, in milliseconds, and closes them all the same. */
async function closeContext(
  context: StoreContext & Pick<StoreRecords, 'users'>,
  timeout: number,
): Promise<void> {
  const { records, clock, effects, searches, sessions, inspector, users } = context;
  const stopped = effects.stop();
  const machines = [...users].map((user) => user.close());
  const steps = (await sessions.all()).map((live) => countBeforeEnd(live).then(() => live.written));
  let timer: unknown;
  const late = new Promise<never>((_, reject) => {
    timer = clock.setTimeout(() => reject(stillBusy(timeout)), timeout);
  });
  try {
    await Promise.race([Promise.allSettled([...steps, ...machines, stopped]), late]);
  } finally {
    clock.clearTimeout(timer);
    await inspector?.settled();
    await searches.stop();
    await records.close();
  }
}

function stillBusy(timeout: number): EngineError {
  return new EngineError('BUSY', `Steps are still under way after ${timeout} ms`, {
    retryable: true,
    detail: { timeout },
  });
}
