import { expect, test } from 'vitest';
import { isEngineError, openStore, type Store } from '../../src/index.ts';
import { memorySource } from '../../src/import/source.ts';
import { treeOf } from '../notation/tree.ts';

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
