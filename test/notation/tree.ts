import type { FrameStatus } from '../../src/core/frames/frame.ts';
import { grow, type FrameNode, type FrameTree } from '../../src/core/frames/tree.ts';
import { frameId, type FrameId } from '../../src/core/values/id.ts';
import { emptyVector } from '../../src/core/values/persistent-vector.ts';
import type { Session } from '../../src/index.ts';

// A tree on one line: `root > (auth:completed > jwt:completed, api > crud*)`.
// `*` marks the active frame; an unmarked frame is in progress.

/** The frames of a line, numbered as they stand in it, and the active one. */
export function parseTree(line: string): { readonly frames: FrameTree; readonly active: FrameId } {
  let frames: FrameTree = emptyVector();
  let active = frameId(0);
  const above: (FrameId | null)[] = [null];
  let parent: FrameId | null = null;
  for (const [, sign, title, status = 'in_progress', star] of line.matchAll(
    /([>(),])|(\w+)(?::(\w+))?(\*)?/g,
  )) {
    if (sign === '(') above.push(parent);
    else if (sign === ')') above.pop();
    else if (sign === ',') parent = above.at(-1)!;
    if (title === undefined) continue;
    const id = frameId(frames.length);
    const identity = { title, criteria: '', brief: '' };
    frames = grow(frames, { parent, identity, status: status as FrameStatus });
    if (star === '*') active = id;
    parent = id;
  }
  return { frames, active };
}

/** A tree as one line; invalidated, planned and closed frames carry their status. */
export function printTree(node: FrameNode): string {
  const status = node.status === 'in_progress' ? '' : `:${node.status}`;
  const head = `${node.title}${status}${node.active ? '*' : ''}`;
  const children = node.children.map(printTree);
  if (children.length === 0) return head;
  if (children.length === 1 && !children[0]!.includes(' > ')) return `${head} > ${children[0]}`;
  return `${head} > (${children.join(', ')})`;
}

/** The tree of a session on one line. */
export const treeOf = (session: Session): string => printTree(session.frames.tree());

/** The id of the frame with this title; the newest where several have it. */
export function frameNamed(session: Session, title: string): string {
  const found: string[] = [];
  const walk = (node: FrameNode): void => {
    if (node.title === title) found.push(node.id);
    node.children.forEach(walk);
  };
  walk(session.frames.tree());
  const id = found.at(-1);
  if (id === undefined) throw new Error(`No frame "${title}" in ${treeOf(session)}`);
  return id;
}
