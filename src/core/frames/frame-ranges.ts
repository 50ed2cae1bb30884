import type { Frame } from './frame.ts';
import type { FrameId } from '../values/id.ts';
import { at, push, type PersistentVector } from '../values/persistent-vector.ts';
import type { PositionSpan } from '../values/span.ts';
import { partitionPoint } from '../values/partition-point.ts';

// Entries go to one frame until another becomes active, so the frames of all entries
// are kept run-length encoded: the list grows with each change of frame only.
//
//   entries   e1 e2 e3 │ e4 e5 │ e6 …
//   runs      [1, f0]    [4, f1]  [6, f0]

/** A run of entries in one frame: its first position, and the frame; it ends where the next run begins. */
export type FrameRange = readonly [first: number, frame: FrameId];

/** The runs of a log, oldest first. */
export type FrameRanges = PersistentVector<FrameRange>;

/** The runs with entry `n`, the newest, in `frame`. */
export function extendRuns(runs: FrameRanges, n: number, frame: FrameId): FrameRanges {
  return at(runs, runs.length - 1)?.[1] === frame ? runs : push(runs, [n, frame]);
}

/** The frame of entry `n`; undefined before the first entry. That there is an entry `n` is not checked. */
export function frameAt(runs: FrameRanges, n: number): FrameId | undefined {
  return at(runs, runAt(runs, n))?.[1];
}

/** The spans of the log that lie in a frame, oldest first. Reads only the runs between its first and last entry. */
export function spansOf(runs: FrameRanges, frame: Frame): readonly PositionSpan[] {
  const { span } = frame;
  if (span === null) return [];
  const spans: PositionSpan[] = [];
  for (let index = runAt(runs, span[0]); index < runs.length; index += 1) {
    const [first, id] = at(runs, index)!;
    if (first > span[1]) break;
    const next = at(runs, index + 1)?.[0] ?? span[1] + 1;
    if (id === frame.id) spans.push([first, Math.min(next - 1, span[1])]);
  }
  return spans;
}

/** The index of the run that holds `n`; -1 before the first. */
const runAt = (runs: FrameRanges, n: number): number =>
  partitionPoint(runs.length, (index) => at(runs, index)![0] <= n) - 1;
