import { entryId, ordinal } from '../values/id.ts';
import type { State } from '../state/state.ts';
import {
  leftAt,
  leftWith,
  positionsOf,
  type HostFork,
  type AbandonedBranch,
} from '../state/timeline.ts';

// A host that edits a prompt takes another branch from there. Entries of the old one are
// behind one breadcrumb, and can be gone back to:
//
//   log    e1 e2 e3 e4 e5 e6 e7            e5–e7 are left by record 8
//               └────────── e8 e9          the active branch is e1 e2 e3 e4 e8 e9
//
// Whoever goes back from there to a record of the old branch takes that one again, and
// leaves e8 and e9. A snapshot that is restored leaves what came after it in the same way,
// but for the host, whose list goes on to have it.

/** A state to go back to, and where a host took another branch; undefined where it did not. */
interface BranchPoint {
  readonly old: State;
  readonly fork: HostFork | undefined;
}

/** The branches that a host left, oldest first. */
export function branchesIn({ timeline }: Pick<State, 'timeline'>): readonly AbandonedBranch[] {
  return timeline.left.filter(({ cause }) => cause === 'fork');
}

/** The branches that were left with entries of theirs, by a host or for a snapshot: those of an undone step have no place, but are on no other branch. */
export const ownBranchesIn = ({ timeline }: Pick<State, 'timeline'>): readonly AbandonedBranch[] =>
  timeline.left.filter(({ cause }) => cause === 'fork' || cause === 'restore');

/** A predicate of entries appended since an old state: whether they are on another branch than it. */
export function isOnOtherBranch(present: State, point: BranchPoint): (n: number) => boolean {
  const restored = present.timeline.left.filter(({ cause }) => cause === 'restore');
  const isForked = isOnHostBranch(present, point);
  return (n) => isForked(n) || leftAt(restored, n) !== undefined;
}

function isOnHostBranch(present: State, { old, fork }: BranchPoint): (n: number) => boolean {
  if (fork !== undefined) {
    const first = ordinal(fork.at);
    const kept = new Set(fork.keep.map(ordinal));
    return (n) => n >= first && !kept.has(n);
  }
  const branches = branchesIn(present);
  const before = branchesIn(old);
  const taken = branches.find(({ runs }) => {
    const first = runs[0]![0];
    return first <= old.entryCount && leftAt(before, first) === undefined;
  });
  if (taken === undefined) return (n) => leftAt(branches, n) !== undefined;
  const others = branches.filter((branch) => branch !== taken);
  const last = taken.runs.at(-1)![1];
  return (n) => n > last || leftAt(others, n) !== undefined;
}

/**
 * The branches with entries of their own, once an old state is restored: those of the present without
 * the one that is taken again, and one for the entries of `off` that were on none. `off` are the
 * entries since that the restored state does not have, ascending.
 */
export function branchesAfter(
  present: State,
  point: BranchPoint,
  { off, id, cause }: Pick<AbandonedBranch, 'id' | 'cause'> & { readonly off: readonly number[] },
): readonly AbandonedBranch[] {
  const branches = ownBranchesIn(present);
  const isOff = new Set(off);
  const kept = branches.flatMap((branch) => {
    const positions = positionsOf(branch).filter((n) => n > point.old.entryCount && isOff.has(n));
    return positions.length === branch.entries
      ? [branch]
      : leftWith(positions, { id: branch.id, cause: branch.cause });
  });
  const fresh = off.filter((n) => leftAt(branches, n) === undefined);
  const isForked = isOnHostBranch(present, point);
  const forked = cause === 'fork' ? fresh : fresh.filter(isForked);
  const [first = 1] = forked;
  let after = first - 1;
  while (after > 0 && leftAt(branches, after) !== undefined) after -= 1;
  const added = { id, cause: 'fork', after: after === 0 ? null : entryId(after) } as const;
  const others = fresh.filter((n) => !forked.includes(n));
  return [...kept, ...leftWith(forked, added), ...leftWith(others, { id, cause: 'restore' })];
}
