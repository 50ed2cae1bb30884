import type { EntityTally } from '../budget/reliability.ts';
import { linesAbove, type ChronicleFloor, type KeptLine } from '../chronicle/chronicle.ts';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { ordinal, type FrameId } from '../values/id.ts';
import type { State } from '../state/state.ts';
import { path } from '../frames/tree.ts';
import { partitionPoint } from '../values/partition-point.ts';

// How much of what was compressed the prompt holds now, counted by its names. A
// name counts for the line of the most worth that tells it, which is the last to
// go, so nothing is read or searched to count. What is held changes with
// compressions only; between them it is remembered.

/** The entries of a frame that a checkpoint stands for. */
type Stretch = Pick<Checkpoint, 'from' | 'to'> & { readonly frame: FrameId };

/** How many of the names of some entries the prompt holds. */
export type NamesHeld = (of: Stretch) => number;

/** The names that lines of a frame tell: the position of each line, in order, and the names of those before it. */
interface Sums {
  readonly positions: number[];
  readonly names: number[];
}

/** What the lines held by a prompt depend on. */
interface VisibleLines {
  /** The frames of the path. */
  readonly open: string;
  readonly floor: ChronicleFloor;
  readonly checkpoints: readonly Checkpoint[] | undefined;
}

const namesByLines = new WeakMap<
  readonly KeptLine[],
  Map<FrameId, VisibleLines & { readonly held: NamesHeld }>
>();

/**
 * The names that the prompt holds now: those of the lines of the active frame's checkpoints, and of
 * the path those above the floor. Of a frame that is parked, those that it would hold with that one active.
 */
export function namesHeld(
  { chronicle, epochView, frames, active, views }: State,
  frame: FrameId = active,
): NamesHeld {
  const now = path(frames, active).some(({ id }) => id === frame) ? active : frame;
  const ids = path(frames, now).map(({ id }) => id);
  const open = ids.join(' ');
  const { lines } = chronicle;
  const floor = epochView.plan.chronicle;
  const checkpoints = views.get(now)?.checkpoints;
  let before = namesByLines.get(lines);
  if (before === undefined) namesByLines.set(lines, (before = new Map()));
  const same = before.get(now);
  if (same?.open === open && same.floor === floor && same.checkpoints === checkpoints)
    return same.held;
  const standing = new Set(checkpoints?.flatMap((one) => one.lines));
  const above = new Set(linesAbove(lines, floor));
  const isOpen = new Set(ids);
  const held = summed(
    lines.filter(
      (line) =>
        line.names > 0 && isOpen.has(line.frame) && (standing.has(line.id) || above.has(line)),
    ),
  );
  before.set(now, { open, floor, checkpoints, held });
  return held;
}

/** Counts the names of lines, which are in the order of their positions. */
function summed(lines: readonly KeptLine[]): NamesHeld {
  const frames = new Map<FrameId, Sums>();
  for (const { frame, n, names } of lines) {
    let sums = frames.get(frame);
    if (sums === undefined) frames.set(frame, (sums = { positions: [], names: [0] }));
    sums.positions.push(n);
    sums.names.push(sums.names.at(-1)! + names);
  }
  return ({ frame, from, to }) => {
    const sums = frames.get(frame);
    if (sums === undefined) return 0;
    const { positions, names } = sums;
    return (
      names[countBelow(positions, ordinal(to) + 1)]! - names[countBelow(positions, ordinal(from))]!
    );
  };
}

/** How many of rising numbers are below a limit. */
const countBelow = (rising: readonly number[], limit: number): number =>
  partitionPoint(rising.length, (index) => rising[index]! < limit);

/** The names of all that checkpoints of the path stand for, and how many of them the prompt holds. */
export function namesCompressed(state: State): EntityTally {
  const { frames, active, views } = state;
  const held = namesHeld(state);
  let [found, kept] = [0, 0];
  for (const { id: frame } of path(frames, active))
    for (const { names, from, to } of views.get(frame)?.checkpoints ?? []) {
      found += names;
      kept += held({ frame, from, to });
    }
  return { found, kept };
}
