// Session files of agents are trees: who takes a prompt back and sends another
// leaves a branch behind. What counts is the path from the last leaf to the
// root; what hangs beside it was abandoned.
//
//   a ── b ── c ── d          abandoned: one branch, c and d
//        └─── e ── f          the path: a b e f

/** A line of a file that names the one it follows. */
export interface ParentLink {
  readonly line: number;
  readonly id: string;
  /** The line that it follows; nothing for a root. */
  readonly parent: string | null;
}

/** The ids from `leaf` to its root; a circle ends where it closes. */
export function pathTo(
  leaf: ParentLink | undefined,
  links: ReadonlyMap<string, ParentLink>,
): Set<string> {
  const path = new Set<string>();
  let link = leaf;
  while (link !== undefined && !path.has(link.id)) {
    path.add(link.id);
    link = link.parent === null ? undefined : links.get(link.parent);
  }
  return path;
}

/** The links beside `path`, in one group per branch that leaves it; order is kept. */
export function branchesBeside<L extends ParentLink>(
  links: Iterable<L>,
  path: ReadonlySet<string>,
): readonly (readonly L[])[] {
  const branches = new Map<string, L[]>();
  const groupOf = new Map<string, L[]>();
  for (const link of links) {
    if (path.has(link.id)) continue;
    const above = link.parent === null ? undefined : groupOf.get(link.parent);
    const group = above ?? [];
    if (above === undefined) branches.set(link.id, group);
    group.push(link);
    groupOf.set(link.id, group);
  }
  return [...branches.values()];
}
