import { entryId, ordinal, toEntryId } from '../../core/values/id.ts';
import { leftAt, type Fork } from '../../core/state/timeline.ts';
import { branchesIn } from '../../core/host-history/branches.ts';
import type { RecordStore } from '../../store/store.ts';
import { exactCounter } from '../live/counting.ts';
import type { HostAlignment } from './host-list.ts';
import type { LiveSession } from '../live/live-session.ts';
import { recordOfEntry } from '../time-travel/journal-search.ts';

// A host takes another branch. One that was left before is taken again as it was. What the
// list does not have of it, or else of the present one, from the fork on is left.

/** Takes the branch of a list. Runs in turn only. */
export async function switchBranch(
  live: LiveSession,
  store: RecordStore,
  { back, leaves, kept }: Pick<HostAlignment, 'back' | 'leaves' | 'kept'>,
): Promise<void> {
  if (back !== null) await takeFork(live, back);
  if (leaves !== null) await leaveFrom(live, store, { n: leaves, keep: kept.map(entryId) });
}

/** Leaves the newest entries, in its turn; does nothing where they are left already, or not the newest. */
export async function abandonEntries(
  live: LiveSession,
  store: RecordStore,
  run: readonly [first: string, last: string],
): Promise<void> {
  const [n, last] = run.map((entry) => ordinal(toEntryId(entry))) as [number, number];
  await live.enqueue(async () => {
    await exactCounter(live);
    const isLeft = leftAt(branchesIn(live.state), n) !== undefined;
    if (isLeft || last !== live.state.entries) return;
    await leaveFrom(live, store, { n, keep: [] });
  });
  await live.written;
}

/** Leaves what was said from entry `n` on. */
async function leaveFrom(
  live: LiveSession,
  store: RecordStore,
  { n, keep }: { readonly n: number; readonly keep: Fork['keep'] },
): Promise<void> {
  await live.written;
  const last = live.state.seq;
  const record = (await recordOfEntry(store, live.id, { n, last }))!;
  await takeFork(live, { from: record - 1, at: entryId(n), keep });
}

async function takeFork(live: LiveSession, fork: Fork): Promise<void> {
  await live.stepWithHistory({ type: 'restore', cause: 'fork', snapshot: null, fork });
}
