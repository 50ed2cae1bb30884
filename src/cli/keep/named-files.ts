import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of what is piped in. */
export const piped = '-';

/** Folders that hold no sessions, however their files are called. */
const passed = /(?:^|\/)(?:node_modules|\.git)\//;

/** What may be a session file, by its path; those of sub-agents come with the session that called them. */
const isCandidate = (path: string): boolean =>
  /\.(?:jsonl|json|traj)$/.test(path) &&
  !/(?:^|\/)(?:agent-[^/]*|subagents\/.*)$/.test(path) &&
  !passed.test(path);

/** The files that are named, and those of folders that are. */
export interface NamedFiles {
  readonly files: readonly string[];
  /** Those that nobody named, but a folder of theirs: one that is no session is none. */
  readonly found: ReadonlySet<string>;
}

/** Looks into the folders among what is named. */
export async function namedFiles(named: readonly string[]): Promise<NamedFiles> {
  const files: string[] = [];
  const found = new Set<string>();
  for (const path of named) {
    const isFolder = path !== piped && (await stat(path).catch(() => null))?.isDirectory() === true;
    if (!isFolder) {
      files.push(path);
      continue;
    }
    const below = (await readdir(path, { recursive: true })).filter(isCandidate).toSorted();
    for (const one of below.map((name) => join(path, name))) {
      if (!files.includes(one)) files.push(one);
      found.add(one);
    }
  }
  return { files, found };
}
