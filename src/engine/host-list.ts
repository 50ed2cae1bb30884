import { align, type Alignment } from '../core/align.ts';
import { ordinal, toEntryId } from '../core/id.ts';
import { toComparable, type ComparableMessage, type ComparableEntry } from '../core/line.ts';
import type { Message } from '../core/message.ts';
import { positionsIn, toSpans, type Span } from '../core/span.ts';
import { leftAt } from '../core/timeline.ts';
import { waysIn } from '../core/ways.ts';
import type { Store } from '../store/store.ts';
import { spelledOut } from './inserted.ts';
import type { Live } from './live.ts';
import { readLog } from './log.ts';
import { otherWay, type Turn } from './other-way.ts';
import { chainHash, saidHash } from './recorded.ts';

// As long as the beginning of a host's list has the hash that it had when it was
// last compared, nothing was dropped, and only what came since is looked at.
// Otherwise the log is read once and aligned: first with the way that is taken,
// then, where that leaves something new, with those that were left.

/** A host's list beside the log. */
export interface Beside extends Omit<Alignment, 'gone'> {
  readonly gone: readonly Span[];
  /** The way to go back to first; null where the list is on the one that is taken. */
  readonly turn: Turn | null;
  /** The first entry to leave then; null for none. */
  readonly leaves: number | null;
}

/** What became of a host's list since it was last compared. */
export async function besideLog(
  live: Live,
  store: Store,
  messages: readonly Message[],
): Promise<Beside> {
  return (await grown(live, store, messages)) ?? aligned(live, store, messages);
}

const unchanged = {
  lost: [],
  cleared: [],
  shortened: [],
  edited: [],
  inside: [],
  forkedAt: null,
  kept: [],
  turn: null,
  leaves: null,
} as const;

/**
 * What was added to a list that begins as it did: entries that were appended here meanwhile must
 * follow, and then what is new; null where that is not so, or where the list may have come back.
 */
async function grown(
  live: Live,
  store: Store,
  messages: readonly Message[],
): Promise<Beside | null> {
  const { entries, hash, watch } = live.state;
  const known = watch.host ?? { length: entries, hash, entries, gone: [] };
  const isEmptied = known.length === 0 && known.entries > 0;
  if (isEmptied || messages.length < known.length) return null;
  if (chainOf(messages.slice(0, known.length)) !== known.hash) return null;
  const rest = messages.slice(known.length);
  const ways = waysIn(live.state);
  let met = 0;
  for await (const { n, message } of logOf(live, store, known.entries)) {
    if (leftAt(ways, n) !== undefined) continue;
    const other = rest[met];
    if (other === undefined || chainHash('', other) !== chainHash('', message)) return null;
    met += 1;
  }
  const fresh = rest.slice(met).map((_, index) => known.length + met + index);
  const recent = recentOf(live);
  const isBack = ways.some(({ after }) => after != null && ordinal(after) >= recent);
  if (fresh.length > 0 && isBack) return null;
  const relation = fresh.length > 0 ? 'append' : 'same';
  return { ...unchanged, relation, manner: relation, fresh, gone: known.gone };
}

async function aligned(live: Live, store: Store, messages: readonly Message[]): Promise<Beside> {
  const all: ComparableEntry[] = [];
  for await (const { n, message } of logOf(live, store, 0)) all.push({ ...toLine(message), n });
  const list = linesOf(messages, all);
  const gone = new Set(positionsIn(live.state.watch.host?.gone ?? []));
  const ways = waysIn(live.state);
  const way = all.filter(({ n }) => leftAt(ways, n) === undefined);
  const alignment = align(way, list, gone);
  const isNew = alignment.fresh.length > 0 && ways.length > 0;
  const other = isNew ? await otherWay(live, store, { all, list, gone, alignment }) : null;
  const found = other?.alignment ?? alignment;
  const turn = other?.turn ?? null;
  const leaves = found.forkedAt;
  return { ...found, ...other?.seen, gone: toSpans(found.gone), turn, leaves };
}

/** The messages as lines; one that is known as text only, spelled out, as that. */
function linesOf(messages: readonly Message[], log: readonly ComparableMessage[]): readonly ComparableMessage[] {
  const known = new Set(log.map(({ hash }) => hash));
  return messages.map((message) => {
    const line = toLine(message);
    if (message.role !== 'assistant' || line.call === '' || known.has(line.hash)) return line;
    const text = toLine(spelledOut(message));
    return known.has(text.hash) ? text : line;
  });
}

function toLine(message: Message): ComparableMessage {
  return toComparable(message, saidHash(message));
}

/** Entries that may follow where a way was left before nobody takes it again by adding to a list: a host's own summaries. */
const mostKept = 4;

/** The oldest of the newest entries on the way that is taken; 0 where it has no more of them. */
function recentOf({ state }: Live): number {
  const ways = waysIn(state);
  let n = state.entries;
  for (let met = 0; n > 0; n -= 1) {
    if (leftAt(ways, n) !== undefined) continue;
    if (met === mostKept) return n;
    met += 1;
  }
  return 0;
}

/** Entries after a position, on whatever way. */
async function* logOf(
  live: Live,
  store: Store,
  after: number,
): AsyncGenerator<{ readonly n: number; readonly message: Message }> {
  if (after === live.state.entries) return;
  await live.written;
  for await (const entry of readLog(store, live.id, { after }))
    yield { n: ordinal(toEntryId(entry.id)), message: entry };
}

/** The cumulative hash over a list. */
export function chainOf(messages: readonly Message[]): string {
  return messages.reduce(chainHash, '');
}
