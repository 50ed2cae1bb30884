import type { OutMessage } from './assembly.ts';
import { endsOf, positionsIn, type PositionSpan, type Span } from '../values/span.ts';
import { spansOf } from '../frames/frame-ranges.ts';
import type { State } from '../state/state.ts';
import { frameOf } from '../frames/tree.ts';
import type { FrameView } from '../state/view.ts';

/**
 * Entries of open frames that an assembly of the state neither holds nor leads to, ascending: what
 * is not in `messages` must be behind a checkpoint, a partial result, a breadcrumb, or on a branch
 * that was left. None, as long as the engine keeps the coverage law.
 */
export function uncoveredEntries(state: State, messages: readonly OutMessage[]): readonly number[] {
  const shown = messages.flatMap(({ entry }): readonly PositionSpan[] => {
    if (entry === undefined) return [];
    const n = Number(entry.slice(1));
    return [[n, n]];
  });
  const always = [...shown, ...state.timeline.left.flatMap(({ runs }) => runs)];
  const missing = [...state.views].flatMap(([id, view]) => {
    const frame = frameOf(state.frames, id);
    if (frame.status === 'blocked') return [];
    const { partial } = frame;
    const aside = id === state.active || partial === null ? [] : [endsOf(partial)];
    const covers = [...always, ...aside, ...coversOf(view)].toSorted(
      ([one], [other]) => one - other,
    );
    return spansOf(state.runs, frame).flatMap((span) => holesIn(span, covers));
  });
  return missing.toSorted((one, other) => one - other);
}

/** Whether any of these entries was not told before. */
export function hasUnreported(entries: readonly number[], told: readonly Span[]): boolean {
  const known = new Set(positionsIn(told));
  return entries.some((n) => !known.has(n));
}

function coversOf({ checkpoints, offloaded }: FrameView): readonly PositionSpan[] {
  return [...checkpoints, ...(offloaded === null ? [] : [offloaded])].map(endsOf);
}

/** Positions of a span outside all covers, which are sorted by where they begin. */
function holesIn([first, last]: PositionSpan, covers: readonly PositionSpan[]): readonly number[] {
  const holes: number[] = [];
  let next = first;
  for (const [from, to] of covers) {
    if (next > last || from > last) break;
    for (; next < from; next += 1) holes.push(next);
    next = Math.max(next, to + 1);
  }
  for (; next <= last; next += 1) holes.push(next);
  return holes;
}
