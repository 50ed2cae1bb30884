import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../../store/files/make-folder.ts';
import { holding } from './file-lock.ts';
import { readPlain } from './plain-file.ts';
import { replaceFile } from './replace-file.ts';

// The file of a day's documents. It is replaced as a whole, so it never holds
// half a document; a document whose mark line is in it already is not written
// again, so that a crash between the file and the record of it leaves no second
// copy. Other processes of ours wait for a lock; what anybody else wrote
// meanwhile is read again, byte for byte.

/** Most attempts to replace a file that somebody else writes to meanwhile. */
const mostAttempts = 8;

/** The last writer of each file in this process: one at a time, whatever the stores. */
const writers = new Map<string, Promise<void>>();

/**
 * Appends a printed document to a file unless it stands there: all or nothing, and durable. Makes the
 * folder. Rejects with what the system says, and with `EBUSY` where others do not let go of the file.
 */
export function appendDocument(path: string, text: string): Promise<void> {
  const before = writers.get(path) ?? Promise.resolve();
  const turn = before.catch(() => undefined).then(() => insert(path, text));
  writers.set(path, turn);
  return turn.finally(() => {
    if (writers.get(path) === turn) writers.delete(path);
  });
}

async function insert(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  const target = await realpath(path).catch(() => path);
  await holding(target, async (isHeld) => {
    for (let left = mostAttempts; left > 0; left -= 1) {
      const found = await stampOf(target);
      const before = found === null ? Buffer.alloc(0) : await readPlain(target);
      if (holds(before, text)) return;
      const isSame = async (): Promise<boolean> =>
        (await isHeld()) && (await stampOf(target))?.stamp === found?.stamp;
      const whole = joined(before, text);
      if (await replaceFile(target, whole, { mode: found?.mode ?? 0o600, isSame })) return;
    }
    throw Object.assign(new Error(`${target} is written to all the time`), { code: 'EBUSY' });
  });
}

/** Whether a file has the mark line that names a document. */
function holds(file: Buffer, text: string): boolean {
  const mark = /^<!-- flamestack .*-->$/m.exec(text)?.[0];
  return mark !== undefined && file.toString().split(/\r?\n/).includes(mark);
}

/** A file with a document at its end, after an empty line; the bytes before stay as they are, whatever their encoding. */
function joined(before: Buffer, text: string): Buffer {
  let end = before.length;
  while (end > 0 && before[end - 1] === lineFeed) end -= 1;
  const gap = before.length === 0 ? '' : '\n\n';
  return Buffer.concat([before.subarray(0, end), Buffer.from(gap + text)]);
}

const lineFeed = 0x0a;

/** A stamp that changes when a file is written to, and its mode; null where there is no file. */
async function stampOf(
  path: string,
): Promise<{ readonly stamp: string; readonly mode: number } | null> {
  try {
    const { ino, size, mtimeMs, mode } = await stat(path);
    return { stamp: `${ino} ${size} ${mtimeMs}`, mode: mode & 0o777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
