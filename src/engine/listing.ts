import type { JournalRecord } from '../core/journal.ts';
import { parseSessionKey, sessionRange, sessionsRange } from '../store/key.ts';
import { decodeRecord } from './codec.ts';
import type { Store } from '../store/store.ts';

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
  /** Pieces of work that a summarizer still owes. */
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

/** The sessions of a store, by id; each costs its header and its last journal record. */
export async function* listSessions(
  store: Store,
  options: SessionsOptions,
): AsyncGenerator<SessionSummary> {
  const { limit = Number.POSITIVE_INFINITY, ...walk } = options;
  let left = limit;
  for await (const [key, value] of store.range('session', sessionsRange(walk))) {
    if (left <= 0) return;
    left -= 1;
    yield summaryOf(store, parseSessionKey(key), value as Header);
  }
}

interface Header {
  readonly created: number;
  readonly window: number;
}

async function summaryOf(store: Store, id: string, header: Header): Promise<SessionSummary> {
  const { created, window } = header;
  let last: JournalRecord | undefined;
  const newest = sessionRange(id, { reverse: true, limit: 1 });
  for await (const [, record] of store.range('journal', newest)) last = decodeRecord(record);
  let pending = 0;
  for await (const _ of store.range('outbox', sessionRange(id))) pending += 1;
  return {
    id,
    created,
    updated: last?.at ?? created,
    turns: last?.turn ?? 0,
    tokens: last?.tokens ?? 0,
    window,
    pending,
  };
}
