import type { FrameNode } from '../../core/frames/tree.ts';
import type { LawContext } from './law.ts';
import type { Place } from './witness.ts';

/** The frames of a session by id; read anew after each fact about frames. */
export function treeOf({
  session,
  witness,
}: Pick<LawContext, 'session' | 'witness'>): ReadonlyMap<string, Place> {
  if (witness.tree !== null) return witness.tree;
  const tree = new Map<string, Place>();
  const walk = (node: FrameNode, parent: string | null): void => {
    tree.set(node.id, { node, parent });
    for (const child of node.children) walk(child, node.id);
  };
  walk(session.frames.tree(), null);
  witness.tree = tree;
  return tree;
}

/**
 * **Tree**: nothing is open or planned below a closed frame; the frames in
 * progress are exactly the path from the root to the active one, but for a
 * completed session, whose root is closed and active.
 */
export function* treeFaults(seen: LawContext): Iterable<string> {
  const tree = treeOf(seen);
  const path = new Set<string>();
  for (let id: string | null = seen.state.active; id !== null; id = tree.get(id)?.parent ?? null)
    path.add(id);
  for (const [id, { node, parent }] of tree) {
    const above = parent === null ? undefined : tree.get(parent)!.node;
    if (above !== undefined && closed.has(above.status) && !closed.has(node.status))
      yield `${id} is ${node.status} below ${parent}, which is ${above.status}`;
    if (node.active !== (id === seen.state.active)) yield `${id} is said to be active`;
    const open = node.status === 'in_progress';
    const completed = seen.state.phase === 'completed' && parent === null;
    if (open !== path.has(id) && !completed)
      yield `${id} is ${node.status} and ${path.has(id) ? 'on' : 'off'} the path`;
  }
}

const closed: ReadonlySet<string> = new Set(['completed', 'failed', 'invalidated']);
