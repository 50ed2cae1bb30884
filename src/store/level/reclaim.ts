import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Driver } from '../driver-store.ts';
import { kinds, type CompactOptions, type Compaction, type RecordKind } from '../store.ts';

// LevelDB forgets a row when the tables that hold it are written anew, and does so for the lowest table
// only where something above it overlaps. So both ends of each stretch are deleted once more, though
// nothing is there: that makes a table over all of it, which is merged down to the last one. Where there
// was nothing to merge it with, it stays, with the name of the session; so it is done again.

/** Most times that a stretch is merged. */
const mostRounds = 4;

interface LevelDb {
  compactRange(from: string, to: string): Promise<void>;
  getProperty(name: string): string;
}

/** Writes all tables anew that may hold rows of a session of these kinds, once they are deleted; the log goes with it. */
export async function reclaim(
  db: Driver,
  session: string,
  kinds: readonly RecordKind[],
): Promise<void> {
  const level = db as Driver & LevelDb;
  for (const kind of kinds) {
    const own = `!${kind}!${session}`;
    const [from, to] = kind === 'session' ? [own, `${own}!`] : [`${own}:`, `${own};`];
    const ends = [from, to].map((key) => ({ type: 'del', key }) as const);
    // What is in memory becomes a table first, or it could lie below the one that is to take it away.
    await level.compactRange(from, to);
    for (let round = 0; round < mostRounds; round += 1) {
      await db.batch(ends, { sync: true } as object);
      await level.compactRange(from, to);
      if (!level.getProperty('leveldb.sstables').includes(`'${from}'`)) break;
    }
  }
}

/** Writes all tables anew, a kind after the other, and gives back what they held beside the newest rows; what `signal` breaks off is done up to there. */
export async function compact(
  db: Driver,
  path: string,
  { signal, onProgress }: CompactOptions = {},
): Promise<Compaction> {
  const level = db as Driver & LevelDb;
  const before = await bytesIn(path);
  for (const [at, kind] of kinds.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ of: kind, share: at / kinds.length });
    await level.compactRange(`!${kind}!`, `!${kind}"`);
  }
  return { before, after: await bytesIn(path) };
}

/** The bytes of the files in a folder; one that goes meanwhile has none. */
async function bytesIn(path: string): Promise<number> {
  const names = await readdir(path);
  const sizes = names.map((name) =>
    stat(join(path, name)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
