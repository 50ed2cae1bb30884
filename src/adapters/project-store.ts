import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EngineError } from '../names.ts';

// A repository comes along with whatever somebody put into it: a `.flamestack` that is a link to a store elsewhere,
// a file in it that is one to somewhere of yours. So a place that nobody named but the project lies in the project,
// and what is in it in that place, wherever links lead; and it is yours, as git has it: in a folder that others
// may write to, as /tmp, anybody could put a store above your work and have it filled.

/**
 * The store of the project in which a folder lies, the innermost that there is; null where there is none. Throws
 * `OPTION_INVALID` for one that leads out of the project, or is another user's.
 */
export function projectStore(folder: string): string | null {
  const store = join(folder, '.flamestack');
  if (isThere(store)) return ownPlace(store, 'store');
  const parent = dirname(folder);
  return parent === folder ? null : projectStore(parent);
}

/** A folder that nobody named but the project that it lies in; throws `OPTION_INVALID` where it leads out of that, or is another user's. */
export function ownPlace(place: string, option: 'store' | 'documents'): string {
  const found = wayOut(place, dirname(resolve(place)));
  if (found === null) return ofUser(place, option);
  const { link, target } = found;
  const where = target === null ? 'nowhere' : `"${target}"`;
  const message = `"${link}" leads out of the project by a link, to ${where}`;
  throw new EngineError('OPTION_INVALID', message, { detail: { option, location: link, target } });
}

/** The place, where it is of whoever runs this, or not there yet. Under `sudo` it may be of who asked for that. */
function ofUser(place: string, option: 'store' | 'documents'): string {
  const user = process.geteuid?.();
  const owner = statSync(place, { throwIfNoEntry: false })?.uid;
  if (user === undefined || owner === undefined || owner === user) return place;
  const { SUDO_UID } = process.env;
  if (user === 0 && String(owner) === SUDO_UID) return place;
  const location = resolve(place);
  throw new EngineError('OPTION_INVALID', `"${location}" belongs to another user (uid ${owner})`, {
    detail: { option, location, owner },
  });
}

/** A link, and its end; null for one that leads nowhere. */
interface WayOut {
  readonly link: string;
  readonly target: string | null;
}

/** Where a place leads out of a project, or what is in it out of the place; null where neither does. What is not there yet leads where it would be. */
export function wayOut(place: string, project: string): WayOut | null {
  const link = resolve(place);
  const target = realPlace(link);
  const root = realPlace(resolve(project));
  if (target === null || root === null || !isBelow(target, root)) return { link, target };
  for (const name of linksIn(target)) {
    const end = realPlace(join(target, name));
    if (end === null || !isBelow(end, target)) return { link: join(link, name), target: end };
  }
  return null;
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Where a path leads, as far as there is something; null where a link of it leads nowhere. */
function realPlace(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    if (isThere(path)) return null;
    const parent = dirname(path);
    const real = parent === path ? path : realPlace(parent);
    return real === null ? null : join(real, basename(path));
  }
}

/** Whether a path has something, be it a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function linksIn(folder: string): readonly string[] {
  try {
    const all = readdirSync(folder, { withFileTypes: true });
    return all.filter((one) => one.isSymbolicLink()).map(({ name }) => name);
  } catch {
    return [];
  }
}
