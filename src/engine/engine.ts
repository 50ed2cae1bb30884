import { EngineError, fail } from '../core/error.ts';
import { toSessionId } from '../core/id.ts';
import { embedded } from '../core/options.ts';
import type { Input as SourceInput } from '../import/source.ts';
import type { Summarizer } from '../llm/summarizer.ts';
import { parseOutboxKey } from '../store/key.ts';
import { openLevelStore, openMemoryStore } from '../store/level-store.ts';
import type { Store as Records } from '../store/store.ts';
import { loadedTokenizer, loadTokenizer } from '../tokenizer/tiktoken.ts';
import type { Encoding } from '../tokenizer/tokenizer.ts';
import { systemClock, type Clock } from './clock.ts';
import { isCounting } from './count.ts';
import { checkOptions, openWith, type SessionOptions } from './configure.ts';
import { runEffects, type EffectOptions } from './effects.ts';
import { importSession, type ImportOptions, type ImportResult } from './import.ts';
import { listSessions, type SessionsOptions, type SessionSummary } from './listing.ts';
import { Live } from './live.ts';
import { load } from './load.ts';
import { toSession } from './handle.ts';
import { recallInStore, type StoreHit, type StoreRecallOptions } from './recall-store.ts';
import { newSearches } from './searches.ts';
import type { Session } from './session.ts';

/** How a store is opened. */
export interface StoreOptions {
  /** What a resolved promise promises: `power` survives a power cut, `process` a killed process; `power` unless told. */
  readonly durability?: 'power' | 'process';
  /** Time, for tests; this machine's unless told. */
  readonly clock?: Clock;
  /** Summarizers that sessions may name. */
  readonly summarizers?: readonly Summarizer[];
  /** How many effects run at once, and for how long, in milliseconds; 4 and 120,000 unless told. */
  readonly effects?: Partial<EffectOptions>;
  /** Calls that may wait in one session before `BUSY`; 10,000 unless told. */
  readonly maxQueued?: number;
  /** A folder for checkpoint documents, a file for each day; none are written unless told. */
  readonly documents?: string | false;
  /** Whether a folder without a store becomes one; true unless told. */
  readonly create?: boolean;
}

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
 * would lose data, `STORE_TOO_NEW`, `STORE_NOT_FOUND` without `create`.
 */
export async function openStore(location: string, options: StoreOptions = {}): Promise<Store> {
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

/** Refuses what is no summarizer; throws `OPTION_INVALID`. */
function checkSummarizer(summarizer: Summarizer): void {
  const { name }: { name: unknown } = summarizer;
  const isNamed = typeof name === 'string' && !['', embedded].includes(name);
  if (isNamed && typeof summarizer.summarize === 'function') return;
  throw fail(
    'OPTION_INVALID',
    `A summarizer is { name, summarize }, its name neither '' nor '${embedded}'`,
    { option: 'summarizer', value: name },
  );
}

/** The folder for documents, if any; throws `OPTION_INVALID`. */
function folderOf(documents: unknown = false): string | null {
  if (documents === false) return null;
  if (typeof documents === 'string' && documents !== '') return documents;
  throw fail('OPTION_INVALID', 'Option "documents" takes a folder, or false', {
    option: 'documents',
    value: documents,
  });
}

function toStore(records: Records, options: StoreOptions): InnerStore {
  const { clock = systemClock, maxQueued = 10_000 } = options;
  const effectOptions = { concurrency: 4, timeout: 120_000, ...options.effects };
  const documents = folderOf(options.documents);
  const summarizers = new Map((options.summarizers ?? []).map((one) => [one.name, one]));
  const lives = new Map<string, Promise<Live>>();
  const effects = runEffects({
    store: records,
    clock,
    options: effectOptions,
    summarizers,
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

  function live(id: string): Promise<Live> {
    const known = lives.get(id);
    if (known !== undefined) return known;
    const opening = load(records, id).then(
      (loaded) =>
        new Live(id, loaded, {
          store: records,
          clock,
          tokenizer: (name) => loadedTokenizer(name as Encoding),
          load: (name) => loadTokenizer(name as Encoding),
          maxQueued,
          documents: documents !== null,
          onWritten(one) {
            effects.pump(one);
            searches.note(one);
            sweep(one);
          },
        }),
    );
    lives.set(id, opening);
    opening.catch(() => lives.delete(id));
    return opening;
  }

  /** The live session, held by one more handle. */
  async function hold(id: string): Promise<Live> {
    for (;;) {
      const opening = live(id);
      const opened = await opening;
      if (lives.get(id) !== opening) continue;
      opened.handles += 1;
      return opened;
    }
  }

  /** Lets go of a session that nobody holds and that owes nothing. */
  function sweep(one: Live): void {
    if (one.handles > 0 || !one.isIdle || effects.isBusy(one) || isCounting(one)) return;
    one.retire();
    lives.delete(one.id);
  }

  /** Refuses a summarizer that is none, or that nobody gave; throws `OPTION_INVALID` or `SUMMARIZER_MISSING`. */
  function vet({ summarizer }: SessionOptions): void {
    if (summarizer === undefined) return;
    if (typeof summarizer === 'string') {
      if (summarizer === embedded || summarizers.has(summarizer)) return;
      throw fail('SUMMARIZER_MISSING', `No summarizer "${summarizer}" was given to this store`, {
        summarizer,
        known: [embedded, ...summarizers.keys()],
      });
    }
    checkSummarizer(summarizer);
  }

  /** Takes a summarizer object in, once a session has it; work that waited for it begins. */
  function adopt({ summarizer }: SessionOptions): void {
    if (summarizer === undefined || typeof summarizer === 'string') return;
    const isNew = !summarizers.has(summarizer.name);
    summarizers.set(summarizer.name, summarizer);
    if (isNew) void resume().catch(() => undefined);
  }

  async function open(
    id: string,
    given: SessionOptions,
    fresh: SessionOptions = {},
  ): Promise<Session> {
    check();
    toSessionId(id);
    checkOptions(given);
    vet(given);
    const opened = await hold(id);
    const release = (): void => {
      opened.handles -= 1;
      sweep(opened);
    };
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
      vet,
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
      const one = await hold(id).catch(() => undefined);
      if (one === undefined) continue;
      one.handles -= 1;
      if (!one.isNew) effects.pump(one);
      sweep(one);
    }
  }

  async function shut(timeout: number): Promise<void> {
    const stopped = effects.stop();
    ended.abort();
    const open = await Promise.allSettled(lives.values());
    const steps = open.map((one) =>
      one.status === 'fulfilled'
        ? one.value.inTurn(() => undefined).then(() => one.value.written)
        : Promise.resolve(),
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
        const one = await live(id);
        one.imports += 1;
        taking.push(one);
        return session;
      };
      try {
        return await importSession(opening, source, given);
      } finally {
        for (const one of taking) one.imports -= 1;
      }
    },
    close: ({ timeout = 30_000 }: { timeout?: number } = {}) => (closing ??= shut(timeout)),
    [Symbol.asyncDispose]: () => store.close(),
    resume,
    live,
  };
  return store;
}
