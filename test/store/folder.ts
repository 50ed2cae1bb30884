import { cp, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new temporary folder, which goes when the run is over. Commands that are told with its path shall fit a line. */
export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 't-'));

/** A path inside one; nothing is there yet. */
export async function newLocation(): Promise<string> {
  return join(await newFolder(), 'store');
}

/** A copy of the folder `location`, as a new location. */
export async function copyOf(location: string): Promise<string> {
  const copy = await newLocation();
  // What an open store is writing right now may go before it is copied.
  await cp(location, copy, { recursive: true, filter: (path) => !path.endsWith('.tmp') });
  return copy;
}

/** The files in `location` whose names match, in order. */
export async function filesIn(location: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(location)).filter((file) => pattern.test(file)).sort();
}
