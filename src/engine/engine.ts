import { EngineError, fail } from '../core/error.ts';
import { toSessionId } from '../core/id.ts';
import type { Input as SourceInput } from '../import/source.ts';
import { parseOutboxKey } from '../store/key.ts';
import { openLevelStore, openMemoryStore } from '../store/level-store.ts';
import type { Store as Records } from '../store/store.ts';
import { loadedTokenizer, loadTokenizer } from '../tokenizer/tiktoken.ts';
import type { Encoding } from '../tokenizer/tokenizer.ts';
import { systemClock } from './clock.ts';
import { isCounting } from './count.ts';
import { checkOptions, openWith, type SessionOptions } from './configure.ts';
import { runEffects } from './effects.ts';
import { importSession, type ImportOptions, type ImportResult } from './import.ts';
import { listSessions, type SessionsOptions, type SessionSummary } from './listing.ts';
import { Live } from './live.ts';
import { newLives } from './lives.ts';
import { load } from './load.ts';
import { toSession } from './handle.ts';
import { recallInStore, type StoreHit, type StoreRecallOptions } from './recall-store.ts';
import { newSearches } from './searches.ts';
import type { Session } from './session.ts';
import { checkStoreOptions, documentsOf, type StoreOptions } from './store-options.ts';
import { newSummarizers } from './summarizers.ts';

/** A folder of sessions; one process at a time writes to it. */
export interface Store extends AsyncDisposable {
  readonly location: string;
  /** Opens a session, or makes it; the same id is the same live session. */
  open(id: string, options?: SessionOptions): Promise<Session>;
  sessions(options?: SessionsOptions): AsyncIterable<SessionSummary>;
  /** Entries of all sessions, or of one, that answer a query, the best first; rejects with `SESSION_NOT_FOUND`, and `OPTION_INVALID`. */
  recall(query: string, options?: StoreRecallOptions): Promise<StoreHit[]>;
  /** Takes a session file in; a second time it adds only what is new. `source` is a path, or text. */
  import(source: SourceInput, options?: ImportOptions): Promise<ImportResult>;
  /** Finishes the steps under way, stops effects (their work stays on record), and closes. */
  close(options?: { timeout?: number }): Promise<void>;
}

/**
 * Opens a store in a folder, or in memory for `:memory:`. Rejects with
 * `STORE_IN_USE` where another process has it, `STORE_DAMAGED` where opening
 * would lose data, `STORE_TOO_NEW`, `STORE_NOT_FOUND` without `create`,
 * `OPTION_INVALID`.
 */
export async function openStore(location: string, options: StoreOptions = {}): Promise<Store> {
  checkStoreOptions(options);
  const { durability = 'power', create = true } = options;
  const records =
    location === ':memory:'
      ? await openMemoryStore()
      : await openLevelStore(location, { durability, create });
  return openOver(records, options);
}

/** A store, and what the engine's own tests look into. */
interface InnerStore extends Store {
  /** Takes up work that is pending and does not run. */
  resume(): Promise<void>;
  live(id: string): Promise<Live>;
}

/**
 * {@link openStore} over records that are open already; they are closed with the store.
 *
 * @internal
 */
export async function openOver(records: Records, options: StoreOptions = {}): Promise<InnerStore> {
  const store = toStore(records, options);
  try {
    await store.resume();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function toStore(records: Records, options: StoreOptions): InnerStore {
  const { clock = systemClock, maxQueued = 10_000 } = options;
  const effectOptions = { concurrency: 4, timeout: 120_000, ...options.effects };
  const documents = documentsOf(options);
  const summarizers = newSummarizers(options.summarizers ?? []);
  const effects = runEffects({
    store: records,
    clock,
    options: effectOptions,
    summarizers: summarizers.known,
    documents,
  });
  const searches = newSearches(records);
  const ended = new AbortController();
  let closing: Promise<void> | null = null;

  const check = (): void => {
    if (closing !== null)
      throw fail('STORE_CLOSED', `The store at ${records.location} is closed`, {
        location: records.location,
      });
  };

  const lives = newLives(
    async (id) =>
      new Live(id, await load(records, id), {
        store: records,
        clock,
        tokenizer: (name) => loadedTokenizer(name as Encoding),
        load: (name) => loadTokenizer(name as Encoding),
        maxQueued,
        documents: documents !== null,
        onWritten(one) {
          effects.pump(one);
          searches.note(one);
          lives.sweep(one);
        },
      }),
    (one) => effects.isBusy(one) || isCounting(one),
  );

  /** Takes a summarizer object in, once a session has it; work that waited for it begins. */
  function adopt(given: SessionOptions): void {
    if (summarizers.adopt(given)) void resume().catch(() => undefined);
  }

  async function open(
    id: string,
    given: SessionOptions,
    fresh: SessionOptions = {},
  ): Promise<Session> {
    check();
    toSessionId(id);
    checkOptions(given);
    summarizers.vet(given);
    const opened = await lives.hold(id);
    const release = (): void => lives.release(opened);
    try {
      const { durable } = await opened.enqueue(() =>
        openWith(opened, opened.isNew ? { ...fresh, ...given } : given),
      );
      await durable;
    } catch (error) {
      release();
      throw error;
    }
    adopt(given);
    effects.pump(opened);
    return toSession(opened, {
      store: records,
      effects,
      searches,
      clock,
      vet: (options) => summarizers.vet(options),
      adopt,
      release,
      documents,
      check,
      ended: ended.signal,
      timeout: effectOptions.timeout,
    });
  }

  /** Takes up work that is pending and does not run; a session that cannot be read says so when it is opened. */
  async function resume(): Promise<void> {
    const owing = new Set<string>();
    for await (const [key] of records.range('outbox', {})) owing.add(parseOutboxKey(key).session);
    for (const id of owing) {
      const one = await lives.hold(id).catch(() => undefined);
      if (one === undefined) continue;
      if (!one.isNew) effects.pump(one);
      lives.release(one);
    }
  }

  async function shut(timeout: number): Promise<void> {
    const stopped = effects.stop();
    ended.abort();
    const steps = (await lives.all()).map((one) =>
      one.inTurn(() => undefined).then(() => one.written),
    );
    let timer: unknown;
    const late = new Promise<void>((_, reject) => {
      timer = clock.setTimeout(
        () =>
          reject(
            new EngineError('BUSY', `Steps are still under way after ${timeout} ms`, {
              retryable: true,
              detail: { timeout },
            }),
          ),
        timeout,
      );
    });
    try {
      await Promise.race([Promise.allSettled([...steps, stopped]), late]);
    } finally {
      clock.clearTimeout(timer);
      await searches.stop();
      await records.close();
    }
  }

  const store = {
    location: records.location,
    open: (id: string, given: SessionOptions = {}) => open(id, given),
    async *sessions(given: SessionsOptions = {}) {
      check();
      yield* listSessions(records, given);
    },
    async recall(query: string, given: StoreRecallOptions = {}) {
      check();
      return recallInStore({ records, searches }, query, given);
    },
    async import(source: SourceInput, given: ImportOptions = {}) {
      check();
      const taking: Live[] = [];
      const opening: typeof open = async (id, ...rest) => {
        const session = await open(id, ...rest);
        const one = await lives.get(id);
        one.imports += 1;
        taking.push(one);
        return session;
      };
      try {
        return await importSession({ open: opening, maxQueued }, source, given);
      } finally {
        for (const one of taking) one.imports -= 1;
      }
    },
    close: ({ timeout = 30_000 }: { timeout?: number } = {}) => (closing ??= shut(timeout)),
    [Symbol.asyncDispose]: () => store.close(),
    resume,
    live: (id: string) => lives.get(id),
  };
  return store;
}
