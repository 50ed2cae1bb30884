import type { State } from './state.ts';
import { path } from './tree.ts';
import type { Item } from './view.ts';

// What a person said last is shown whatever its frame. Where that frame is off the
// path (popped, or pushed no more), it stands where it was said, among the entries
// of the active frame, and not before all of them as an older text would:
//
//   said     e1 … e44   push f1 · e45 (a person) e46   pop
//   shown    tree · e1 … e44 · e45 · e47 …
//
// Within an epoch it keeps its place: whatever comes is said after it. A call that
// waited for its results meanwhile is not parted from them; then it stands before
// the tree, with the older ones.

/** Before which of the active frame's items the newest human entry of an epoch stands; null where it is one of them, or stands with the older ones. */
export function placeOfNewest(state: State, newest: State['newest']): number | null {
  if (newest === null || isOnPath(state, newest.n)) return null;
  const items = state.views.get(state.active)?.items ?? [];
  const index = items.findLastIndex(({ unit }) => unit < newest.n) + 1;
  const before = items[index - 1];
  return before === undefined || isWhole(state, { items, before, n: newest.n }) ? index : null;
}

function isOnPath(state: State, n: number): boolean {
  return path(state.frames, state.active).some(({ id }) => {
    const view = state.views.get(id);
    if (view === undefined) return false;
    return view.human.some((one) => one.n === n) || view.items.some((one) => one.n === n);
  });
}

/** Whether the unit of `before` had all its results when entry `n` was said. */
function isWhole(
  { calls }: State,
  given: { readonly items: readonly Item[]; readonly before: Item; readonly n: number },
): boolean {
  const { items, before, n } = given;
  const { unit } = before;
  const first = items.findLastIndex((item) => item.unit < unit) + 1;
  const isLate = (item: Item): boolean =>
    item.unit === unit && (item.n > n || item.form === 'closing');
  if (items.slice(first).some(isLate)) return false;
  return !calls.some((call) => !call.closed && call.n === unit);
}
