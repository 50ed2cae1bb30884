import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { piped } from '../call/piped.ts';
import { filesBelow, identityOf } from './files-below.ts';

/** What may be a session file, by its path; those of sub-agents come with the session that called them. */
const isCandidate = (path: string): boolean =>
  /\.(?:jsonl|json|traj)$/.test(path) && !/(?:^|\/)(?:agent-[^/]*$|subagents\/)/.test(path);

/** The files that are named, and those of folders that are. */
export interface NamedFiles {
  readonly files: readonly string[];
  /** Those that nobody named, but a folder of theirs: one that is no session is none. */
  readonly found: ReadonlySet<string>;
}

/** Looks into the folders among what is named; a file is taken once, under whatever names. */
export async function namedFiles(named: readonly string[]): Promise<NamedFiles> {
  const files: string[] = [];
  const found = new Set<string>();
  const known = new Set<string>();
  for (const path of named) {
    const isFolder = path !== piped && (await stat(path).catch(() => null))?.isDirectory() === true;
    const all = isFolder ? await sessionsBelow(path) : [path];
    for (const one of all) {
      const identity = one === piped ? piped : await identityOf(one);
      if (known.has(identity)) continue;
      known.add(identity);
      files.push(one);
      if (isFolder) found.add(one);
    }
  }
  return { files, found };
}

async function sessionsBelow(folder: string): Promise<readonly string[]> {
  const below = await filesBelow(folder);
  return below.filter(isCandidate).map((name) => join(folder, name));
}
