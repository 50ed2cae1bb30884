import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders that hold no sessions, however their files are called. */
const passed: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * The paths of the regular files below a folder, told from it, in order. A link below it is not followed: it may lead anywhere,
 * and back to where it lies. What cannot be looked into has none, nor has a store; the folder itself rejects.
 */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [''];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const place = join(folder, at);
    const entries = await readdir(place, { withFileTypes: true }).catch((error: unknown) => {
      if (at === '') throw error;
      return [];
    });
    if (isStore(entries)) continue;
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && !passed.has(entry.name)) waiting.push(path);
    }
  }
  return files.toSorted();
}

/** Whether a folder holds a store. */
function isStore(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return names.has('guard.json') && names.has('CURRENT');
}

/** What a file is, under whatever name; its path where there is none. */
export async function identityOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats === null ? path : `${stats.dev}:${stats.ino}`;
}
