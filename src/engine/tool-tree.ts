import type { FrameNode } from '../core/tree.ts';
import type { Session } from './session.ts';

/** A frame and the one that it lies in; null for the root. */
export interface Placed {
  readonly node: FrameNode;
  readonly parent: Placed | null;
}

/** All frames of a session, parents before their children. */
export function framesIn(session: Session): readonly Placed[] {
  const found: Placed[] = [{ node: session.frames.tree(), parent: null }];
  for (let index = 0; index < found.length; index += 1) {
    const parent = found[index]!;
    for (const node of parent.node.children) found.push({ node, parent });
  }
  return found;
}

/** The frames from the root to the active one, both included. */
export function activePath(session: Session): readonly FrameNode[] {
  const path: FrameNode[] = [];
  let next = framesIn(session).find(({ node }) => node.active) ?? null;
  for (; next !== null; next = next.parent) path.push(next.node);
  return path.reverse();
}

/** A frame as a model is told of it: `f3 "API routes"`. */
export const nameOf = ({ id, title }: FrameNode): string => `${id} "${title}"`;

/** Most frames of a path that are named one by one. */
const longestPath = 6;

/** The path to the active frame on one line; the middle of a long one is left out. */
export function pathLine(path: readonly FrameNode[]): string {
  const names = path.map(nameOf);
  if (names.length <= longestPath) return names.join(' > ');
  const left = names.length - longestPath + 1;
  return [names[0], `… ${left} frames …`, ...names.slice(2 - longestPath)].join(' > ');
}
