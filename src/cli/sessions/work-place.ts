import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where a person works. */
interface WorkPlace {
  readonly folder: string;
  /** The branch that is checked out there; left out where none is. */
  readonly branch?: string;
}

/** The folder, and the branch of Git that is checked out in it. */
export function workPlace(folder = resolve('.')): WorkPlace {
  const branch = branchIn(folder);
  return branch === null ? { folder } : { folder, branch };
}

function branchIn(folder: string): string | null {
  const git = join(folder, '.git');
  // In a worktree `.git` is a file that names the folder.
  const linked = /^gitdir: (.*)/.exec(contentOf(git) ?? '')?.[1];
  const head = contentOf(join(linked === undefined ? git : resolve(folder, linked), 'HEAD'));
  if (head !== null) return /^ref: refs\/heads\/(.+)/.exec(head)?.[1] ?? null;
  const parent = dirname(folder);
  return parent === folder ? null : branchIn(parent);
}

/** The text of a file; null where there is none that may be read. */
function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
