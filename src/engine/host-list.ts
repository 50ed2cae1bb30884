import { align, type Alignment } from '../core/align.ts';
import { lineOf, type Logged } from '../core/line.ts';
import type { Message } from '../core/message.ts';
import { ordinal, toEntryId } from '../core/id.ts';
import { positionsIn, toSpans, type Span } from '../core/span.ts';
import { leftAt } from '../core/timeline.ts';
import { waysIn } from '../core/ways.ts';
import type { Store } from '../store/store.ts';
import type { Live } from './live.ts';
import { readLog } from './log.ts';
import { chainHash } from './recorded.ts';

// As long as the beginning of a host's list has the hash that it had when it was
// last compared, nothing was dropped, and only what came since is looked at.
// Otherwise the log is read once, but for ways that were left, and aligned.

/** A host's list beside the log. */
export interface Beside extends Omit<Alignment, 'gone'> {
  readonly gone: readonly Span[];
  /** The last entry that both have before what is new; 0 for none. */
  readonly tip: number;
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
  let met = 0;
  for await (const { hash: logged } of linesOf(live, store, known.entries)) {
    const other = rest[met];
    if (other === undefined || chainHash('', other) !== logged) return null;
    met += 1;
  }
  const fresh = rest.slice(met).map((_, index) => known.length + met + index);
  const tip = tipBefore(live, entries + 1);
  const isBack = waysIn(live.state).some(({ after }) => after != null && ordinal(after) === tip);
  if (fresh.length > 0 && isBack) return null;
  const relation = fresh.length > 0 ? 'append' : 'same';
  return { ...unchanged, relation, manner: relation, fresh, gone: known.gone, tip };
}

async function aligned(live: Live, store: Store, messages: readonly Message[]): Promise<Beside> {
  const log: Logged[] = [];
  for await (const line of linesOf(live, store, 0)) log.push(line);
  const list = messages.map((message) => lineOf(message, chainHash('', message)));
  const gone = new Set(positionsIn(live.state.watch.host?.gone ?? []));
  const alignment = align(log, list, gone);
  const tip = tipBefore(live, alignment.forkedAt ?? live.state.entries + 1);
  return { ...alignment, gone: toSpans(alignment.gone), tip };
}

/** The last entry before `n` on the way that is taken; 0 for none. */
function tipBefore({ state }: Live, n: number): number {
  const ways = waysIn(state);
  let tip = n - 1;
  while (tip > 0 && leftAt(ways, tip) !== undefined) tip -= 1;
  return tip;
}

/** Entries on the way that is taken, after a position; or all in these stretches. */
export async function* linesOf(
  live: Live,
  store: Store,
  from: number | readonly (readonly [first: number, last: number])[],
): AsyncGenerator<Logged> {
  const range = typeof from === 'number' ? { after: from } : { within: from };
  if (from === live.state.entries) return;
  const ways = typeof from === 'number' ? waysIn(live.state) : [];
  await live.written;
  for await (const entry of readLog(store, live.id, range)) {
    const n = ordinal(toEntryId(entry.id));
    if (leftAt(ways, n) !== undefined) continue;
    const message = entry as Message;
    yield { ...lineOf(message, chainHash('', message)), n };
  }
}

/** The cumulative hash over a list. */
export function chainOf(messages: readonly Message[]): string {
  return messages.reduce(chainHash, '');
}
