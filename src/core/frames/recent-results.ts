import type { Frame } from './frame.ts';
import type { FrameId } from '../values/id.ts';
import { frameOf, path, type FrameTree } from './tree.ts';

// The tree shows results in full where there is room. Their texts must be in
// memory when that is decided, so which they are follows from the tree alone, and
// only shrinks as it grows: of each frame that is open the newest children that
// have results, but for texts that no tree has room for.

/** Most children of one frame whose results may stand in full. */
const mostChildren = 128;

/** Newest children of one frame that are looked at. */
const mostLooked = 256;

/** Longest results that may stand in full, in tokens. */
const longestResults = 8_000;

/** The newest children of a frame whose results may stand in full, the newest first. */
export function recentResults(tree: FrameTree, frame: Frame): readonly Frame[] {
  const newest = frame.children.slice(-mostLooked).toReversed();
  return newest
    .map((child) => frameOf(tree, child))
    .filter(({ results }) => results !== null)
    .slice(0, mostChildren)
    .filter(({ results }) => results!.tokens <= longestResults);
}

/** The same of every frame on the path to `active`, by id. */
export function resultsOnPath(tree: FrameTree, active: FrameId): ReadonlySet<FrameId> {
  const frames = path(tree, active).flatMap((frame) => recentResults(tree, frame));
  return new Set(frames.map(({ id }) => id));
}
