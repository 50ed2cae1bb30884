import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fail } from '../../../src/core/values/error.ts';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { isEngineError, openStore, type Store } from '../../../src/index.ts';
import { fileSource, memorySource } from '../../../src/import/source/source.ts';
import { openMemoryStore } from '../../../src/store/level/level-store.ts';
import { treeOf } from '../../notation/tree.ts';
import { newFolder } from '../../store/folder.ts';

const script = [
  { type: 'flamestack', version: 1, id: 'demo', title: 'Demo', system: 'Be careful.' },
  { type: 'goal', description: 'Build the notes app' },
  { type: 'append', at: 1_000, message: { role: 'user', content: 'start, and use tabs' } },
  { type: 'plan', title: 'Later', criteria: 'works', name: 'later' },
  { type: 'push', title: 'Auth', criteria: 'login works' },
  {
    type: 'append',
    message: {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c', name: 'read', arguments: {} }],
    },
  },
  { type: 'append', message: { role: 'tool', toolCallId: 'c', content: 'text' } },
  { type: 'pop', status: 'completed', results: 'login works' },
  { type: 'start', name: 'later' },
  { type: 'append', message: { role: 'assistant', content: 'working' } },
  { type: 'invalidate', reason: 'not needed' },
  { type: 'append', message: { role: 'assistant', content: 'done' } },
];
const text = (lines: readonly unknown[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

const memory = (): Promise<Store> => openStore(':memory:');

test('a session file is played step by step into frames, goal and log', async () => {
  const store = await memory();
  const result = await store.import(memorySource(text(script)), { window: 8_000 });
  expect(result).toEqual({ id: 'demo', format: 'flamestack', appended: 5, skipped: [] });
  const session = await store.open('demo');
  expect(treeOf(session)).toBe('Demo* > (Later:invalidated, Auth:completed)');
  expect(session.state.goal?.description).toBe('Build the notes app');
  expect(await session.entry('e1')).toMatchObject({ at: 1_000, frame: 'f0' });
  expect((await session.assemble()).messages[0]).toMatchObject({
    role: 'system',
    content: 'Be careful.',
  });
});

test('what has no date was said when what stands before it was; the date of the file is that of the first', async () => {
  const datesOf = async (lines: readonly unknown[]): Promise<readonly number[]> => {
    await using store = await memory();
    await store.import({ ...memorySource(text(lines)), modified: 9_000 }, { window: 8_000 });
    const dates: number[] = [];
    for await (const { at } of (await store.open('demo')).log()) dates.push(at);
    return dates;
  };
  expect(await datesOf(script)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
  const undated = script.map((line) => ('at' in line ? { ...line, at: undefined } : line));
  expect(new Set(await datesOf(undated))).toEqual(new Set([9_000]));
});

test('importing the same file twice adds nothing; a grown one adds the rest', async () => {
  const store = await memory();
  await store.import(memorySource(text(script)), { window: 8_000 });
  const before = (await store.open('demo')).state;
  expect(await store.import(memorySource(text(script)))).toMatchObject({ appended: 0 });
  expect((await store.open('demo')).state.seq).toBe(before.seq);
  const grown = [...script, { type: 'append', message: { role: 'user', content: 'and now?' } }];
  expect(await store.import(memorySource(text(grown)))).toMatchObject({ appended: 1 });
});

test('a broken line is skipped with its number, and so is a step that the tree refuses', async () => {
  const store = await memory();
  const lines = [
    ...script.slice(0, 3),
    '{ broken',
    { type: 'start', name: 'nobody' },
    ...script.slice(3),
  ];
  const { skipped, appended } = await store.import(memorySource(text(lines)), { window: 8_000 });
  expect(appended).toBe(5);
  expect(skipped.map(({ line }) => line)).toEqual([4, 5]);
});

const header = { type: 'flamestack', version: 1, id: 'demo', title: 'Demo' };
const said = (content: string) => ({ type: 'append', message: { role: 'assistant', content } });
const talk = Array.from({ length: 50 }, (_, n) => said(`word ${n}`));
const longTitle = 'zq '.repeat(31);
const done = { type: 'pop', status: 'completed' };

/** What is left of a script: entries, the lines skipped, and the tree. */
async function played(...lines: readonly unknown[]): Promise<[number, number[], string]> {
  await using store = await memory();
  const file = memorySource(text([header, ...lines]));
  const { appended, skipped } = await store.import(file, { window: 8_000 });
  const session = await store.open('demo');
  const tree = treeOf(session);
  const again = await store.import(file);
  expect([again.appended, treeOf(session)]).toEqual([0, tree]);
  return [appended, skipped.map(({ line }) => line), tree];
}

test('a frame that could not be opened is not closed either, and what follows is kept', async () => {
  const push = { type: 'push', title: 'Auth' };
  expect(await played(push, said('hm'), done, ...talk)).toEqual([51, [2, 4], 'Demo*']);
  const start = { type: 'start', name: 'nobody' };
  expect(await played(start, said('hm'), done, ...talk)).toEqual([51, [2, 4], 'Demo*']);
  const moot = { type: 'invalidate', reason: 'moot' };
  const outer = { type: 'push', title: 'Outer', criteria: 'works' };
  expect(await played(outer, start, moot, said('hm'), done, ...talk)).toEqual([
    51,
    [3, 4],
    'Demo* > Outer:completed',
  ]);
});

test('a frame that could not be opened inside another leaves that one open until its own end', async () => {
  const outer = { type: 'push', title: 'Outer', criteria: 'works' };
  const push = { type: 'push', title: 'Auth' };
  expect(await played(outer, push, done, said('hm'), done, ...talk)).toEqual([
    51,
    [3, 4],
    'Demo* > Outer:completed',
  ]);
});

test('frames inside one that could not be opened are opened and closed', async () => {
  const inner = { type: 'push', title: 'Inner', criteria: 'works' };
  expect(
    await played({ type: 'push', title: 'Auth' }, inner, said('hm'), done, done, ...talk),
  ).toEqual([51, [2, 6], 'Demo* > Inner:completed']);
});

test('a planned title that is too long is shortened, as a pushed one is', async () => {
  const plan = { type: 'plan', title: longTitle, criteria: 'works', name: 'later' };
  const start = { type: 'start', name: 'later' };
  expect(await played(plan, start, said('hm'), done, ...talk)).toEqual([
    51,
    [],
    'Demo* > zq zq zq zq zq:completed',
  ]);
});

test('a pop that would end the session is taken only where nothing follows it', async () => {
  expect(await played('{"type":"push", broken', said('hm'), done, ...talk)).toEqual([
    51,
    [2, 4],
    'Demo*',
  ]);
  expect(await played(said('hm'), done)).toEqual([1, [], 'Demo:completed*']);
});

test('an empty or unknown file is an error, and makes no session', async () => {
  const store = await memory();
  const codes: string[] = [];
  for (const content of ['', ' \n\n', 'hello there', '{"a":1}'])
    await store.import(memorySource(content)).catch((error: unknown) => {
      if (isEngineError(error)) codes.push(error.code);
    });
  expect(codes).toEqual([
    'IMPORT_EMPTY',
    'IMPORT_EMPTY',
    'IMPORT_FORMAT_UNKNOWN',
    'IMPORT_FORMAT_UNKNOWN',
  ]);
  for await (const _ of store.sessions()) throw new Error('nothing should have been made');
});

test('a file of which nothing can be read as its format is an error, and makes no session', async () => {
  const store = await memory();
  const chat = JSON.stringify([{ role: 'user', content: 'hi' }]);
  await expect(store.import(memorySource(chat), { format: 'claude-code' })).rejects.toThrow(
    expect.objectContaining({ code: 'IMPORT_EMPTY' }),
  );
  for await (const _ of store.sessions()) throw new Error('nothing should have been made');
});

test.each(['flamestack', 'claude-code', 'pi', 'codex', 'openai'])(
  'of a file of broken lines no more than very many are read as %s',
  async (format) => {
    const store = await memory();
    const broken = '0\n'.repeat(100_100);
    const refused = store.import(memorySource(broken), { format });
    await expect(refused).rejects.toMatchObject({
      code: 'IMPORT_EMPTY',
      detail: { format, skipped: 100_000 },
    });
    for await (const _ of store.sessions()) throw new Error('nothing should have been made');
  },
);

test('broken lines behind a good one are all told', async () => {
  const store = await memory();
  const said = JSON.stringify({ role: 'user', content: 'hi' });
  const broken = '0\n'.repeat(100_100);
  const { appended, skipped } = await store.import(memorySource(`${said}\n${broken}`), {
    format: 'openai',
  });
  expect([appended, skipped.length]).toEqual([1, 100_100]);
});

test('an id, a window and a format of one’s own win', async () => {
  const store = await memory();
  const chat = [
    { role: 'system', content: 'S' },
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'hello' },
  ];
  const result = await store.import(memorySource(JSON.stringify(chat)), {
    id: 'mine',
    format: 'openai',
    window: 4_000,
  });
  expect(result).toMatchObject({ id: 'mine', format: 'openai', appended: 2 });
  expect((await store.open('mine')).state.budget.window).toBe(4_000);
});

test('progress is told after each step, and an abort stops the import with its reason', async () => {
  const store = await memory();
  const seen: number[] = [];
  const abort = new AbortController();
  const reason = new Error('enough');
  const run = store.import(memorySource(text(script)), {
    window: 8_000,
    signal: abort.signal,
    onProgress({ appended, step }) {
      if (step === 'append') seen.push(appended);
      if (appended === 2) abort.abort(reason);
    },
  });
  await expect(run).rejects.toBe(reason);
  expect(seen).toEqual([1, 2]);
  expect((await store.open('demo')).state.entries).toBe(2);
});

test('progress is told of the opening of the session, before anything is said in it', async () => {
  const store = await memory();
  const told: unknown[] = [];
  await store.import(memorySource(text(script)), {
    window: 8_000,
    onProgress: ({ session, step, line }) =>
      void (told.length === 0 && told.push([step, line, session.state.entries])),
  });
  expect(told).toEqual([['session', 0, 0]]);
});

test('sessions are listed with their turns, tokens and window', async () => {
  const store = await memory();
  await store.import(memorySource(text(script)), { window: 8_000 });
  const other = await store.open('other', { window: 4_000 });
  await other.append({ role: 'user', content: 'hi' });
  const list = [];
  for await (const session of store.sessions()) list.push(session);
  expect(list.map(({ id, turns, window, pending }) => ({ id, turns, window, pending }))).toEqual([
    { id: 'demo', turns: 1, window: 8_000, pending: 0 },
    { id: 'other', turns: 1, window: 4_000, pending: 0 },
  ]);
  expect(list[1]!.tokens).toBe(other.state.tokens);
});

test('an import waits where few calls may wait in a session', async () => {
  const store = await openStore(':memory:', { maxQueued: 4 });
  const said = Array.from({ length: 40 }, (_, n) => ({
    type: 'append',
    message: { role: 'user', content: `line ${n}` },
  }));
  const head = { type: 'flamestack', version: 1, id: 'many' };
  const result = await store.import(memorySource(text([head, ...said])), { window: 8_000 });
  expect(result).toMatchObject({ appended: 40, skipped: [] });
});

test('an import into a store that fails rejects, and nothing of it is left unhandled', async () => {
  const path = join(await newFolder(), 'long.jsonl');
  const said = Array.from({ length: 200 }, (_, n) => ({
    type: 'append',
    message: { role: 'user', content: `line ${n}` },
  }));
  await writeFile(path, text([{ type: 'flamestack', version: 1, id: 'long' }, ...said]));
  const records = await openMemoryStore();
  let commits = 0;
  const store = await openOver({
    ...records,
    commit: async (changes) => {
      if ((commits += 1) > 2)
        throw fail('STORE_UNAVAILABLE', 'The disk is full', { location: 'notes' });
      await records.commit(changes);
    },
  });
  const refused = expect.objectContaining({ code: 'STORE_UNAVAILABLE' }) as Error;
  await expect(store.import(await fileSource(path, 256), { window: 8_000 })).rejects.toEqual(
    refused,
  );
  await expect(store.close()).resolves.toBeUndefined();
});

test('a file of another session is refused, says what stands there, and changes nothing', async () => {
  const store = await memory();
  const chat = (...said: readonly string[]) =>
    memorySource(JSON.stringify(said.map((content) => ({ role: 'user', content }))));
  const claude = (id: string, content: string, parentUuid: string | null = null) =>
    JSON.stringify({ type: 'user', uuid: id, parentUuid, sessionId: 'c1', message: { content } });
  await store.import(memorySource(claude('a', 'Fix the parser')), { window: 8_000 });
  const session = await store.open('c1');
  const { seq } = session.state;
  for (const source of [chat('hello', 'there'), memorySource(claude('z', 'Another'))])
    await expect(
      store.import(source, { id: 'c1', window: 4_000 }).catch((error) => {
        expect(error.message).toMatch(
          /^Session "c1" is another one of claude-code \("c1", 1 entry\): none of what input says in (openai|claude-code) is in it; nothing was added$/,
        );
        throw error;
      }),
    ).rejects.toMatchObject({ code: 'IMPORT_MISMATCH', detail: { session: 'c1', entries: 1 } });
  expect([session.state.seq, session.state.budget.window]).toEqual([seq, 8_000]);
  // The same file, grown or mended at its beginning, goes on.
  const grown = `${claude('o', 'Before')}\n${claude('a', 'Fix the parser', 'o')}\n${claude('b', 'now', 'a')}`;
  expect(await store.import(memorySource(grown), { id: 'c1' })).toMatchObject({ appended: 2 });
  await store.open('fresh', { window: 8_000 });
  expect(await store.import(chat('hello'), { id: 'fresh' })).toMatchObject({ appended: 1 });
});
