import { realpath, stat } from 'node:fs/promises';

// A store is its real path and its inode, whatever it is called. LevelDB knows the stores of a process
// by name only; under a second name it locks the same file once more, and closing either handle on that
// file gives up the lock of both. It even does so when it refuses the same name a second time. So the
// folder is claimed here first, and LevelDB never opens one twice.

/** Stores that are open in this process, by each of their names, and where they were opened; copies of this package share it. */
const mark = Symbol.for('flamestack.stores');
const shared = globalThis as { [mark]?: Map<string, string> };
const opened = (shared[mark] ??= new Map());

/** A folder that nobody else in this process opens meanwhile. */
export interface Claim {
  /** The real path. */
  readonly path: string;
  release(): void;
}

/** Claims the folder at `location`, which must be there; where it is taken, tells under which location it was opened. */
export async function claimFolder(location: string): Promise<Claim | { readonly openAs: string }> {
  const path = await realpath(location);
  const names = await namesOf(path);
  const openAs = names.map((name) => opened.get(name)).find((found) => found !== undefined);
  if (openAs !== undefined) return { openAs };
  for (const name of names) opened.set(name, location);
  return {
    path,
    release() {
      for (const name of names) opened.delete(name);
    },
  };
}

/** Whether this process has the store in a folder open. */
export async function isOpenHere(location: string): Promise<boolean> {
  const names = await namesOf(await realpath(location));
  return names.some((name) => opened.has(name));
}

/** The names of a folder by its real path. */
async function namesOf(path: string): Promise<readonly string[]> {
  const { dev, ino } = await stat(path, { bigint: true });
  return ino === 0n ? [path] : [path, `${dev}:${ino}`];
}
