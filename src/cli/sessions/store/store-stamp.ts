import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAddress, storeFolder, type CommandCall } from '../../call/call.ts';

// A store that somebody may write to is looked at again and again. To open one costs some milliseconds, most of the
// time for nothing; but whoever writes, in whatever process, lets one of its files grow.

/** How often is looked for what another process wrote, in milliseconds. */
const lookEvery = 500;

const ofData = /^(?:\d+\.(?:log|ldb|sst)|MANIFEST-\d+|CURRENT)$/;

/** What differs as soon as somebody has written to the store; null where nobody can tell, as of one that is no folder. */
export async function storeStamp(call: CommandCall): Promise<string | null> {
  const place = storeFolder(call);
  if (isAddress(place)) return null;
  try {
    const names = (await readdir(place)).filter((name) => ofData.test(name)).toSorted();
    const stamps = names.map(async (name) => {
      const { ino, size, mtimeMs } = await stat(join(place, name));
      return `${name} ${ino} ${size} ${mtimeMs}`;
    });
    return (await Promise.all(stamps)).join('\n');
  } catch {
    return null;
  }
}

/** The next stamp, after one that was taken before the store was read, once it may hold more. Rejects on abort. */
export async function nextStamp(
  call: CommandCall,
  before: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  for (;;) {
    await sleep(before === null ? 2 * lookEvery : lookEvery, undefined, { signal });
    const now = await storeStamp(call);
    if (now === null || now !== before) return now;
  }
}
