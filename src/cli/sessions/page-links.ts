import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../reader.ts';
import type { CommandCall } from '../call/call.ts';

// The link of a page has the token by which the page asks, so it is printed once, and stands in no
// history of a browser. So that nobody who lost it wants a page without one, it is kept as long as
// its page is served, in a file that only its owner reads.

/** A page that is served. */
interface KeptLink {
  readonly session: string;
  readonly link: string;
}

/** The folder of the links; null where nobody says where the home is. */
function folderOf({ io: { env } }: CommandCall): string | null {
  const { XDG_STATE_HOME, HOME } = env;
  const state =
    XDG_STATE_HOME?.startsWith('/') === true ? XDG_STATE_HOME : HOME && join(HOME, '.local/state');
  return state === undefined || state === '' ? null : join(state, 'flamestack', 'pages');
}

/** Keeps the link of a page; gives what takes it away again. Where it cannot be kept, it is not. */
export async function keepLink(call: CommandCall, kept: KeptLink): Promise<() => Promise<void>> {
  const folder = folderOf(call);
  if (folder === null) return async () => undefined;
  const file = join(folder, `${process.pid}-${randomUUID()}.json`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify(kept), { mode: 0o600, flag: 'wx' });
  } catch {
    return async () => undefined;
  }
  return () => rm(file, { force: true });
}

/** The links of pages that are served; those of a process that ended without a word are taken away. */
export async function keptLinks(call: CommandCall): Promise<readonly KeptLink[]> {
  const folder = folderOf(call);
  const names = folder === null ? [] : await readdir(folder).catch(() => []);
  const links: KeptLink[] = [];
  for (const name of names.toSorted()) {
    const file = join(folder!, name);
    if (!isAlive(Number.parseInt(name, 10))) await rm(file, { force: true });
    else {
      const kept = await readLink(file);
      if (kept !== null) links.push(kept);
    }
  }
  return links;
}

/** What a file says; null for one that is being written, or is gone. */
async function readLink(file: string): Promise<KeptLink | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as KeptLink;
  } catch {
    return null;
  }
}
