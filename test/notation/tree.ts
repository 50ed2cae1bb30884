import type { FrameNode } from '../../src/core/frames/tree.ts';
import type { Session } from '../../src/index.ts';

// A tree on one line: `root > (auth:completed > jwt:completed, api > crud*)`.
// `*` marks the active frame; an unmarked frame is in progress.

/** A tree as one line; invalidated, planned and closed frames carry their status. */
function printTree(node: FrameNode): string {
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
