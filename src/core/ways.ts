import { entryId, ordinal } from './id.ts';
import type { State } from './state.ts';
import { leftAt, leftWith, positionsOf, type Fork, type Left } from './timeline.ts';

// A host that edits a prompt takes another way from there. What was said on the
// old one is left behind one breadcrumb, and can be gone back to:
//
//   log    e1 e2 e3 e4 e5 e6 e7            e5–e7 are left at record 8
//               └────────── e8 e9          the way is now e1 e2 e3 e4 e8 e9
//
// Whoever goes back from there to a record of the old way takes that way again,
// and leaves e8 and e9.

/** A moment to go back to, and where a host took another way; undefined where it did not. */
export interface Turning {
  readonly old: State;
  readonly fork: Fork | undefined;
}

/** The ways that were left for others, oldest first. */
export function waysIn({ timeline }: Pick<State, 'timeline'>): readonly Left[] {
  return timeline.left.filter(({ cause }) => cause === 'fork');
}

/** Tells which entries since an old state were said on another way than the one that it is on. */
export function offWay(present: State, { old, fork }: Turning): (n: number) => boolean {
  if (fork !== undefined) {
    const first = ordinal(fork.at);
    const kept = new Set(fork.keep.map(ordinal));
    return (n) => n >= first && !kept.has(n);
  }
  const ways = waysIn(present);
  const before = waysIn(old);
  const taken = ways.find(({ runs }) => {
    const first = runs[0]![0];
    return first <= old.entries && leftAt(before, first) === undefined;
  });
  if (taken === undefined) return (n) => leftAt(ways, n) !== undefined;
  const others = ways.filter((way) => way !== taken);
  const last = taken.runs.at(-1)![1];
  return (n) => n > last || leftAt(others, n) !== undefined;
}

/**
 * The ways that are left once an old state is there again, those of its own aside; `off` are the
 * entries since that it does not have, ascending. Ways left before stay as they are.
 */
export function waysLeft(
  present: State,
  { old }: Turning,
  { off, id }: { readonly off: readonly number[]; readonly id: number },
): readonly Left[] {
  const ways = waysIn(present);
  const isOff = new Set(off);
  const kept = ways.flatMap((way) => {
    const positions = positionsOf(way).filter((n) => n > old.entries && isOff.has(n));
    return positions.length === way.entries
      ? [way]
      : leftWith(positions, { id: way.id, cause: way.cause });
  });
  const fresh = off.filter((n) => leftAt(ways, n) === undefined);
  const [first = 1] = fresh;
  let after = first - 1;
  while (after > 0 && leftAt(ways, after) !== undefined) after -= 1;
  const branch = { id, cause: 'fork', after: after === 0 ? null : entryId(after) } as const;
  return [...kept, ...leftWith(fresh, branch)];
}
