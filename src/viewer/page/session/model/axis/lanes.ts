import type { FrameSpan } from '../history.ts';

/** A frame as it is drawn: one that ended before it began stands at its end. */
export const drawnSpan = (span: FrameSpan): FrameSpan => ({
  ...span,
  from: span.from ?? span.to,
});

/** The row of each frame that began: below its parent's, and below those that are drawn at the same time. */
export function lanesOf(spans: readonly FrameSpan[]): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>();
  const drawn: { readonly from: number; readonly to: number }[][] = [];
  const begun = spans.flatMap((span) =>
    // What begins and ends in one step takes room, too.
    span.from === null
      ? []
      : [{ ...span, from: span.from, to: Math.max(span.to ?? Infinity, span.from + 1) }],
  );
  for (const span of begun.toSorted((a, b) => a.depth - b.depth || a.from - b.from)) {
    let lane = span.parent === null ? 0 : (lanes.get(span.parent) ?? -1) + 1;
    while (drawn[lane]?.some(({ from, to }) => from < span.to && span.from < to)) lane += 1;
    (drawn[lane] ??= []).push(span);
    lanes.set(span.id, lane);
  }
  return lanes;
}

/** The row of each frame that waits: below its parent's, and each in one of its own. */
export function plannedRows(
  planned: readonly FrameSpan[],
  lanes: ReadonlyMap<string, number>,
): ReadonlyMap<FrameSpan, number> {
  const rows = new Map<string, number>();
  const taken = new Set<number>();
  return new Map(
    planned.map((span) => {
      const parent = span.parent ?? '';
      let row = (rows.get(parent) ?? lanes.get(parent) ?? -1) + 1;
      while (taken.has(row)) row += 1;
      taken.add(row);
      rows.set(span.id, row);
      return [span, row];
    }),
  );
}
