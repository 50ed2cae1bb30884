import { entryId, ordinal } from '../values/id.ts';
import type { State } from '../state/state.ts';
import { path } from '../frames/tree.ts';
import {
  toHuman,
  type OffloadedRange,
  type Human,
  type Quote,
  type WorkingItem,
} from '../state/view.ts';

// What people said before the entries that are shown verbatim: in full while
// there is room, then as quoted directives, then as a count that leads back.

/**
 * The human entries of the path that stand before the working part, in the
 * order they were said; `newest` among them, even if its frame is closed.
 */
export function olderHuman(state: State, newest: State['newest']): readonly Human[] {
  const found: Human[] = [];
  for (const { id } of path(state.frames, state.active)) {
    const view = state.views.get(id);
    if (view === undefined) continue;
    found.push(...view.human);
    if (id !== state.active) found.push(...view.items.filter(({ human }) => human).map(toHuman));
  }
  if (newest !== null && !stands(state, newest.n, found)) found.push(newest);
  return found.sort((a, b) => a.n - b.n);
}

/** All human entries that the assembly shows, oldest first: those that stand before the working part, and those in it. */
export function shownHuman(state: State): readonly Human[] {
  const items = state.views.get(state.active)?.items ?? [];
  const working = items.filter(({ human }) => human).map(toHuman);
  return [...olderHuman(state, state.newest), ...working].sort((a, b) => a.n - b.n);
}

function stands(state: State, n: number, found: readonly Human[]): boolean {
  const working = state.views.get(state.active)?.items ?? [];
  return found.some((human) => human.n === n) || working.some((item) => item.n === n);
}

/** The directives that bind the path though their entries are not shown, oldest first. */
export function quotesOf(state: State): readonly Quote[] {
  const lists = path(state.frames, state.active).flatMap(({ id }) => {
    const quotes = state.views.get(id)?.quotes ?? [];
    return quotes.length === 0 ? [] : [quotes];
  });
  return lists.length < 2 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a.n - b.n);
}

/** The human entries of the path that are no longer shown, as one range; none if there are none. */
export function offloadedHuman(state: State): readonly OffloadedRange[] {
  const crumbs = path(state.frames, state.active).flatMap(
    ({ id }) => state.views.get(id)?.offloaded ?? [],
  );
  return crumbs.length < 2 ? crumbs : [crumbs.reduce(joined)];
}

function joined(one: OffloadedRange, other: OffloadedRange): OffloadedRange {
  const [first, last] = [one, other].sort((a, b) => ordinal(a.from) - ordinal(b.from));
  const to = ordinal(first!.to) > ordinal(last!.to) ? first!.to : last!.to;
  return { from: first!.from, to, entries: one.entries + other.entries };
}

/** What stands over the quotes. */
export const quoteTitle = 'Said earlier by the user:';

/** One quote as it is shown. */
export const quoteLine = ({ n, text }: Quote): string => `- "${text}" (${entryId(n)})`;

/** Quotes and the breadcrumb over what was offloaded, as one text; '' where there is neither. */
export function quoteSection(
  quotes: readonly Quote[],
  offloaded: readonly OffloadedRange[],
  newest: number,
): string {
  const shown = newest === 0 ? [] : quotes.slice(-newest);
  const lines = shown.map(quoteLine);
  const crumbs = offloaded.map(
    ({ from, to, entries }) => `[${entries} earlier messages of the user: ${from}–${to}]`,
  );
  if (lines.length === 0) return crumbs.join('\n');
  return [quoteTitle, ...lines, ...crumbs].join('\n');
}

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
  given: {
    readonly items: readonly WorkingItem[];
    readonly before: WorkingItem;
    readonly n: number;
  },
): boolean {
  const { items, before, n } = given;
  const { unit } = before;
  const first = items.findLastIndex((item) => item.unit < unit) + 1;
  const isLate = (item: WorkingItem): boolean =>
    item.unit === unit && (item.n > n || item.form === 'closing');
  if (items.slice(first).some(isLate)) return false;
  return !calls.some((call) => !call.closed && call.n === unit);
}
