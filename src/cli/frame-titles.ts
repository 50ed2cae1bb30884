import type { FrameNode } from '../index.ts';

/** The title of each frame of a tree, by its id. */
export function frameTitles(root: FrameNode): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  const waiting = [root];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    titles.set(frame.id, frame.title);
    waiting.push(...frame.children);
  }
  return titles;
}
