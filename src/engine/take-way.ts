import { entryId, ordinal, toEntryId } from '../core/id.ts';
import { leftAt, type Fork } from '../core/timeline.ts';
import { waysIn } from '../core/ways.ts';
import type { Store } from '../store/store.ts';
import { exact } from './count.ts';
import type { Beside } from './host-list.ts';
import type { Live } from './live.ts';
import { recordOfEntry } from './past.ts';

// A host takes another way. If it is one that was left before, that is taken
// again as it was; what of it, or else of the present one, the list does not
// have from the fork on is left.

/** Takes the way of a list. Runs in turn only. */
export async function takeWay(
  live: Live,
  store: Store,
  { turn, leaves, kept }: Pick<Beside, 'turn' | 'leaves' | 'kept'>,
): Promise<void> {
  if (turn !== null) await leave(live, turn);
  if (leaves !== null) await leaveFrom(live, store, { n: leaves, keep: kept.map(entryId) });
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
