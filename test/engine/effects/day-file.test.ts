import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { appendDocument } from '../../../src/engine/effects/documents/day-file.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { parseDocuments, type SessionFact } from '../../../src/index.ts';
import { newLocation } from '../../store/folder.ts';
import { newDisk } from '../disk.ts';
import { compile } from '../../compile.ts';

// The file of a day under fire: processes that are killed, disks that refuse,
// people who edit meanwhile. Documents stand there once, whole, and nothing that
// anybody else wrote is lost.

const day = '1970-01-01.md';
const originals = { ...fs };
let compiled: string;

beforeAll(async () => {
  compiled = await compile('src/engine/effects/documents/day-file.ts');
});

afterEach(() => {
  Object.assign(fs, originals);
  syncBuiltinESMExports();
});

/** Puts calls in place of those of the system. */
function instead(calls: Partial<typeof fs>): void {
  Object.assign(fs, calls);
  syncBuiltinESMExports();
}

const refusal = (code: string): Error => Object.assign(new Error(code), { code });

/** A process that appends so many documents of a name; resolves with the signal that ended it. */
async function appending(
  path: string,
  given: { name: string; count: number; end?: 'rename' | 'write' },
): Promise<string | null> {
  const { name, count, end = '' } = given;
  const script = join(import.meta.dirname, 'appender.mjs');
  const child = spawn(process.execPath, [script, compiled, path, name, String(count), end], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal;
}

async function idsIn(path: string): Promise<readonly string[]> {
  return parseDocuments(await readFile(path, 'utf8')).map(({ id }) => id);
}

const printed = (id: string): string =>
  `## Checkpoint [10:00] — Message #1\n\n<!-- flamestack {"id":"${id}","session":"s","at":0,"reason":""} -->\n`;

test('processes that write to one file at once lose nothing of each other', async () => {
  const path = join(await newLocation(), day);
  const names = ['a', 'b', 'c'];
  await Promise.all(names.map(async (name) => appending(path, { name, count: 12 })));
  const ids = await idsIn(path);
  for (const name of names)
    expect(ids.filter((id) => id.startsWith(`${name}/`))).toEqual(
      Array.from({ length: 12 }, (_, n) => `${name}/${n + 1}`),
    );
  expect(ids).toHaveLength(36);
  expect(await readdir(dirname(path))).toEqual([day]);
});

test.each(['rename', 'write'] as const)(
  'a process killed at its %s leaves the file whole, and what it left beside it goes with the next document',
  async (end) => {
    const path = join(await newLocation(), day);
    await appendDocument(path, printed('s/1'));
    const before = await readFile(path);
    expect(await appending(path, { name: 'killed', count: 1, end })).toBe('SIGKILL');
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(dirname(path))).toHaveLength(3);
    await appending(path, { name: 'killed', count: 1 });
    expect(await idsIn(path)).toEqual(['s/1', 'killed/1']);
    expect(await readdir(dirname(path))).toEqual([day]);
  },
);

test('a lock that says nothing keeps others out until it is old', async () => {
  const path = join(await newLocation(), day);
  await mkdir(dirname(path));
  const lock = join(dirname(path), `.${day}.lock`);
  await writeFile(lock, '');
  let isDone = false;
  const waiting = appendDocument(path, printed('s/1')).then(() => (isDone = true));
  await appendDocument(join(dirname(path), '1970-01-02.md'), printed('s/2'));
  expect(isDone).toBe(false);
  await utimes(lock, 1, 1);
  await waiting;
  expect(await readdir(dirname(path))).toEqual([day, '1970-01-02.md']);
});

test.each(['ENOSPC', 'EROFS', 'EACCES', 'EIO'])(
  'where the disk says %s it is told, the file stays as it was, and the next document is written',
  async (code) => {
    const folder = await newLocation();
    const store = await openOver((await newDisk()).mount(), {
      clock: new SimulatedClock(),
      documents: folder,
    });
    const session = await store.open('s', { window: 16_000 });
    const facts: SessionFact[] = [];
    session.on('*', (fact) => facts.push(fact));
    await session.push({ title: 'Parser' });
    await session.settled();
    const before = await readFile(join(folder, day));

    instead({
      async open(file, ...rest) {
        const handle = await originals.open(file, ...rest);
        if (!String(file).endsWith('.tmp')) return handle;
        if (code === 'EROFS' || code === 'EACCES') {
          await handle.close();
          throw refusal(code);
        }
        handle.writeFile = async () => {
          await handle.write('## Half a doc');
          throw refusal(code);
        };
        return handle;
      },
    });
    await session.pop({ status: 'completed', results: 'Done' });
    await session.settled();
    await expect(session.writeDocument()).rejects.toMatchObject({
      code: 'DOCUMENT_FAILED',
      retryable: true,
      detail: { session: 's', reason: code },
    });
    const failed = facts.filter(({ type }) => type === 'document.failed');
    expect(failed).toMatchObject([{ reason: code }, { reason: code }]);
    expect(await readFile(join(folder, day))).toEqual(before);
    expect((await readdir(folder)).toSorted()).toEqual(['.NOW.s.z', day, 'NOW.md']);

    instead(originals);
    await session.append({ role: 'user', content: 'Go on' });
    await session.push({ title: 'Printer' });
    await session.settled();
    const found = parseDocuments(await readFile(join(folder, day), 'utf8'));
    expect(found.map(({ reason, topic }) => [reason, topic])).toEqual([
      ['push', 'Parser'],
      ['push', 'Printer'],
    ]);
    await store.close();
  },
);

test('a folder in the place of the file is told, and stays', async () => {
  const folder = await newLocation();
  await mkdir(join(folder, day), { recursive: true });
  await expect(appendDocument(join(folder, day), printed('s/1'))).rejects.toMatchObject({
    code: 'EISDIR',
  });
  expect(await readdir(folder)).toEqual([day]);
});

test('what a person saves while a document is being written stays, in whatever encoding', async () => {
  const path = join(await newLocation(), day);
  await appendDocument(path, printed('s/1'));
  const note = Buffer.from([0x43, 0x61, 0x66, 0xe9, 0x0d, 0x0a]); // Latin-1
  let saved = 0;
  instead({
    async rm(file, ...rest) {
      // Between what was read of the file and what is put in its place.
      if (saved < 2 && String(file).endsWith('.tmp')) {
        saved += 1;
        await fs.appendFile(path, Buffer.concat([Buffer.from('\n# Mine\n'), note]));
      }
      return originals.rm(file, ...rest);
    },
  });
  await appendDocument(path, printed('s/2'));
  const whole = await readFile(path);
  expect(whole.toString('latin1').split('# Mine\nCafé\r\n')).toHaveLength(3);
  expect(await idsIn(path)).toEqual(['s/1', 's/2']);
});

test('a file that somebody writes to without end is left to them', async () => {
  const path = join(await newLocation(), day);
  await appendDocument(path, printed('s/1'));
  instead({
    async rm(file, ...rest) {
      if (String(file).endsWith('.tmp')) await fs.appendFile(path, 'more\n');
      return originals.rm(file, ...rest);
    },
  });
  await expect(appendDocument(path, printed('s/2'))).rejects.toMatchObject({ code: 'EBUSY' });
  instead(originals);
  expect(await idsIn(path)).toEqual(['s/1']);
  expect(await readdir(dirname(path))).toEqual([day]);
});

test('two sessions of two stores write to the same file of the day', async () => {
  const folder = await newLocation();
  const stores = await Promise.all(
    ['one', 'two'].map(async () =>
      openOver((await newDisk()).mount(), { clock: new SimulatedClock(), documents: folder }),
    ),
  );
  await Promise.all(
    stores.map(async (store, n) => {
      const sessions = await Promise.all(
        ['s', 't'].map(async (id) => store.open(`${id}${n}`, { window: 16_000 })),
      );
      await Promise.all(sessions.map(async (one) => one.push({ title: 'Parser' })));
      await Promise.all(sessions.map(async (one) => one.settled()));
    }),
  );
  expect((await idsIn(join(folder, day))).toSorted()).toEqual(['s0/3', 's1/3', 't0/3', 't1/3']);
  await Promise.all(stores.map(async (store) => store.close()));
});
