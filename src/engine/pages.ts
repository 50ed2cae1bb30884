import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page, PageEnd } from '../core/diary.ts';
import { documentFile } from '../core/document.ts';
import { ordinal } from '../core/id.ts';
import { textKey } from '../store/key.ts';
import type { Store } from '../store/store.ts';
import type { Live } from './live.ts';

// Puts documents that were decided on into the file of their day. A file is
// replaced as a whole, so it never holds half a document; a document whose mark
// stands in it already is not written again, so that a crash between the file
// and the record of it leaves no second one.

/** What writes the documents of all live sessions of a store. */
export interface Pages {
  /** Writes what a session has pending. */
  pump(live: Live): void;
  /** Whether a session has documents that are being written. */
  isBusy(live: Live): boolean;
  /** Begins no other; resolves when none is being written any more. */
  stop(): Promise<void>;
}

/** A writer into `folder`; null writes nothing, and what is pending stays. */
export function runPages(around: {
  store: Store;
  folder: string | null;
  /** Tells the session how it went, in its turn. */
  tell: (live: Live, input: PageEnd) => Promise<void>;
}): Pages {
  const { store, folder, tell } = around;
  const running = new Set<string>();
  let stopped = false;
  let last: Promise<unknown> = Promise.resolve();

  const nameOf = (live: Live, { key }: Page): string => `${live.id} ${key}`;

  function pump(live: Live): void {
    if (folder === null || stopped || live.isBroken || live.isNew) return;
    for (const page of live.state.diary.pending) {
      const name = nameOf(live, page);
      if (running.has(name)) continue;
      running.add(name);
      last = last.then(() => run(live, page, folder)).finally(() => running.delete(name));
    }
  }

  async function run(live: Live, page: Page, into: string): Promise<void> {
    const { key } = page;
    if (stopped) return;
    try {
      await live.written;
      const text = await store.get('text', textKey(live.id, ordinal(page.text)));
      const file = documentFile(page.at);
      if (typeof text !== 'string') throw new Error(`Text ${page.text} is missing`);
      await appendDocument(join(into, file), text);
      await tell(live, { type: 'document.settle', key, file });
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
      await tell(live, { type: 'document.fail', key, reason });
    }
  }

  return {
    pump,
    isBusy: (live) =>
      folder !== null && !stopped && !live.isBroken && !live.isNew
        ? live.state.diary.pending.length > 0
        : false,
    async stop() {
      stopped = true;
      await last;
    },
  };
}

/** Tries to put a document into a file that somebody else writes to meanwhile. */
const most = 8;

/** The last writer of each file in this process: one at a time, whatever the stores. */
const writers = new Map<string, Promise<void>>();

/** Appends a printed document to a file unless it stands there: all or nothing, and durable. Makes the folder. */
export function appendDocument(path: string, text: string): Promise<void> {
  const before = writers.get(path) ?? Promise.resolve();
  const turn = before.catch(() => undefined).then(() => insert(path, text));
  writers.set(path, turn);
  return turn.finally(() => {
    if (writers.get(path) === turn) writers.delete(path);
  });
}

async function insert(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realpath(path).catch(() => path);
  const mark = /^<!-- flamestack .*-->$/m.exec(text)?.[0];
  for (let left = most; ; left -= 1) {
    const found = await stampOf(target);
    const before = found === null ? '' : await readFile(target, 'utf8');
    if (mark !== undefined && before.split(/\r?\n/).includes(mark)) return;
    const whole = before === '' ? text : `${before.replace(/\n*$/, '\n\n')}${text}`;
    const isSame = async (): Promise<boolean> =>
      left <= 1 || (await stampOf(target))?.stamp === found?.stamp;
    if (await replace(target, { whole, mode: found?.mode ?? 0o600, isSame })) return;
  }
}

/** Puts a file in place of `target` if that is still what it was. */
async function replace(
  target: string,
  given: { whole: string; mode: number; isSame: () => Promise<boolean> },
): Promise<boolean> {
  const { whole, mode, isSame } = given;
  const draft = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    const file = await open(draft, 'wx', mode);
    try {
      await file.writeFile(whole);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    if (!(await isSame())) return false;
    await rename(draft, target);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

/** What tells that a file was written to; null where there is none. */
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
