import type { Whereabouts } from '../../../core/budget/options.ts';
import { isEngineError } from '../../../core/values/error.ts';
import { flag, limit, objectOf, text } from '../../../core/values/validation.ts';
import {
  isMachine,
  journalKey,
  parseOutboxKey,
  parseSessionKey,
  sessionRange,
  sessionsRows,
  sessionsRange,
} from '../../../store/key.ts';
import { rowsPastDamage, type ReadRow } from '../../../store/past-damage.ts';
import type { EntryRow } from '../load.ts';
import type { SessionHeader, SessionRest } from './session-header.ts';
import { headerMissing, sessionIds } from './session-ids.ts';
import { decodeRecord } from '../state-codec.ts';
import type { RecordStore } from '../../../store/store.ts';

/** One session in a list. */
export interface SessionSummary extends Whereabouts {
  readonly id: string;
  /** What a host called it, or the first request of a person; left out before there is one. */
  readonly title?: string;
  /** When it came into the store, in milliseconds since 1970. */
  readonly created: number;
  /** When anything of it changed last. */
  readonly updated: number;
  /** When the first entry was said, and the newest; those of a session that was imported are older than it is. */
  readonly began: number;
  readonly said: number;
  readonly turns: number;
  /** Tokens of everything that was said. */
  readonly tokens: number;
  readonly window: number;
  /** The model that answered last, or was named for the session since, and who serves it; left out where nobody said. */
  readonly model?: string;
  readonly provider?: string;
  /** What the next prompt holds, in tokens, those of its server once that has counted; left out where it was not noted, as of a session that is in use. */
  readonly context?: number;
  /** Effects that have not ended. */
  readonly pending: number;
  /** Why it cannot be told of, or not all of it: a record of it is damaged. */
  readonly damage?: string;
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
const largestPage = 1_024;

/** The sessions of a store, by id, and behind them those whose headers are gone, a page at a time; each costs its header, and one in use its newest rows. */
export async function* listSessions(
  store: RecordStore,
  options: SessionsOptions,
): AsyncGenerator<readonly SessionSummary[]> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  const listed = new Set<string>();
  if (limit <= 0) return;
  for await (const page of headerPages(store, options)) {
    for (const { id } of page) listed.add(id);
    yield await summariesOf(store, page);
  }
  if (listed.size >= limit) return;
  const others = (await idsBeside(store, listed, options)).slice(0, limit - listed.size);
  const headless = others.map((id) => ({ id, header: noHeader, damage: headerMissing(id) }));
  if (headless.length > 0) yield await summariesOf(store, headless);
}

/** The headers of a stretch, in the pages that are read together. */
async function* headerPages(
  store: RecordStore,
  options: SessionsOptions,
): AsyncGenerator<readonly ListedSession[]> {
  const range = sessionsRange(options);
  const known = store.known?.('session', range) ?? null;
  if (known !== null) {
    for (let at = 0; at < known.length; at += largestPage)
      yield known.slice(at, at + largestPage).map(([key, value]) => toListed({ key, value }));
    return;
  }
  let page: ListedSession[] = [];
  for await (const row of rowsPastDamage(store, 'session', range)) {
    page.push(toListed(row));
    if (page.length < largestPage) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** The ids of sessions that have no header any more, within what is listed. */
async function idsBeside(
  store: RecordStore,
  listed: ReadonlySet<string>,
  { prefix = '', after, reverse = false }: SessionsOptions,
): Promise<readonly string[]> {
  if (store.heads === undefined) return [];
  const heads = store.heads();
  const known = heads === null ? await sessionIds(store, () => undefined) : [...heads.keys()];
  const ids = known.filter(
    (id) =>
      !listed.has(id) &&
      !isMachine(id) &&
      id.startsWith(prefix) &&
      (after === undefined || (reverse ? id < after : id > after)),
  );
  return reverse ? ids.sort().reverse() : ids.sort();
}

/** What stands for a header that cannot be read. */
const noHeader: SessionHeader = { created: 0, window: 0 };

interface ListedSession {
  readonly id: string;
  readonly header: SessionHeader;
  readonly damage?: string;
}

/** A session of which only the id is known has the times and the window 0. */
export function toListed({ key, value, error }: ReadRow): ListedSession {
  const id = parseSessionKey(key);
  if (error === undefined) return { id, header: value as SessionHeader };
  return { id, header: noHeader, damage: error.message };
}

/** What is told of the sessions of a page; of those in use their newest rows are read. */
export async function summariesOf(
  store: RecordStore,
  page: readonly ListedSession[],
): Promise<SessionSummary[]> {
  const pending = await pendingOf(
    store,
    page.map(({ id }) => id),
  );
  const awake = await awakeIn(store, page);
  const rows = await Promise.all(
    awake.map(async ({ id }) => [id, await newestRows(store, id)] as const),
  );
  const newest = new Map(rows);
  return page.map((one) => summaryOf(one, pending.get(one.id), newest.get(one.id)));
}

/** What its header tells of a session, and what is known besides: its pending effects, and its newest rows where it does not rest. */
export function summaryOf(
  { id, header, damage: lost }: ListedSession,
  pending: number = 0,
  newest: NewestRows = header.rest!,
): SessionSummary {
  const { created, window, title, folder, branch, agent, parent, began = created } = header;
  const { updated = created, said = created, turns = 0, tokens = 0, context } = newest;
  const { damage = lost } = newest;
  // Field by field: thousands of objects that are spread take longer than all else in a list of them.
  const summary: Partial<Writable<SessionSummary>> = { id };
  if (title !== undefined) summary.title = title;
  if (folder !== undefined) summary.folder = folder;
  if (branch !== undefined) summary.branch = branch;
  if (agent !== undefined) summary.agent = agent;
  if (parent !== undefined) summary.parent = parent;
  if (header.model !== undefined) summary.model = header.model;
  if (header.provider !== undefined) summary.provider = header.provider;
  summary.created = created;
  summary.updated = updated;
  summary.began = began;
  summary.said = said;
  summary.turns = turns;
  summary.tokens = tokens;
  summary.window = window;
  if (context !== undefined) summary.context = context;
  summary.pending = pending;
  if (damage !== undefined) summary.damage = damage;
  return summary as SessionSummary;
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/**
 * Those sessions that do not rest where it was noted. The step that goes on from there takes the note away; where the
 * rows of such a step were lost, what was noted of the store tells, and where others write, too, the next record.
 */
async function awakeIn(
  store: RecordStore,
  page: readonly ListedSession[],
): Promise<readonly ListedSession[]> {
  const heads = store.heads?.() ?? null;
  const isBeyond = ({ id, header: { rest } }: ListedSession): boolean =>
    rest === undefined || (heads?.get(id)?.[0] ?? 0) > rest.seq;
  if (store.isShared !== true) return page.filter(isBeyond);
  const noted = page.filter((one) => !isBeyond(one));
  const keys = noted.map(({ id, header }) => journalKey(id, header.rest!.seq + 1));
  try {
    const next = await store.getMany('journal', keys);
    const resting = new Set(noted.filter((_, at) => next[at] === undefined));
    return page.filter((one) => !resting.has(one));
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) return page;
    throw error;
  }
}

/** What the newest rows of a session tell. */
type NewestRows = Partial<Omit<SessionRest, 'seq'> & Pick<SessionSummary, 'damage'>>;

/** What the newest record and the newest entry of a session tell, as far as they can be read. */
async function newestRows(store: RecordStore, id: string): Promise<NewestRows> {
  const newest = sessionRange(id, { reverse: true, limit: 1 });
  const found: { -readonly [Name in keyof NewestRows]: NewestRows[Name] } = {};
  for await (const { value } of rowsPastDamage(store, 'entry', newest))
    if (value !== undefined) found.said = (value as EntryRow).at;
  for await (const { value, error } of rowsPastDamage(store, 'journal', newest)) {
    if (error !== undefined) return { ...found, damage: error.message };
    const { at: updated, turn: turns, tokens } = decodeRecord(value);
    return { ...found, updated, turns, tokens };
  }
  return found;
}

/** Pending effects of each session of a page, read in one walk over their rows. */
export async function pendingOf(
  store: RecordStore,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const pending = new Map<string, number>();
  if (store.known?.('outbox', {})?.length === 0) return pending;
  const range = sessionsRows(ids);
  for await (const { key, error } of rowsPastDamage(store, 'outbox', range)) {
    if (error !== undefined) continue;
    const { session } = parseOutboxKey(key);
    pending.set(session, (pending.get(session) ?? 0) + 1);
  }
  return pending;
}
