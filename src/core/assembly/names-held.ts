import type { EntityTally } from '../budget/reliability.ts';
import { linesAbove, type KeptLine } from '../chronicle/chronicle.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { ordinal, type FrameId } from '../values/id.ts';
import type { State } from '../state/state.ts';
import { path } from '../frames/tree.ts';

// How much of what was compressed the prompt holds now, counted by its names. A
// name counts for the line of the most worth that tells it, which is the last to
// go, so nothing is read or searched to count.

/**
 * The lines that the prompt holds now: those of the active frame's checkpoints, and of the path those
 * above the floor. Of a frame that is parked, those that it would hold with that one active.
 */
export function linesHeld(
  { chronicle, shown, frames, active, views }: State,
  frame: FrameId = active,
): readonly KeptLine[] {
  const now = path(frames, active).some(({ id }) => id === frame) ? active : frame;
  const open = new Set(path(frames, now).map(({ id }) => id));
  const standing = new Set(views.get(now)?.checkpoints.flatMap(({ lines }) => lines));
  const above = new Set(linesAbove(chronicle.lines, shown.plan.chronicle));
  return chronicle.lines.filter(
    (line) => open.has(line.frame) && (standing.has(line.id) || above.has(line)),
  );
}

/** How many of the names of a checkpoint's entries some lines hold. */
export function namesHeld(
  lines: readonly KeptLine[],
  { frame, from, to }: Pick<Checkpoint, 'from' | 'to'> & { readonly frame: FrameId },
): number {
  const [first, last] = [ordinal(from), ordinal(to)];
  return lines
    .filter((line) => line.frame === frame && line.n >= first && line.n <= last)
    .reduce((sum, { names }) => sum + names, 0);
}

/** The names of all that checkpoints of the path stand for, and how many of them `lines` hold. */
export function namesCompressed(
  { frames, active, views }: State,
  lines: readonly KeptLine[],
): EntityTally {
  const checkpoints = path(frames, active).flatMap(({ id: frame }) =>
    (views.get(frame)?.checkpoints ?? []).map((one) => ({ ...one, frame })),
  );
  return {
    found: checkpoints.reduce((sum, { names }) => sum + names, 0),
    kept: checkpoints.reduce((sum, one) => sum + namesHeld(lines, one), 0),
  };
}
