import type { Frame } from './frame.ts';
import { ordinal, type FrameId } from '../values/id.ts';
import { path, type FrameTree } from './tree.ts';

// A frame may have ten thousand children, of which a section shows a few
// hundred at most. The newest closed and the first planned ones are looked at
// one by one. All others are counted, and old ones by the chunk of the tree
// that they lie in: a chunk changes seldom, so its count is remembered.

/** Some frames that are only counted. */
export interface ChildCount {
  readonly frames: number;
  /** The first and the last of their entries; null if they have none. */
  readonly span: Frame['span'];
}

/** Closed children of a path that are looked at one by one, the newest first. */
const mostClosed = 256;
/** Planned ones, the oldest first. */
const mostPlanned = 64;

/** No frames. */
export const noChildren: ChildCount = { frames: 0, span: null };

/** How many frames there are, and which entries they have. */
export function countOf(frames: readonly Frame[]): ChildCount {
  return frames.reduce(
    (sum: ChildCount, { span }) => addCounts(sum, { frames: 1, span }),
    noChildren,
  );
}

/** Two counts as one. */
export function addCounts(a: ChildCount, b: ChildCount): ChildCount {
  const frames = a.frames + b.frames;
  if (a.span === null || b.span === null) return { frames, span: a.span ?? b.span };
  return { frames, span: [Math.min(a.span[0], b.span[0]), Math.max(a.span[1], b.span[1])] };
}

/** The children of the path to `active` that are not on it: some one by one, oldest first, the rest by parent. */
export function childrenOnPath(
  tree: FrameTree,
  active: FrameId,
): { closed: readonly Frame[]; planned: readonly Frame[]; rest: ReadonlyMap<FrameId, ChildCount> } {
  const parents = new Set(path(tree, active).map(({ id }) => id));
  const rest = new Map<FrameId, ChildCount>();
  const add = (parent: FrameId, more: ChildCount): void =>
    void rest.set(parent, addCounts(rest.get(parent) ?? noChildren, more));
  const pick = (chunks: FrameTree['chunks'], kind: ChildKind, most: number): Frame[] => {
    const picked: Frame[] = [];
    for (const chunk of chunks)
      for (const [parent, broods] of broodsOf(chunk)) {
        if (!parents.has(parent)) continue;
        const { frames, tally } = broods[kind];
        if (tally.frames === 0) continue;
        if (picked.length >= most) add(parent, tally);
        else picked.push(...frames);
      }
    return picked;
  };
  const closed = pick(tree.chunks.toReversed(), 'closed', mostClosed);
  const planned = pick(tree.chunks, 'planned', mostPlanned);
  return { closed: byAge(closed), planned: byAge(planned), rest };
}

type ChildKind = 'closed' | 'planned';

/** Children of one parent within a chunk, in the order of their ids. */
interface ChildGroup {
  readonly frames: readonly Frame[];
  readonly tally: ChildCount;
}

type ChildGroups = ReadonlyMap<FrameId, Readonly<Record<ChildKind, ChildGroup>>>;

const remembered = new WeakMap<readonly Frame[], ChildGroups>();

/** The children that a chunk of the tree holds, by parent. */
function broodsOf(chunk: readonly Frame[]): ChildGroups {
  const known = remembered.get(chunk);
  if (known !== undefined) return known;
  const broods = new Map<FrameId, Record<ChildKind, ChildGroup>>();
  for (const frame of chunk) {
    const { parent, status, branch } = frame;
    // What was said in a frame on a branch that was left is behind the branch's breadcrumb.
    if (parent === null || status === 'in_progress' || branch !== undefined) continue;
    const mine = broods.get(parent) ?? { closed: childless, planned: childless };
    const kind = status === 'planned' ? 'planned' : 'closed';
    const { frames, tally } = mine[kind];
    mine[kind] = {
      frames: [...frames, frame],
      tally: addCounts(tally, { frames: 1, span: frame.span }),
    };
    broods.set(parent, mine);
  }
  remembered.set(chunk, broods);
  return broods;
}

const childless: ChildGroup = { frames: [], tally: noChildren };

/** Each ordinal is read once, not at each comparison. */
function byAge(frames: readonly Frame[]): readonly Frame[] {
  const aged = frames.map((frame) => [ordinal(frame.id), frame] as const);
  return aged.sort(([a], [b]) => a - b).map(([, frame]) => frame);
}
