import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openStore, type Session } from '../../../src/index.ts';
import { newLocation } from '../../store/folder.ts';

async function fill(session: Session, turns: number): Promise<void> {
  for (let n = 1; n <= turns; n += 1)
    await session.append([
      { role: 'user', content: `Look at src/part-${n}.ts; port ${4000 + n} stays as it is.` },
      { role: 'assistant', content: `Part ${n} is read. ${'It says much. '.repeat(40)}` },
    ]);
}

test('a store that is open elsewhere is read as it is now, with all that a session has', async () => {
  const location = await newLocation();
  await using owner = await openStore(location);
  const session = await owner.open('notes', { window: 2_000 });
  await fill(session, 20);
  await using reader = await openStore(location, { readOnly: true });
  const read = await reader.open('notes');
  expect(read.state).toEqual(session.state);
  expect((await read.assemble({ tools: 'same' })).messages).toEqual(
    (await session.assemble({ tools: 'same' })).messages,
  );
  expect((await read.recall('port 4003')).map(({ entry }) => entry)).toContain('e5');
  const checks = [];
  for await (const check of reader.verify()) checks.push(check);
  expect(checks).toMatchObject([{ id: 'notes', isSound: true, entries: { sound: 40 } }]);
  await session.append({ role: 'user', content: 'And one more.' });
  expect(read.state.entries).toBe(40);
  await using later = await openStore(location, { readOnly: true });
  expect((await later.open('notes')).state.entries).toBe(41);
});

test('what would change a store that is open for reading is refused, and nothing moves', async () => {
  const location = await newLocation();
  {
    await using store = await openStore(location);
    await fill(await store.open('notes', { window: 2_000 }), 2);
  }
  await using store = await openStore(location, { readOnly: true });
  const session = await store.open('notes');
  const before = session.state;
  const refused = { code: 'STORE_READ_ONLY', detail: { location } };
  for (const change of [
    () => session.append({ role: 'user', content: 'x' }),
    () => session.push({ title: 'Sub task', criteria: 'done' }),
    () => session.goal.set({ description: 'Another' }),
    () => session.configure({ window: 4_000 }),
    () => session.snapshots.create('now'),
    () => session.compress(),
    () => store.open('notes', { window: 4_000 }),
    () => store.import('{"type":"flamestack","version":1}'),
  ])
    await expect(change(), String(change)).rejects.toMatchObject(refused);
  expect(session.state).toEqual(before);
  expect(await session.entry('e4')).toMatchObject({ role: 'assistant' });
  await expect(store.open('other', { window: 2_000 })).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
  });
});

test('events and moves of a store that is open for reading end with what is stored', async () => {
  const location = await newLocation();
  await using owner = await openStore(location);
  await fill(await owner.open('notes', { window: 2_000 }), 2);
  await using reader = await openStore(location, { readOnly: true });
  const read = await reader.open('notes');
  const [facts, moves] = [[] as string[], [] as string[]];
  for await (const { type } of read.events({ signal: AbortSignal.timeout(5_000) }))
    facts.push(type);
  for await (const { actor } of read.inspect({ signal: AbortSignal.timeout(5_000) }))
    moves.push(actor);
  expect([facts[0], facts.at(-1)]).toEqual(['session.created', 'entry.appended']);
  expect(moves).toContain('notes/f0');
});

test('work that a session owes waits for who opens it to write', async () => {
  const location = await newLocation();
  const slow = { name: 'slow', summarize: () => new Promise<string>(() => undefined) };
  {
    await using store = await openStore(location, { summarizers: [slow] });
    const session = await store.open('notes', { window: 2_000, summarizer: 'slow' });
    await fill(session, 8);
    expect(session.state.pending).not.toEqual([]);
  }
  let asked = 0;
  const eager = {
    name: 'slow',
    summarize: async () => {
      asked += 1;
      return 'It read parts.';
    },
  };
  {
    await using store = await openStore(location, { readOnly: true, summarizers: [eager] });
    const session = await store.open('notes');
    await session.settled();
  }
  expect(asked).toBe(0);
  {
    await using store = await openStore(location, { summarizers: [eager] });
    await (await store.open('notes')).settled();
  }
  expect(asked).toBeGreaterThan(0);
});

test('the owner is named with its command and the session that it opened last', async () => {
  const location = await newLocation();
  await using store = await openStore(location, { command: 'chat' });
  await store.open('one', { window: 2_000 });
  await store.open('notes', { window: 2_000 });
  await vi.waitFor(async () => {
    const owner: unknown = JSON.parse(await readFile(join(location, 'owner.json'), 'utf8'));
    expect(owner).toEqual({ pid: process.pid, command: 'chat', session: 'notes' });
  });
});

test('there is nothing to read in a folder without a store', async () => {
  const location = await newLocation();
  await mkdir(join(location, 'empty'), { recursive: true });
  for (const none of [join(location, 'empty'), join(location, 'none')])
    await expect(openStore(none, { readOnly: true })).rejects.toMatchObject({
      code: 'STORE_NOT_FOUND',
    });
});
