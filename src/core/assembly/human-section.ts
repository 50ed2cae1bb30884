import { entryId, ordinal } from '../values/id.ts';
import type { State } from '../state/state.ts';
import { path } from '../frames/tree.ts';
import {
  toHuman,
  type FrameView,
  type HumanEntry,
  type OffloadedRange,
  type Quote,
  type WorkingItem,
} from '../state/view.ts';

// What people said before the entries that are shown verbatim: in full while
// there is room, then as quoted directives, then as a count that leads back.
//
// The newest human entry is shown whatever its frame. Where that frame is off the
// path (popped, or undone), the entry keeps its place in the order of the log,
// among the entries of the active frame:
//
//   log      e1 … e44   push f1 · e45 (a person) e46   pop
//   shown    tree · e1 … e44 · e45 · e47 …
//
// It stays there for the whole of the epoch. Where it would part a call from its
// results, it is shown before the tree instead, with the older ones.

/**
 * The human entries of the path that are shown before the working part, oldest
 * first; `newest` among them, even if its frame is closed.
 */
export function olderHuman(state: State, newest: State['newest']): readonly HumanEntry[] {
  const found: HumanEntry[] = [];
  for (const { id } of path(state.frames, state.active)) {
    const view = state.views.get(id);
    if (view === undefined) continue;
    found.push(...view.human);
    if (id !== state.active) found.push(...humanItems(view));
  }
  if (newest !== null && !isShown(state, newest.n, found)) found.push(newest);
  return found.sort((a, b) => a.n - b.n);
}

/** All human entries of an assembly, oldest first: before the working part and in it. */
export function shownHuman(state: State): readonly HumanEntry[] {
  const working = humanItems(state.views.get(state.active));
  return [...olderHuman(state, state.newest), ...working].sort((a, b) => a.n - b.n);
}

/** The directives of offloaded human entries of the path, oldest first. */
export function quotesOf(state: State): readonly Quote[] {
  const lists = viewsOnPath(state)
    .map(({ quotes }) => quotes)
    .filter((quotes) => quotes.length > 0);
  return lists.length < 2 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a.n - b.n);
}

/** The offloaded human entries of the path as one range; null for none. */
export function offloadedHuman(state: State): OffloadedRange | null {
  const ranges = viewsOnPath(state).flatMap(({ offloaded }) => offloaded ?? []);
  return ranges.length === 0 ? null : ranges.reduce(joined);
}

/** The title of the quotes. */
export const quoteTitle = 'Said earlier by the user:';

/** One quote as a line, with the id of its entry. */
export const quoteLine = ({ n, text }: Quote): string => `- "${text}" (${entryId(n)})`;

/** The `most` newest quotes and the breadcrumb of what was offloaded, as one text; '' for neither. */
export function quoteSection(
  quotes: readonly Quote[],
  offloaded: OffloadedRange | null,
  most: number,
): string {
  const lines = most === 0 ? [] : quotes.slice(-most).map(quoteLine);
  return [
    ...(lines.length === 0 ? [] : [quoteTitle, ...lines]),
    ...(offloaded === null ? [] : [offloadedLine(offloaded)]),
  ].join('\n');
}

const offloadedLine = ({ from, to, entries }: OffloadedRange): string =>
  `[${entries} earlier messages of the user: ${from}–${to}]`;

/** The index of the active frame's item before which `newest` is shown; null where it is such an item itself, or is shown with the older ones. */
export function indexOfNewest(state: State, newest: State['newest']): number | null {
  if (newest === null || isOnPath(state, newest.n)) return null;
  const items = state.views.get(state.active)?.items ?? [];
  const index = items.findLastIndex(({ unit }) => unit < newest.n) + 1;
  const before = items[index - 1];
  return before === undefined || wasAnswered(state, before.unit, newest.n) ? index : null;
}

const viewsOnPath = ({ frames, active, views }: State): readonly FrameView[] =>
  path(frames, active).flatMap(({ id }) => views.get(id) ?? []);

const humanItems = (view: FrameView | undefined): readonly HumanEntry[] =>
  (view?.items ?? []).filter(({ human }) => human).map(toHuman);

function isShown(state: State, n: number, found: readonly HumanEntry[]): boolean {
  const working = state.views.get(state.active)?.items ?? [];
  return found.some((human) => human.n === n) || working.some((item) => item.n === n);
}

function joined(one: OffloadedRange, other: OffloadedRange): OffloadedRange {
  const [first, last] = [one, other].sort((a, b) => ordinal(a.from) - ordinal(b.from));
  const to = ordinal(first!.to) > ordinal(last!.to) ? first!.to : last!.to;
  return { from: first!.from, to, entries: one.entries + other.entries };
}

function isOnPath(state: State, n: number): boolean {
  return viewsOnPath(state).some(
    ({ human, items }) => human.some((one) => one.n === n) || items.some((one) => one.n === n),
  );
}

/** Whether a unit of the active frame had all its results when entry `n` was said. */
function wasAnswered({ views, active, calls }: State, unit: number, n: number): boolean {
  const isLate = (item: WorkingItem): boolean =>
    item.unit === unit && (item.n > n || item.form === 'closing');
  const items = views.get(active)?.items ?? [];
  if (items.some(isLate)) return false;
  return !calls.some((call) => !call.closed && call.n === unit);
}
