import { entriesOf, type OutMessage } from './assembly.ts';
import { ordinal } from '../values/id.ts';
import { endsOf, positionsIn, type PositionSpan, type Span } from '../values/span.ts';
import { spansOf } from '../frames/frame-ranges.ts';
import type { State } from '../state/state.ts';
import { frameOf } from '../frames/tree.ts';

/**
 * The entries of open frames that nothing leads to, ascending: neither in `messages` nor behind a
 * checkpoint, a partial result, a breadcrumb or an abandoned branch. None, as long as the engine
 * keeps the coverage law.
 */
export function uncoveredEntries(state: State, messages: readonly OutMessage[]): readonly number[] {
  const shownSpans = messages
    .flatMap(entriesOf)
    .map((entry): PositionSpan => [ordinal(entry), ordinal(entry)]);
  const always = [...shownSpans, ...state.timeline.left.flatMap(({ runs }) => runs)];
  const uncovered = [...state.views].flatMap(([id, { checkpoints, offloaded }]) => {
    const frame = frameOf(state.frames, id);
    if (frame.status === 'blocked') return [];
    const partial = id === state.active ? null : frame.partial;
    const spans: readonly Span[] = [...checkpoints, offloaded ?? [], partial ?? []].flat();
    const covers = [...always, ...spans.map(endsOf)].toSorted(([one], [other]) => one - other);
    return spansOf(state.frameRanges, frame).flatMap((span) => gapsIn(span, covers));
  });
  return uncovered.toSorted((one, other) => one - other);
}

/** Whether any of `entries` lies outside the spans that were reported before. */
export function hasUnreported(entries: readonly number[], reported: readonly Span[]): boolean {
  const positions = new Set(positionsIn(reported));
  return entries.some((n) => !positions.has(n));
}

/** The positions of a span outside all covers, which are sorted by their first position. */
function gapsIn([first, last]: PositionSpan, covers: readonly PositionSpan[]): readonly number[] {
  const gaps: number[] = [];
  let next = first;
  for (const [from, to] of covers) {
    if (next > last || from > last) break;
    for (; next < from; next += 1) gaps.push(next);
    next = Math.max(next, to + 1);
  }
  for (; next <= last; next += 1) gaps.push(next);
  return gaps;
}
