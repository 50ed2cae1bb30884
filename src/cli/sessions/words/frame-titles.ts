import type { FrameNode, Session, SessionSummary, Store } from '../../../index.ts';

/** The frames under the title that `ls` shows, where the root has none of its own but the id. */
export function titledTree(
  tree: FrameNode,
  { id, title }: Pick<SessionSummary, 'id' | 'title'>,
): FrameNode {
  return title !== undefined && tree.title === id ? { ...tree, title } : tree;
}

/** The title that `ls` shows of a session; undefined before it has one. */
export async function listedTitle(
  store: Pick<Store, 'sessions'>,
  id: string,
): Promise<string | undefined> {
  for await (const one of store.sessions({ prefix: id, limit: 1 }))
    if (one.id === id) return one.title;
  return undefined;
}

/** The title of each frame of a session, by its id, but of a root that has none of its own; those of frames on branches that were left, too. */
export function frameTitles({
  id: session,
  frames,
}: Pick<Session, 'id' | 'frames'>): ReadonlyMap<string, string> {
  const titles = new Map(frames.left().map(({ id, title }) => [id, title]));
  const tree = frames.tree();
  for (const frame of framesIn(tree))
    if (frame !== tree || frame.title !== session) titles.set(frame.id, frame.title);
  return titles;
}

/** The frames of a tree, each before those in it. */
export function* framesIn(tree: FrameNode): Generator<FrameNode> {
  const waiting = [tree];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    yield frame;
    waiting.push(...frame.children.toReversed());
  }
}
