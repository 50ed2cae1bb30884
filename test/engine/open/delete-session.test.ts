import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { expect, test } from 'vitest';
import { openStore, type Session, type Store } from '../../../src/index.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { openLevelStore } from '../../../src/store/level/level-store.ts';
import { newFolder, newLocation } from '../../store/folder.ts';
import { codecIn } from '../../store/codec.ts';

/** A word that no compression makes shorter, so that its bytes stand wherever it was written. */
const secret = (of: string, n: number): string =>
  `sk${createHash('sha256').update(`${of} ${n}`).digest('hex').slice(0, 28)}`;

/** Fills a session with every kind of row: compressions, frames, a goal, keys, snapshots, texts, results. */
async function fill(session: Session, turns: number): Promise<void> {
  const own = (n: number): string => secret(session.id, n);
  await session.goal.set({ description: `Ship ${own(1)}` });
  for (let n = 2; n < turns + 2; n += 1)
    await session.append(
      [
        { role: 'user', content: `Never print ${own(n)} in src/${own(n)}.ts.` },
        {
          role: 'assistant',
          content: `Reading. ${'It says much. '.repeat(20)}`,
          toolCalls: [{ id: `c${n}`, name: 'read', arguments: { path: `src/${own(n)}.ts` } }],
        },
        { role: 'tool', toolCallId: `c${n}`, content: `Error: ${own(n)} is missing` },
      ],
      { key: `turn ${own(n)}` },
    );
  await session.push({ title: 'A part', criteria: `${own(2)} is gone` });
  await session.append({ role: 'user', content: `And ${own(3)}` });
  await session.pop({ status: 'completed', results: `It was ${own(3)}.` });
  await session.snapshots.create(`before ${own(4)}`);
}

/** Files of a folder, hidden ones and those below it, too, in which a secret stands. */
async function holding(folder: string, of: string, turns: number): Promise<readonly string[]> {
  const found: string[] = [];
  const words = Array.from({ length: turns + 2 }, (_, n) => secret(of, n));
  for (const file of await readdir(folder, { withFileTypes: true, recursive: true })) {
    // Notes of the store are written meanwhile, aside first.
    if (!file.isFile() || file.name.endsWith('.tmp')) continue;
    const bytes = await readFile(join(file.parentPath, file.name), 'latin1');
    if (words.some((word) => bytes.includes(word))) found.push(file.name);
  }
  return found;
}

async function keysOf(location: string, session: string): Promise<readonly string[]> {
  const db = new Level(location);
  const keys = await db.keys().all();
  await db.close();
  return keys.filter((key) => new RegExp(`^![a-z]+!${session}(:|$)`).test(key));
}

const options = { window: 2_000 } as const;

async function made(location: string, turns: number, documents?: string): Promise<Store> {
  const store = await openStore(location, documents === undefined ? {} : { documents });
  for (const id of ['gone', 'kept']) {
    const session = await store.open(id, options);
    await fill(session, turns);
    if (documents !== undefined) await session.document();
    await session.settled();
    await session.close();
  }
  return store;
}

test.each([
  { name: 'that never left memory', turns: 3, reopened: 0 },
  { name: 'of several openings', turns: 40, reopened: 2 },
])('no byte is left of a session $name', async ({ turns, reopened }) => {
  const location = await newLocation();
  let store = await made(location, turns);
  for (let n = 0; n < reopened; n += 1) {
    await store.close();
    store = await openStore(location);
    await (await store.open('gone')).append({ role: 'user', content: secret('gone', 5) });
    await store.close();
    store = await openStore(location);
  }
  expect(await holding(location, 'gone', turns)).not.toEqual([]);
  const before = await readFile(join(location, 'CURRENT'), 'utf8');
  const deletion = await store.delete('gone');
  expect(deletion).toMatchObject({ session: 'gone', documents: [] });
  expect(deletion.rows).toBeGreaterThan(turns * 4);
  expect(deletion.left.map(({ kind }) => kind)).toEqual(['document', 'backup', 'session']);
  // LevelDB's list of tables names first and last keys: those that a caller gave stand there until the next opening.
  const files = await holding(location, 'gone', turns);
  expect(files.filter((name) => !/^(MANIFEST|LOG)/.test(name))).toEqual([]);
  expect(await readFile(join(location, 'CURRENT'), 'utf8')).toBe(before);
  await store.close();
  await (await openStore(location)).close();
  await (await openStore(location)).close();
  expect(await holding(location, 'gone', turns)).toEqual([]);
  expect(await keysOf(location, 'gone')).toEqual([]);
  const kept = await openStore(location);
  const checks = [];
  for await (const { id, isSound } of kept.verify()) checks.push([id, isSound]);
  expect(checks).toEqual([['kept', true]]);
  expect((await kept.recall(secret('kept', 3))).length).toBeGreaterThan(0);
  await kept.close();
});

test('its tables are written anew where they lie deep, with those of others', async () => {
  const location = await newLocation();
  const store = await openStore(location, { durability: 'process' });
  // Digits, which are no shorter in a table and soon counted.
  const noise = (n: number): string => {
    const digest = createHash('shake256', { outputLength: 3_600 })
      .update(`noise ${n}`)
      .digest('hex');
    return BigInt(`0x${digest}`).toString();
  };
  const [gone, kept] = await Promise.all(
    ['gone', 'kept'].map((id) => store.open(id, { window: 1_000_000, compression: 'manual' })),
  );
  for (let n = 0; n < 300; n += 1)
    await Promise.all([
      gone!.append({ role: 'assistant', content: `${secret('gone', n % 20)} ${noise(n)}` }),
      kept!.append({ role: 'assistant', content: noise(n + 10_000) }),
    ]);
  await gone!.close();
  await kept!.close();
  expect((await holding(location, 'gone', 20)).length).toBeGreaterThan(1);
  await store.delete('gone');
  expect(await holding(location, 'gone', 20)).toEqual([]);
  expect((await (await store.open('kept')).entry('e300')).content).toBe(noise(10_299));
  await store.close();
}, 60_000);

test('documents and page of a session go, and what others and people wrote stays', async () => {
  const location = await newLocation();
  const documents = await newFolder();
  const store = await made(location, 6, documents);
  const [day = ''] = (await readdir(documents)).filter((name) => /^\d{4}/.test(name));
  await writeFile(join(documents, '2020-01-01.md'), 'A day of mine.\n');
  const own = await readFile(join(documents, day), 'utf8');
  await writeFile(join(documents, day), `My own words.\n\n${own}\nMore of mine.\n`);
  expect(await holding(documents, 'gone', 6)).not.toEqual([]);
  const deletion = await store.delete('gone');
  expect(deletion.documents).toContain(join(documents, day));
  expect(deletion.left.map(({ kind }) => kind)).toEqual(['backup', 'session']);
  expect(await holding(documents, 'gone', 6)).toEqual([]);
  const left = await readFile(join(documents, day), 'utf8');
  expect(left).toMatch(/^My own words\.\n+## Checkpoint[^]*\nMore of mine\.\n$/);
  expect(await holding(documents, 'kept', 6)).toContain(day);
  expect((await readdir(documents)).filter((name) => name.includes('gone'))).toEqual([]);
  expect(await readFile(join(documents, '2020-01-01.md'), 'utf8')).toBe('A day of mine.\n');
  await store.close();
});

test('a session that is open, or is not there, is not deleted', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('gone', options);
  await expect(store.delete('gone')).rejects.toMatchObject({
    code: 'BUSY',
    detail: { session: 'gone', handles: 1 },
  });
  await session.append({ role: 'user', content: 'Still here.' });
  await session.close();
  await expect(store.delete('other')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  await store.delete('gone');
  await expect(store.delete('gone')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  const again = await store.open('gone', options);
  expect(await again.append({ role: 'user', content: 'Anew.' })).toEqual({ id: 'e1' });
  expect(await store.recall('Still here')).toEqual([]);
  expect(await store.recall('Anew')).toHaveLength(1);
});

test('who opens a session while it is deleted waits, and gets a new one', async () => {
  const location = await newLocation();
  await using store = await made(location, 20);
  const [, session] = await Promise.all([store.delete('gone'), store.open('gone', options)]);
  expect(session.state.entries).toBe(0);
});

test('a deletion that broke off goes on at the next opening', async () => {
  const location = await newLocation();
  await (await made(location, 10)).close();
  const db = new Level(location);
  await db.sublevel('session').del('gone');
  await db
    .sublevel('outbox')
    .put('gone:delete', (await codecIn(db)).encode('outbox', 'gone:delete', 'delete'));
  await db.close();
  await (await openStore(location)).close();
  await (await openStore(location)).close();
  expect(await keysOf(location, 'gone')).toEqual([]);
  expect(await holding(location, 'gone', 10)).toEqual([]);
});

test('documents are gone before a deletion that breaks off can go on without them', async () => {
  const location = await newLocation();
  const documents = await newFolder();
  await (await made(location, 6, documents)).close();
  const records = await openLevelStore(location, { durability: 'power' });
  const killed = new Error('killed');
  const store = await openOver({ ...records, erase: () => Promise.reject(killed) }, { documents });
  expect(await holding(documents, 'gone', 6)).not.toEqual([]);
  await expect(store.delete('gone')).rejects.toBe(killed);
  expect(await holding(documents, 'gone', 6)).toEqual([]);
  await store.close();
  const next = await openStore(location, { documents });
  expect((await next.delete('gone')).rows).toBeGreaterThan(0);
  await next.close();
  expect(await holding(documents, 'gone', 6)).toEqual([]);
});

test('what is being read stays until the next opening, and that is said', async () => {
  const location = await newLocation();
  await (await made(location, 10)).close();
  const records = await openLevelStore(location, { durability: 'power' });
  const store = await openOver(records);
  const reading = records.rows()[Symbol.asyncIterator]();
  await reading.next();
  const { left } = await store.delete('gone');
  expect(left.map(({ kind }) => kind)).toContain('read');
  expect(await holding(location, 'gone', 10)).not.toEqual([]);
  await reading.return?.(undefined);
  await store.close();
  await (await openStore(location)).close();
  await (await openStore(location)).close();
  expect(await holding(location, 'gone', 10)).toEqual([]);
});

test('a summary that comes after the session is gone writes nothing', async () => {
  const location = await newLocation();
  let answer: (text: string) => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    slow.summarize = () => {
      resolve();
      return new Promise<string>((told) => (answer = told));
    };
  });
  const store = await openStore(location, { summarizers: [slow] });
  const session = await store.open('gone', { ...options, summarizer: 'slow' });
  await fill(session, 12);
  await asked;
  await session.close();
  await store.delete('gone');
  answer(`It was ${secret('gone', 3)}.`);
  await store.close();
  expect(await keysOf(location, 'gone')).toEqual([]);
});

const slow = { name: 'slow', summarize: (): Promise<string> => Promise.resolve('') };
