import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { beforeAll, expect, test } from 'vitest';
import { openStore, salvageStore, type FileDamage, type Salvage } from '../../../../src/index.ts';
import { deletion } from '../../../../src/store/erase-session.ts';
import { entryKey, journalKey, outboxKey, textKey } from '../../../../src/store/key.ts';
import { indexedBlocks } from '../../../../src/store/salvage/table-rows.ts';
import { copyOf, filesIn, newFolder, newLocation } from '../../../store/folder.ts';
import { codecIn } from '../../../store/codec.ts';

const total = 60;
/** Each entry and what was said. */
const said: ReadonlyMap<string, string> = new Map(
  Array.from({ length: total }, (_, at) => [
    `e${at + 1}`,
    `said ${at + 1} ${'and more '.repeat(60)}`,
  ]),
);
let made: string;
let log: string;

beforeAll(async () => {
  made = await newLocation();
  const store = await openStore(made);
  const session = await store.open('s', { window: 2_000 });
  for (const content of said.values()) {
    if (content.startsWith('said 20 ')) await session.push({ title: 'Aside', criteria: 'done' });
    await session.append({ role: 'assistant', content }, { key: content.slice(0, 8) });
  }
  await store.close();
  [log = ''] = await filesIn(made, /\.log$/);
});

/** What is read of the session in a store, and the id that the next entry gets. */
async function readBack(location: string): Promise<{ read: Map<string, unknown>; next: string }> {
  const store = await openStore(location, { create: false });
  const session = await store.open('s');
  const read = new Map<string, unknown>();
  for await (const { id, content } of session.log({ onLost: () => undefined }))
    read.set(id, content);
  await session.assemble();
  const { id: next } = await session.append({ role: 'user', content: 'Go on.' });
  await store.close();
  return { read, next };
}

async function salvaged(location: string): Promise<Salvage> {
  return salvageStore(location, join(await newFolder(), 'new'));
}

test('a store that is sound is salvaged whole', async () => {
  const salvage = await salvaged(made);
  expect(salvage).toMatchObject({ isWhole: true, files: [], unread: [], damaged: [] });
  expect(salvage.sessions).toEqual([
    {
      id: 's',
      entries: { sound: total, lost: [] },
      journal: { sound: total + 2, lost: [] },
      texts: { sound: expect.any(Number) as number, lost: [] },
    },
  ]);
  const { read, next } = await readBack(salvage.location);
  expect(read).toEqual(said);
  expect(next).toBe('e61');
});

test('a log that lost its end: what is lost is named, and its ids are not given out again', async () => {
  const harmed = await copyOf(made);
  await truncate(join(harmed, log), 20_000);
  await expect(openStore(harmed)).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  const salvage = await salvaged(harmed);
  const [{ entries } = {}] = salvage.sessions;
  expect(entries!.sound).toBeGreaterThan(10);
  const last = entries!.sound;
  expect(entries!.lost).toEqual([{ from: `e${last + 1}`, to: 'e60', reason: 'missing' }]);
  expect(salvage.files).toMatchObject([{ file: log }]);
  const { read, next } = await readBack(salvage.location);
  expect([...read]).toEqual([...said].slice(0, last));
  expect(next).toBe('e61');
});

test('a byte in the middle: the session goes on from the record before, with all that was said after', async () => {
  const harmed = await copyOf(made);
  const bytes = await readFile(join(harmed, log));
  bytes[30_000]! ^= 16;
  await writeFile(join(harmed, log), bytes);
  const before = await readFile(join(harmed, log));
  const salvage = await salvaged(harmed);
  const [{ entries } = {}] = salvage.sessions;
  const { read, next } = await readBack(salvage.location);
  const lost = [...said.keys()].filter((id) => !read.has(id));
  expect(lost.length).toBeLessThanOrEqual(1);
  expect(entries!.lost.map(({ from }) => from)).toEqual(lost);
  for (const [id, content] of read) expect(content).toBe(said.get(id));
  expect(next).toBe('e61');
  expect((await readFile(join(harmed, log))).equals(before)).toBe(true);
});

/** A store whose rows were changed as if it were in good order. */
async function without(...keys: readonly string[]): Promise<string> {
  const harmed = await copyOf(made);
  const db = new Level(harmed);
  for (const key of keys) await db.del(key);
  await db.close();
  return harmed;
}

/** What is taken out, what is lost of the log, and the record after which it is appended again. */
const losses = {
  'a record of the journal': { key: `!journal!${journalKey('s', 40)}`, lost: [], after: 39 },
  'the first record': { key: `!journal!${journalKey('s', 1)}`, lost: [], after: 0 },
  'an entry in view': { key: `!entry!${entryKey('s', 58)}`, lost: ['e58'], after: 59 },
  'an old entry': { key: `!entry!${entryKey('s', 3)}`, lost: ['e3'], after: undefined },
  'the header': { key: '!session!s', lost: [], after: undefined },
};

test.each(Object.entries(losses))(
  '%s is gone: all else can be read, and the session goes on',
  async (_, { key, lost, after }) => {
    const salvage = await salvaged(await without(key));
    const [session] = salvage.sessions;
    expect(session!.entries.lost.map(({ from }) => from)).toEqual(lost);
    expect(session!.rebuiltAfter).toBe(after);
    const { read, next } = await readBack(salvage.location);
    expect([...read.keys()]).toEqual([...said.keys()].filter((id) => !lost.includes(id as never)));
    for (const [id, content] of read) expect(content).toBe(said.get(id));
    expect(next).toBe('e61');
  },
);

test('a store without CURRENT, MANIFEST and notes gives all that its log has', async () => {
  const harmed = await copyOf(made);
  for (const name of await filesIn(harmed, /CURRENT|MANIFEST|json/)) await rm(join(harmed, name));
  const { location } = await salvaged(harmed);
  expect((await readBack(location)).read).toEqual(said);
});

test('refuses a folder that holds something, one inside the store, and one where no store is', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'mine'), '');
  const invalid = { code: 'OPTION_INVALID' };
  await expect(salvageStore(made, folder)).rejects.toMatchObject(invalid);
  await expect(salvageStore(made, join(made, 'new'))).rejects.toMatchObject(invalid);
  await expect(salvageStore(folder, join(folder, 'new'))).rejects.toMatchObject({
    code: 'STORE_NOT_FOUND',
  });
});

test('a session that was being deleted is not brought back', async () => {
  const harmed = await without('!session!s');
  const db = new Level(harmed);
  const key = outboxKey('s', deletion);
  await db.put(`!outbox!${key}`, (await codecIn(db)).encode('outbox', key, deletion));
  await db.close();
  const { location, sessions } = await salvaged(harmed);
  expect(sessions).toEqual([]);
  const store = await openStore(location);
  expect(await all(store.sessions())).toEqual([]);
  await expect(all(store.verify({ session: 's' }))).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
  });
  await store.close();
});

test('a session whose header is gone is listed as damaged, and checked, noted or not', async () => {
  for (const notes of [true, false]) {
    const harmed = await without('!session!s');
    if (!notes) await rm(join(harmed, 'guard.json'));
    const store = await openStore(harmed);
    const listed = await all(store.sessions());
    expect(listed).toMatchObject([
      { id: 's', damage: expect.stringContaining('missing') as unknown },
    ]);
    expect(await all(store.sessions({ after: 's' }))).toEqual([]);
    expect(await all(store.sessions({ prefix: 't' }))).toEqual([]);
    expect(await all(store.verify())).toMatchObject([
      { isSound: false, damaged: [{ kind: 'session' }] },
    ]);
    await store.close();
  }
});

test('a table with a changed block is told by its name, also where no record tells', async () => {
  const harmed = await without('!text!none');
  const [table = ''] = await filesIn(harmed, /\.ldb$/);
  const bytes = await readFile(join(harmed, table));
  const store = await openStore(harmed);
  const files: string[] = [];
  const onFile = ({ file }: FileDamage): void => void files.push(file);
  await all(store.verify({ onFile }));
  expect(files).toEqual([]);
  bytes[40]! ^= 1;
  await writeFile(join(harmed, table), bytes);
  const refused = { code: 'STORE_DAMAGED', detail: { file: table } };
  await expect(all(store.verify({ onFile }))).rejects.toMatchObject(refused);
  expect(files).toEqual([table]);
  await expect(store.compact()).rejects.toMatchObject(refused);
  await expect(store.backup(await newLocation())).rejects.toMatchObject(refused);
  await store.close();
});

test('a table with a changed block: it is said that rows may be lost which nobody can name, and of which kinds', async () => {
  const harmed = await without('!text!none');
  const [table = ''] = await filesIn(harmed, /\.ldb$/);
  const bytes = await readFile(join(harmed, table));
  const keys = indexedBlocks(bytes)!.find(({ until }) => until >= '!key!s')!;
  bytes[keys.at + 20]! ^= 1;
  await writeFile(join(harmed, table), bytes);
  const salvage = await salvaged(harmed);
  expect(salvage.isWhole).toBe(false);
  expect(salvage.unread.find(({ file }) => file === table)?.kinds).toContain('key');
});

test('a text that is lost is named', async () => {
  const salvage = await salvaged(await without(`!text!${textKey('s', 1)}`));
  const lost = [{ from: 't1', to: 't1', reason: 'missing' }];
  expect(salvage).toMatchObject({ isWhole: false, sessions: [{ texts: { lost } }] });
});

async function all<One>(reading: AsyncIterable<One>): Promise<readonly One[]> {
  const found: One[] = [];
  for await (const one of reading) found.push(one);
  return found;
}

test('the key by which a store knows its documents is salvaged, that of another store is not', async () => {
  const location = await newLocation();
  const documents = join(await newFolder(), 'memory');
  const write = async (at: string, folder: string): Promise<void> => {
    await using store = await openStore(at, { documents: folder });
    const session = await store.open('s', { window: 8_192 });
    await session.append({ role: 'user', content: 'Build the parser.' });
    await session.writeDocument();
  };
  const believes = async (at: string): Promise<unknown> => {
    await using store = await openStore(at);
    const session = await store.open('s');
    return await session.recover({ from: documents, trust: false }).then(
      () => true,
      (error: { code: string }) => error.code,
    );
  };
  await write(location, documents);
  expect(await believes((await salvaged(location)).location)).toBe(true);
  const other = await newLocation();
  await write(other, join(await newFolder(), 'memory'));
  const [log = ''] = await filesIn(other, /\.log$/);
  const harmed = await copyOf(location);
  for (const name of await filesIn(harmed, /\.log$/)) await rm(join(harmed, name));
  await writeFile(join(harmed, log), await readFile(join(other, log)));
  const { location: mixed } = await salvaged(harmed);
  const db = new Level(mixed);
  expect(await db.sublevel('meta').get('documents')).toBeUndefined();
  await db.close();
});
