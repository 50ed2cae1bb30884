import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often files are looked at, in milliseconds. */
const pause = 500;

/** Which files are followed, and what is done with those that were written to. */
interface Following {
  /** The files as they are now; more may come. */
  readonly list: () => Promise<readonly string[]>;
  /** Takes files in; whether that was done, or has to be tried again. */
  readonly take: (files: readonly string[]) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Takes each file again once it was written to, until the signal aborts. Looking at sizes and times works on every file system. */
export async function followFiles(
  files: readonly string[],
  { list, take, signal }: Following,
): Promise<void> {
  const seen = new Map<string, string>();
  for (const file of files) seen.set(file, await marksOf(file));
  // What was written while they were taken in the first time is not seen as a change.
  let waiting = new Set(files);
  for (;;) {
    if (waiting.size > 0 && (await take([...waiting]))) waiting = new Set();
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    for (const file of await list()) {
      const marks = await marksOf(file);
      if (seen.get(file) === marks) continue;
      seen.set(file, marks);
      waiting.add(file);
    }
  }
}

/** What tells that a file was written to; '' while it is not there. */
async function marksOf(file: string): Promise<string> {
  const stats = await stat(file).catch(() => null);
  return stats === null ? '' : `${stats.size} ${stats.mtimeMs}`;
}
