import { entryId, ordinal, toEntryId } from '../core/id.ts';
import type { Message } from '../core/message.ts';
import { leftAt, type Fork, type Left } from '../core/timeline.ts';
import { waysIn } from '../core/ways.ts';
import type { Store } from '../store/store.ts';
import { exact } from './count.ts';
import { linesOf } from './host-list.ts';
import type { Live } from './live.ts';
import { recordOfEntry } from './past.ts';
import { chainHash } from './recorded.ts';

// A host takes another way. If it is one that was left before, that is taken
// again as far as it goes; else what was said from the fork on is left, and
// what is new begins another way.

/** Where the list and the log part. */
export interface Parting {
  /** The last entry that both have; 0 for none. */
  readonly tip: number;
  /** The first entry that the list does not have; null where it has all. */
  readonly forkedAt: number | null;
  /** Entries after it that the list has all the same. */
  readonly kept: readonly number[];
  /** Messages of the list from there on. */
  readonly rest: readonly Message[];
}

/** Takes the way of a list, and tells how many messages of its rest the log then has. Runs in turn only. */
export async function takeWay(live: Live, store: Store, parting: Parting): Promise<number> {
  let { tip } = parting;
  const keep = parting.kept.map(entryId);
  let met = 0;
  for (;;) {
    const found = await bestWay(live, store, { tip, rest: parting.rest.slice(met) });
    if (found === null) break;
    const { way, entries } = found;
    const last = entries.at(-1)!;
    await leave(live, { from: way.id - 1, at: entryId(ordinal(way.to) + 1), keep });
    const next = found.rest[0];
    if (next !== undefined) await leaveFrom(live, store, { n: next, keep });
    met += entries.length;
    tip = last;
  }
  if (met === 0 && parting.forkedAt !== null)
    await leaveFrom(live, store, { n: parting.forkedAt, keep });
  return met;
}

interface Found {
  readonly way: Left;
  /** Its entries that the list has, and those that it has not. */
  readonly entries: readonly number[];
  readonly rest: readonly number[];
}

/** The way that was left at `tip` and says most of what the list says next; null for none. */
async function bestWay(
  live: Live,
  store: Store,
  { tip, rest }: { readonly tip: number; readonly rest: readonly Message[] },
): Promise<Found | null> {
  const after = tip === 0 ? null : entryId(tip);
  let best: Found | null = null;
  for (const way of waysIn(live.state)) {
    if (way.after !== after || rest.length === 0) continue;
    const entries: number[] = [];
    const others: number[] = [];
    for await (const { n, hash } of linesOf(live, store, way.runs)) {
      const message = rest[entries.length];
      const isMet = others.length === 0 && message !== undefined && chainHash('', message) === hash;
      (isMet ? entries : others).push(n);
    }
    if (entries.length > (best?.entries.length ?? 0)) best = { way, entries, rest: others };
  }
  return best;
}

/** Leaves the newest entries, in its turn; does nothing where they are left, or not the newest. */
export async function leaveRun(
  live: Live,
  store: Store,
  run: readonly [first: string, last: string],
): Promise<void> {
  const [n, last] = run.map((entry) => ordinal(toEntryId(entry))) as [number, number];
  await live.enqueue(async () => {
    await exact(live);
    const isLeft = leftAt(waysIn(live.state), n) !== undefined;
    if (isLeft || last !== live.state.entries) return;
    await leaveFrom(live, store, { n, keep: [] });
  });
  await live.written;
}

/** Leaves what was said from entry `n` on. */
async function leaveFrom(
  live: Live,
  store: Store,
  { n, keep }: { readonly n: number; readonly keep: Fork['keep'] },
): Promise<void> {
  await live.written;
  const last = live.state.seq;
  const record = (await recordOfEntry(store, live.id, { n, last }))!;
  await leave(live, { from: record - 1, at: entryId(n), keep });
}

async function leave(live: Live, fork: Fork): Promise<void> {
  await live.stepBack({ type: 'restore', cause: 'fork', snapshot: null, fork });
}
