import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeOwner } from '../../../index.ts';
import { isAddress, storeFolder, type CommandCall } from '../../call/call.ts';

// A store that somebody may write to is looked at again and again. To open one costs some milliseconds, most of the
// time for nothing; but whoever writes, in whatever process, lets one of its files grow. So does who opens it, or
// closes it, who dies does not.

/** How often is looked for what another process wrote, in milliseconds. */
const lookEvery = 500;

const ofData = /^(?:\d+\.(?:log|ldb|sst)|MANIFEST-\d+|CURRENT)$/;

/** Whether another process has a session open to write it: that which it opened last. */
export async function isWritten(call: CommandCall, session: string): Promise<boolean> {
  const owner = await storeOwner(storeFolder(call));
  return owner !== undefined && owner.pid !== process.pid && owner.session === session;
}

/** What differs as soon as somebody has written to the store, has opened it or left it; null where nobody can tell, as of one that is no folder. */
export async function storeStamp(call: CommandCall): Promise<string | null> {
  const place = storeFolder(call);
  if (isAddress(place)) return null;
  try {
    const names = (await readdir(place)).filter((name) => ofData.test(name)).toSorted();
    const stamps = names.map(async (name) => {
      const { ino, size, mtimeMs } = await stat(join(place, name));
      return `${name} ${ino} ${size} ${mtimeMs}`;
    });
    const owner = storeOwner(place).then((found) => JSON.stringify(found));
    return (await Promise.all([...stamps, owner])).join('\n');
  } catch {
    return null;
  }
}

/** The next stamp, after one that was taken before the store was read, once it may hold more, or `most` milliseconds have passed. Rejects on abort. */
export async function nextStamp(
  call: CommandCall,
  before: string | null,
  { signal, most = Infinity }: { readonly signal: AbortSignal; readonly most?: number },
): Promise<string | null> {
  const begun = performance.now();
  for (;;) {
    await sleep(before === null ? 2 * lookEvery : lookEvery, undefined, { signal });
    const now = await storeStamp(call);
    if (now === null || now !== before || performance.now() - begun >= most) return now;
  }
}
