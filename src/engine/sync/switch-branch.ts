import { entryId, ordinal, toEntryId } from '../../core/values/id.ts';
import { leftAt, type HostFork } from '../../core/state/timeline.ts';
import { branchesIn } from '../../core/host-history/branches.ts';
import { workOf } from '../../core/progress/session-work.ts';
import { changeGoal } from '../effects/documents/page-watch.ts';
import { decided } from '../live/decided.ts';
import { exactCounter } from '../live/counting.ts';
import type { CommandSession, SessionWriter } from '../live/session-access.ts';
import { recordOfEntry } from '../time-travel/journal-search.ts';
import type { HostAlignment } from './host-list.ts';

// A host goes over to another branch. One that was left before becomes the current one as it
// was. What the list does not have of the current branch, from the fork on, is left.

/** Goes over to the branch that a host's list is on. */
export async function switchBranch(
  writer: SessionWriter,
  { back, leaves, kept }: Pick<HostAlignment, 'back' | 'leaves' | 'kept'>,
): Promise<void> {
  if (back !== null) await takeFork(writer, back);
  if (leaves !== null) await leaveFrom(writer, leaves, kept.map(entryId));
  const stayed = new Set([...(back?.keep ?? []).map(ordinal), ...kept]);
  if (stayed.size === 0) return;
  // What people changed of the goal on the page stays with their words.
  for (const { n, text } of workOf(writer.state, writer.bodies).edits)
    if (stayed.has(n)) changeGoal(writer, text);
}

/** Leaves the newest entries; does nothing where they are left already, or are not the newest. */
export async function abandonEntries(
  session: CommandSession,
  run: readonly [first: string, last: string],
): Promise<void> {
  const [n, last] = run.map((entry) => ordinal(toEntryId(entry))) as [number, number];
  await decided(session, async (writer) => {
    await exactCounter(writer);
    const isLeft = leftAt(branchesIn(writer.state), n) !== undefined;
    if (!isLeft && last === writer.state.entryCount) await leaveFrom(writer, n, []);
    return { durable: writer.written };
  });
}

/** Leaves the entries from position `n` on, but for those to `keep`. */
async function leaveFrom(writer: SessionWriter, n: number, keep: HostFork['keep']): Promise<void> {
  await writer.written;
  const last = writer.state.seq;
  const record = (await recordOfEntry(writer.store, writer.id, { n, last }))!;
  await takeFork(writer, { from: record - 1, at: entryId(n), keep });
}

async function takeFork(writer: SessionWriter, fork: HostFork): Promise<void> {
  await writer.stepWithHistory({ type: 'restore', cause: 'fork', snapshot: null, fork });
}
