import type { FrameNode, Session, SessionSummary } from '../../index.ts';

/** The frames under the title that `ls` shows, where the root has none of its own but the id. */
export function titledTree(tree: FrameNode, { id, title }: SessionSummary): FrameNode {
  return title !== undefined && tree.title === id ? { ...tree, title } : tree;
}

/** The title of each frame of a session, by its id, but of a root that has none of its own; those of frames on branches that were left, too. */
export function frameTitles({
  id: session,
  frames,
}: Pick<Session, 'id' | 'frames'>): ReadonlyMap<string, string> {
  const titles = new Map(frames.left().map(({ id, title }) => [id, title]));
  const tree = frames.tree();
  const waiting: FrameNode[] = tree.title === session ? [...tree.children] : [tree];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    titles.set(frame.id, frame.title);
    waiting.push(...frame.children);
  }
  return titles;
}
