import type { Frame } from './frame.ts';
import { ordinal, type FrameId } from '../values/id.ts';
import { path, type FrameTree } from './tree.ts';

// A frame may have ten thousand children, of which a section shows a few
// hundred at most. The newest closed and the first planned ones are listed, all
// others counted. Counts are cached by chunk of the tree, which seldom changes.

/** A count of frames that are not listed. */
export interface ChildCount {
  readonly frames: number;
  /** The first and the last of their entries; null if they have none. */
  readonly span: Frame['span'];
}

/** Closed children beside a path that are listed: at least so many of the newest, by whole chunks. */
const mostClosed = 256;
/** Planned ones that are listed: at least so many of the oldest. */
const mostPlanned = 64;
/** Generations of planned frames that are listed, each below the one before. */
const mostGenerations = 8;

/** The count of no frames. */
export const noChildren: ChildCount = { frames: 0, span: null };

/** The count of some frames. */
export function countOf(frames: readonly Frame[]): ChildCount {
  return frames.reduce(
    (sum: ChildCount, { span }) => addCounts(sum, { frames: 1, span }),
    noChildren,
  );
}

/** The sum of two counts. */
export function addCounts(a: ChildCount, b: ChildCount): ChildCount {
  const frames = a.frames + b.frames;
  if (a.span === null || b.span === null) return { frames, span: a.span ?? b.span };
  return { frames, span: [Math.min(a.span[0], b.span[0]), Math.max(a.span[1], b.span[1])] };
}

/**
 * The children beside the path to `active`, and what is planned below planned ones: some listed,
 * oldest first, so that each stands after its parent, the rest counted by parent.
 */
export function childrenOnPath(
  tree: FrameTree,
  active: FrameId,
): { closed: readonly Frame[]; planned: readonly Frame[]; rest: ReadonlyMap<FrameId, ChildCount> } {
  const rest = new Map<FrameId, ChildCount>();
  const add = (parent: FrameId, more: ChildCount): void =>
    void rest.set(parent, addCounts(rest.get(parent) ?? noChildren, more));
  const pick = (
    parents: ReadonlySet<FrameId>,
    { chunks, kind, most }: { chunks: FrameTree['chunks']; kind: ChildKind; most: number },
  ): readonly Frame[] => {
    const picked: Frame[] = [];
    for (const chunk of chunks)
      for (const [parent, groups] of groupsOf(chunk)) {
        if (!parents.has(parent)) continue;
        const { frames, count } = groups[kind];
        if (count.frames === 0) continue;
        if (picked.length >= most) add(parent, count);
        else picked.push(...frames);
      }
    return picked;
  };
  let parents = idsOf(path(tree, active));
  const closed = pick(parents, {
    chunks: tree.chunks.toReversed(),
    kind: 'closed',
    most: mostClosed,
  });
  const planned: Frame[] = [];
  for (let generation = 0; generation < mostGenerations && parents.size > 0; generation += 1) {
    const most = mostPlanned - planned.length;
    const below = pick(parents, { chunks: tree.chunks, kind: 'planned', most });
    planned.push(...below);
    parents = idsOf(below.filter(({ children }) => children.length > 0));
  }
  return { closed: byAge(closed), planned: byAge(planned), rest };
}

const idsOf = (frames: readonly Frame[]): ReadonlySet<FrameId> =>
  new Set(frames.map(({ id }) => id));

type ChildKind = 'closed' | 'planned';

/** Children of one parent within a chunk, in the order of their ids. */
interface ChildGroup {
  readonly frames: readonly Frame[];
  readonly count: ChildCount;
}

type ChildGroups = ReadonlyMap<FrameId, Readonly<Record<ChildKind, ChildGroup>>>;

const cached = new WeakMap<readonly Frame[], ChildGroups>();

/** The children that a chunk of the tree holds, by parent. */
function groupsOf(chunk: readonly Frame[]): ChildGroups {
  const before = cached.get(chunk);
  if (before !== undefined) return before;
  const groups = new Map<FrameId, Record<ChildKind, ChildGroup>>();
  for (const frame of chunk) {
    const { parent, status, branch } = frame;
    // A frame on a branch that was left is behind the breadcrumb of that branch.
    if (parent === null || status === 'in_progress' || branch !== undefined) continue;
    const mine = groups.get(parent) ?? { closed: noGroup, planned: noGroup };
    const kind = status === 'planned' ? 'planned' : 'closed';
    const { frames, count } = mine[kind];
    mine[kind] = {
      frames: [...frames, frame],
      count: addCounts(count, { frames: 1, span: frame.span }),
    };
    groups.set(parent, mine);
  }
  cached.set(chunk, groups);
  return groups;
}

const noGroup: ChildGroup = { frames: [], count: noChildren };

/** Frames in the order of their ids, each of which is parsed once. */
function byAge(frames: readonly Frame[]): readonly Frame[] {
  const aged = frames.map((frame) => [ordinal(frame.id), frame] as const);
  return aged.sort(([a], [b]) => a - b).map(([, frame]) => frame);
}
