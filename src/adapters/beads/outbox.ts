import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../reader.ts';
import type { Beads } from './beads.ts';
import { BeadsError } from './beads-error.ts';

// A comment is put into a file before it is sent and taken out when it is there, so a tracker that is down, slow or
// locked, or a program that is killed, loses none. A file is taken by renaming it: two windows never send one twice.

/** Comments on their way to a tracker. */
export interface Outbox {
  /** Writes a comment, within `timeout` milliseconds or later. Never rejects. */
  write(issue: string, text: string, timeout: number): Promise<void>;
  /** Sends what could not be sent before, oldest first, until one cannot be sent again. Never rejects. */
  flush(): Promise<void>;
  /** How many wait. */
  waiting(): Promise<number>;
}

/** What an outbox needs. */
export interface OutboxGiven {
  /** Where the outboxes of all projects lie. */
  readonly folder: string;
  /** The project whose comments these are. */
  readonly project: string;
  readonly beads: Pick<Beads, 'comment' | 'show'>;
  /** Hears of a comment that the tracker will never take; it stays in its file. */
  readonly onRefused: (issue: string, text: string, reason: string) => void;
}

interface Waiting {
  readonly issue: string;
  readonly text: string;
}

/** Longest that a comment of an earlier day may take, in milliseconds. */
const patience = 5_000;

/** Codes of a tracker for what it will refuse for ever. */
const final = /NOT_FOUND|AMBIGUOUS|VALIDATION|INVALID/;

/** The outbox of a project; nothing is made before the first comment. */
export function outboxOf({ folder, project, beads, onRefused }: OutboxGiven): Outbox {
  const own = createHash('sha256').update(project).digest('hex').slice(0, 16);
  const place = join(folder, own);

  /** Sends what is in a file; false where the tracker takes nothing now. `again`: it may be there already. */
  const send = async (
    name: string,
    { again, timeout }: { readonly again: boolean; readonly timeout: number },
  ): Promise<boolean> => {
    const [file, taken] = [join(place, name), join(place, `${name}.${process.pid}`)];
    try {
      await rename(file, taken);
    } catch {
      return true;
    }
    const { issue, text } = JSON.parse(await readFile(taken, 'utf8')) as Waiting;
    try {
      if (!again || !(await isThere(beads, issue, text)))
        await beads.comment(issue, text, { timeout });
      await unlink(taken);
      return true;
    } catch (error) {
      const isFinal = error instanceof BeadsError && final.test(error.code ?? '');
      await rename(taken, isFinal ? `${file}.refused` : file);
      if (isFinal) onRefused(issue, text, error.message);
      // What one comment is refused for need not stop the next.
      return error instanceof BeadsError && error.reason === 'refused';
    }
  };

  const put = async (waiting: Waiting): Promise<string> => {
    count += 1;
    const name = `${Date.now()}-${String(count).padStart(6, '0')}-${randomUUID()}.json`;
    await mkdir(place, { recursive: true, mode: 0o700 });
    await writeFile(join(place, name), JSON.stringify(waiting), { mode: 0o600 });
    return name;
  };
  let count = 0;
  let sending: Promise<unknown> = Promise.resolve();

  const names = async (): Promise<readonly string[]> =>
    (await readdir(place).catch(() => [])).filter((name) => name.endsWith('.json')).toSorted();

  return {
    async write(issue, text, timeout) {
      try {
        const name = await put({ issue, text });
        const sent = sending.then(() => send(name, { again: false, timeout }));
        sending = sent.catch(() => undefined);
        await sent;
      } catch {
        // No room for a file: then the tracker may still have some.
        await beads.comment(issue, text, { timeout }).catch(() => undefined);
      }
    },
    async flush() {
      await takeBack(place);
      for (const name of await names()) {
        const sent = await send(name, { again: true, timeout: patience }).catch(() => false);
        if (!sent) return;
      }
    },
    waiting: async () => (await names()).length,
  };
}

/** Whether an issue has this comment: the call that wrote it may have been told to be too slow. */
async function isThere(beads: Pick<Beads, 'show'>, issue: string, text: string): Promise<boolean> {
  const [found] = await beads.show([issue]);
  return found?.comments.some((comment) => comment.text.trim() === text.trim()) ?? false;
}

/** Puts back what a process took that is no more. */
async function takeBack(place: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const [, file, pid] = /^(.+\.json)\.(\d+)$/.exec(name) ?? [];
    if (file === undefined || isAlive(Number(pid))) continue;
    await rename(join(place, name), join(place, file)).catch(() => undefined);
  }
}
