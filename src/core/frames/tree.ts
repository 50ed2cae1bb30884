import { fail } from '../values/error.ts';
import {
  isClosed,
  type Frame,
  type FrameEvent,
  type FrameStatus,
  type FrameTable,
  type Harvested,
  type Identity,
} from './frame.ts';
import { entryId, frameId, ordinal, type FrameId } from '../values/id.ts';
import {
  at,
  emptyVector,
  members,
  push,
  set,
  setAll,
  type PersistentVector,
} from '../values/persistent-vector.ts';

// The rules that concern more than one frame. What a single frame may do is the
// frame machine's table, which comes in as an argument.

/** All frames of a session, by ordinal; parents and children refer to each other by id. */
export type FrameTree = PersistentVector<Frame>;

/** A tree with a root alone. */
export function plant(identity: Identity, status: FrameStatus): FrameTree {
  return grow(emptyVector(), { parent: null, identity, status });
}

/** The frame with this id; throws `FRAME_NOT_FOUND`. */
export function frameOf(tree: FrameTree, id: string): Frame {
  const frame = at(tree, ordinal(id));
  if (frame?.id === id) return frame;
  throw fail('FRAME_NOT_FOUND', `There is no frame "${id}"`, { frame: id });
}

/** The frames from the root to `id`, both included. */
export function path(tree: FrameTree, id: FrameId): readonly Frame[] {
  const frames: Frame[] = [];
  for (let next: FrameId | null = id; next !== null;) {
    const frame = frameOf(tree, next);
    frames.push(frame);
    next = frame.parent;
  }
  return frames.reverse();
}

/** The children of a frame, oldest first. */
export function childrenOf(tree: FrameTree, frame: Frame): readonly Frame[] {
  return frame.children.map((child) => frameOf(tree, child));
}

/** The children of the frames on the path to `id`, those of the root first. */
export const aroundPath = (tree: FrameTree, id: FrameId): readonly Frame[] =>
  path(tree, id).flatMap((frame) => childrenOf(tree, frame));

const participles: Readonly<Record<FrameEvent, string>> = {
  'frame.start': 'started',
  'frame.complete': 'completed',
  'frame.fail': 'failed',
  'frame.block': 'blocked',
  'frame.invalidate': 'invalidated',
};

/** The status that `event` leads a frame to; throws `FRAME_STATUS` where the table refuses it. */
export function nextStatus(table: FrameTable, frame: Frame, event: FrameEvent): FrameStatus {
  const next = table[frame.status][event];
  if (next !== undefined) return next;
  throw fail(
    'FRAME_STATUS',
    `Frame "${frame.title}" (${frame.id}) is ${frame.status} and cannot be ${participles[event]}`,
    { frame: frame.id, status: frame.status, event },
  );
}

/** The tree with a new frame under `parent`, or as the root where it is null. */
export function grow(
  tree: FrameTree,
  given: {
    parent: FrameId | null;
    identity: Identity;
    status: FrameStatus;
    retryOf?: FrameId | null;
  },
): FrameTree {
  const id = frameId(tree.length);
  const frame: Frame = {
    id,
    parent: given.parent,
    children: [],
    title: given.identity.title,
    criteria: given.identity.criteria,
    brief: given.identity.brief,
    status: given.status,
    span: null,
    partial: null,
    results: null,
    reason: null,
    retryOf: given.retryOf ?? null,
  };
  const grown = push(tree, frame);
  if (given.parent === null) return grown;
  const parent = frameOf(tree, given.parent);
  return change(grown, [{ ...parent, children: [...parent.children, id] }]);
}

/** The tree with these frames in place of those of the same id. */
export function change(tree: FrameTree, frames: readonly Frame[]): FrameTree {
  const [only] = frames;
  if (only !== undefined && frames.length === 1) return set(tree, ordinal(only.id), only);
  return setAll(tree, new Map(frames.map((frame) => [ordinal(frame.id), frame])));
}

/**
 * The frames that fall when `id` is invalidated: itself and every one below that the
 * table invalidates, parents first. The others (completed and failed) stay as history.
 */
export function cascade(tree: FrameTree, id: FrameId, table: FrameTable): readonly Frame[] {
  const fallen: Frame[] = [];
  const waiting = [frameOf(tree, id)];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    const status = table[frame.status]['frame.invalidate'];
    if (status !== undefined) fallen.push({ ...frame, status, partial: null });
    for (const child of frame.children) waiting.push(frameOf(tree, child));
  }
  return fallen;
}

/** The nearest frame of the path to `id` that is in progress. */
export function nearestLiving(tree: FrameTree, id: FrameId): FrameId {
  const living = path(tree, id).findLast((frame) => frame.status === 'in_progress');
  return (living ?? frameOf(tree, frameId(0))).id;
}

/** The planned and blocked children that keep a frame from being closed. */
export function childrenLeft(tree: FrameTree, frame: Frame): readonly Frame[] {
  return childrenOf(tree, frame).filter((child) => !isClosed(child));
}

/** The frame as a host sees it, children inside. */
export interface FrameNode extends Identity {
  readonly id: string;
  readonly status: FrameStatus;
  readonly active: boolean;
  readonly results: string | null;
  readonly artifacts: readonly string[];
  readonly decisions: readonly string[];
  /** The lists that nobody gave: they are told from the frame's log, each item with its entry. */
  readonly harvested: readonly Harvested[];
  /** Checks that failed last, told from the frame's log. */
  readonly failing: readonly string[];
  readonly reason: string | null;
  readonly retryOf: string | null;
  readonly children: readonly FrameNode[];
}

/** The whole tree as nested plain objects, however deep it is; `results` are briefs. */
export function toNode(tree: FrameTree, active: FrameId): FrameNode {
  const children = new Map<FrameId, FrameNode[]>();
  let root: FrameNode | undefined;
  for (const frame of members(tree)) {
    if (frame.branch !== undefined) continue;
    const own: FrameNode[] = [];
    children.set(frame.id, own);
    const node = nodeOf(frame, frame.id === active, own);
    if (frame.parent === null) root = node;
    else children.get(frame.parent)!.push(node);
  }
  return root!;
}

/** A frame on a branch that was left; it is shown in no tree, and its id is never used again. */
export interface LeftFrame {
  readonly id: string;
  readonly title: string;
  /** The frame that it was made under. */
  readonly parent: string;
  /** Its first and its last entry; null where it has none. */
  readonly entries: { readonly from: string; readonly to: string } | null;
}

/** The frames on branches that were left, oldest first. */
export function leftFrames(tree: FrameTree): readonly LeftFrame[] {
  return members(tree).flatMap(({ id, title, parent, span, branch }) => {
    if (branch === undefined || parent === null) return [];
    const entries = span === null ? null : { from: entryId(span[0]), to: entryId(span[1]) };
    return [{ id, title, parent, entries }];
  });
}

function nodeOf(frame: Frame, active: boolean, children: readonly FrameNode[]): FrameNode {
  return {
    id: frame.id,
    title: frame.title,
    criteria: frame.criteria,
    brief: frame.brief,
    status: frame.status,
    active,
    results: frame.results?.brief ?? null,
    artifacts: frame.results?.artifacts ?? [],
    decisions: frame.results?.decisions ?? [],
    harvested: frame.results?.harvested ?? [],
    failing: frame.results?.failing ?? [],
    reason: frame.reason,
    retryOf: frame.retryOf,
    children,
  };
}
