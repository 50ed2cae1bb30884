import { flag, limit, objectOf, text } from '../../core/values/validation.ts';
import { parseOutboxKey, parseSessionKey, sessionRange, sessionsRange } from '../../store/key.ts';
import { decodeRecord } from './state-codec.ts';
import type { KeyRange, RecordStore } from '../../store/store.ts';
import type { JournalRecord } from '../../core/state/input.ts';

/** One session in a list. */
export interface SessionSummary {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly updated: number;
  readonly turns: number;
  /** Tokens of everything that was said. */
  readonly tokens: number;
  readonly window: number;
  /** Effects that have not ended. */
  readonly pending: number;
}

/** Which sessions to list. */
export interface SessionsOptions {
  readonly prefix?: string;
  /** Sessions after this id. */
  readonly after?: string;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** The checks of these options. */
export const sessionsOptions = objectOf<SessionsOptions>({
  prefix: text,
  after: text,
  limit,
  reverse: flag,
});

/** Sessions whose rows are read together. */
const largestPage = 64;

/** The sessions of a store, by id; each costs its header and its last journal record. */
export async function* listSessions(
  store: RecordStore,
  options: SessionsOptions,
): AsyncGenerator<SessionSummary> {
  const { limit = Number.POSITIVE_INFINITY, ...walk } = options;
  if (limit <= 0) return;
  let page: ListedSession[] = [];
  let left = limit;
  for await (const [key, value] of store.range('session', sessionsRange(walk))) {
    page.push({ id: parseSessionKey(key), header: value as SessionHeader });
    left -= 1;
    if (page.length < largestPage && left > 0) continue;
    yield* await summariesOf(store, page);
    if (left <= 0) return;
    page = [];
  }
  if (page.length > 0) yield* await summariesOf(store, page);
}

interface SessionHeader {
  readonly created: number;
  readonly window: number;
}

interface ListedSession {
  readonly id: string;
  readonly header: SessionHeader;
}

async function summariesOf(
  store: RecordStore,
  page: readonly ListedSession[],
): Promise<SessionSummary[]> {
  const pending = await pendingOf(store, page);
  return Promise.all(
    page.map(async ({ id, header }) => {
      const { created, window } = header;
      const last = await newestRecord(store, id);
      return {
        id,
        created,
        updated: last?.at ?? created,
        turns: last?.turn ?? 0,
        tokens: last?.tokens ?? 0,
        window,
        pending: pending.get(id) ?? 0,
      };
    }),
  );
}

async function newestRecord(store: RecordStore, id: string): Promise<JournalRecord | undefined> {
  const newest = sessionRange(id, { reverse: true, limit: 1 });
  for await (const [, record] of store.range('journal', newest)) return decodeRecord(record);
  return undefined;
}

/** Pending effects of each session of a page, read in one walk over their rows. */
async function pendingOf(
  store: RecordStore,
  page: readonly ListedSession[],
): Promise<ReadonlyMap<string, number>> {
  const pending = new Map<string, number>();
  for await (const [key] of store.range('outbox', rangeOver(page.map(({ id }) => id)))) {
    const { session } = parseOutboxKey(key);
    pending.set(session, (pending.get(session) ?? 0) + 1);
  }
  return pending;
}

/** The range over the rows of all these sessions; ids are not quite in the order of their rows. */
function rangeOver(ids: readonly string[]): KeyRange {
  const ranges = ids.map((id) => sessionRange(id));
  return {
    gte: ranges.map(({ gte }) => gte!).reduce((a, b) => (a < b ? a : b)),
    lt: ranges.map(({ lt }) => lt!).reduce((a, b) => (a > b ? a : b)),
  };
}
