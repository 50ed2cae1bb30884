import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { toOllama } from '../../../../src/core/formats/ollama.ts';
import { toOpenAI } from '../../../../src/core/formats/openai.ts';
import { openOver } from '../../../../src/engine/open/open-store.ts';
import type { SessionSummary } from '../../../../src/engine/journal/sessions/list-sessions.ts';
import type { SessionHeader } from '../../../../src/engine/journal/sessions/session-header.ts';
import type { Clock } from '../../../../src/engine/live/clock.ts';
import { openMemoryStore } from '../../../../src/store/level/level-store.ts';
import type { RecordStore } from '../../../../src/store/store.ts';
import { newDisk } from '../../disk.ts';
import { newFolder } from '../../../store/folder.ts';

const user = (content: string) => ({ role: 'user', content }) as const;

async function listed(records: RecordStore): Promise<readonly SessionSummary[]> {
  const found: SessionSummary[] = [];
  const store = await openOver(records, {});
  for await (const one of store.sessions()) found.push(one);
  return found;
}

const script = (at: number, ...texts: readonly string[]): Buffer =>
  Buffer.from(
    [
      { type: 'flamestack', version: 1, id: 'old', folder: '/home/ada/shop', branch: 'main' },
      ...texts.map((text, n) => ({ type: 'append', message: user(text), at: at + n })),
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );

test('a session is listed by what was asked first, where, and when', async () => {
  const records = await openMemoryStore();
  const store = await openOver(records, {});
  await store.import(script(1_000, 'Fix the\n  login form', 'Now test it'));
  const [old] = await listed(records);
  expect(old).toMatchObject({
    title: 'Fix the login form',
    folder: '/home/ada/shop',
    branch: 'main',
    began: 1_000,
    said: 1_001,
    turns: 2,
  });
  expect(old!.created).toBeGreaterThan(1_001);
  const session = await store.open('old');
  expect(old!.context).toBe(session.state.budget.total);
});

test('what a host calls a session goes before what was asked', async () => {
  const records = await openMemoryStore();
  const store = await openOver(records, {});
  const session = await store.open('a', { window: 8_000, title: 'The shop', agent: 'till' });
  await session.append(user('Fix it'));
  expect(await listed(records)).toMatchObject([{ title: 'The shop', agent: 'till' }]);
});

test('a long request is cut between words, and what a machine said is no request', async () => {
  const records = await openMemoryStore();
  const store = await openOver(records, {});
  const session = await store.open('a', { window: 8_000 });
  await session.append({ ...user('Nightly run'), origin: 'machine' });
  expect((await listed(records))[0]).not.toHaveProperty('title');
  await session.append(user('word '.repeat(100)));
  const [{ title = '' } = {}] = await listed(records);
  expect(title).toMatch(/^(?:word ){22}word…$/);
});

test.each(['Mend the pool', 'Plan: Mend the pool'])(
  'a plan that is to be carried out is listed by its title: %s',
  async (head) => {
    const records = await openMemoryStore();
    const store = await openOver(records, {});
    const session = await store.open('a', { window: 8_000 });
    await session.append(user(`Implement the following plan:\n\n# ${head}\n\nIt leaks.`));
    expect((await listed(records))[0]!.title).toBe('Mend the pool');
  },
);

test('where it rests is read of its header alone, and not once it went on', async () => {
  const disk = await newDisk(await openMemoryStore());
  const records = disk.mount();
  const store = await openOver(records, {});
  for (const id of ['a', 'b', 'c']) {
    await using session = await store.open(id, { window: 8_000 });
    await session.append(user(`I am ${id}`));
  }
  disk.reset();
  await listed(records);
  expect([disk.reads.get('session'), disk.reads.get('journal'), disk.reads.get('entry')]).toEqual([
    3,
    undefined,
    undefined,
  ]);
  const again = await store.open('b');
  await again.append(user('More'));
  const [a, b] = await listed(records);
  expect(a).toHaveProperty('context');
  expect(b).toMatchObject({ turns: 2, title: 'I am b' });
  expect(b).not.toHaveProperty('context');
});

test('a step that comes while it is noted where a session rests takes the note away', async () => {
  const records = await openMemoryStore();
  for (let turns = 0; turns < 20; turns += 1) {
    const get: RecordStore['get'] = async (kind, key) => {
      if (kind === 'entry' && turns % 2 === 1) await sleep(10);
      return records.get(kind, key);
    };
    const store = await openOver({ ...records, get, close: async () => undefined }, {});
    const first = await store.open('a', { window: 8_000 });
    await first.append(user('First'));
    const closing = first.close();
    for (let n = 0; n < turns; n += 1) await Promise.resolve();
    const second = await store.open('a');
    await second.append(user('Second'));
    await closing;
    expect(await listed(records)).toMatchObject([{ turns: (turns + 1) * 2 }]);
    await second.close();
    expect((await listed(records))[0]).toHaveProperty('context', second.state.budget.total);
    await store.close();
  }
});

test('where rows behind it were lost, what is noted of the store tells that it went on', async () => {
  const records = await openMemoryStore();
  const store = await openOver(records, {});
  {
    await using session = await store.open('a', { window: 8_000 });
    await session.append(user('Hello'));
  }
  const seq = (await headersIn(records)).map(([, { rest }]) => rest!.seq)[0]!;
  const told = (noted: number) => listed({ ...records, heads: () => new Map([['a', [noted, 1]]]) });
  expect((await told(seq))[0]).toHaveProperty('context');
  expect((await told(seq + 1))[0]).not.toHaveProperty('context');
});

test('where others write too, the next record tells that a session went on', async () => {
  const records = await openMemoryStore();
  const shared = { ...records, isShared: true };
  const store = await openOver(records, {});
  {
    await using session = await store.open('a', { window: 8_000 });
    await session.append(user('Hello'));
  }
  expect((await listed(shared))[0]).toHaveProperty('context');
  const [[key, value]] = (await headersIn(records)) as [[string, SessionHeader]];
  const again = await store.open('a');
  await again.append(user('More'));
  await records.commit([{ type: 'put', kind: 'session', key, value }]);
  expect(await listed(shared)).toMatchObject([{ turns: 2 }]);
  expect((await listed(shared))[0]).not.toHaveProperty('context');
});

test('a row that knows nothing but size and birth is listed, as older ones are', async () => {
  const records = await openMemoryStore();
  const store = await openOver(records, {});
  const session = await store.open('a', { window: 8_000 });
  await session.append(user('Hello'));
  await records.commit([
    { type: 'put', kind: 'session', key: 'a', value: { created: 5, window: 8_000 } },
  ]);
  const [old] = await listed(records);
  expect(old).toMatchObject({ created: 5, began: 5, turns: 1 });
  expect(old!.said).toBeGreaterThan(5);
});

test('a title goes with the entry that it was taken from, and is masked where it repeats another', async () => {
  const records = await openMemoryStore();
  const store = await openOver(records, {});
  const first = await store.open('a', { window: 8_000 });
  const { id } = await first.append(user(`The key is ${'hunter2-'.repeat(40)}`));
  await first.redact(id);
  const second = await store.open('b', { window: 8_000, title: 'Rotate hunter2-hunter2' });
  const told = await second.append(user('hunter2-hunter2'));
  await second.redact(told.id);
  const rows = JSON.stringify(await headersIn(records));
  expect(rows).not.toContain('hunter2');
});

async function headersIn(records: RecordStore): Promise<[string, SessionHeader][]> {
  const rows: [string, SessionHeader][] = [];
  for await (const [id, row] of records.range('session', {})) rows.push([id, row as SessionHeader]);
  return rows;
}

test('with another window the title stays', async () => {
  const records = await openMemoryStore();
  const clock: Clock = { now: () => 7, setTimeout: () => 0, clearTimeout: () => undefined };
  const store = await openOver(records, { clock });
  const session = await store.open('a', { window: 8_000 });
  await session.append(user('Hello'));
  await session.configure({ window: 9_000, branch: 'next' });
  expect(await listed(records)).toMatchObject([
    { title: 'Hello', window: 9_000, branch: 'next', began: 7 },
  ]);
});

test('what a file gives no time for is dated by the file', async () => {
  const path = join(await newFolder(), 'talk.json');
  await writeFile(path, JSON.stringify([user('Fix it'), { role: 'assistant', content: 'Done' }]));
  await utimes(path, 1_000, 1_000);
  const records = await openMemoryStore();
  await (await openOver(records, {})).import(path);
  expect(await listed(records)).toMatchObject([{ began: 1_000_000, said: 1_000_000 }]);
});

test('a session is listed with the model that answered last, or was named since, and no server is told of it', async () => {
  const records = await openMemoryStore();
  const store = await openOver(records, {});
  const session = await store.open('a', { window: 8_000 });
  const says = (name: string, provider?: string) =>
    session.append({
      role: 'assistant',
      content: `I am ${name}.`,
      model: { name, ...(provider !== undefined && { provider }) },
    });
  const models = async () =>
    (await listed(records)).map(({ model, provider }) => [model, provider]);
  await session.append(user('Who are you?'));
  expect(await models()).toEqual([[undefined, undefined]]);
  await says('one', 'openai');
  expect(await models()).toEqual([['one', 'openai']]);
  await says('two');
  await session.append({ role: 'assistant', content: 'And I am nobody.' });
  expect(await models()).toEqual([['two', undefined]]);
  await session.configure({ model: 'three', provider: 'ollama' });
  expect(await models()).toEqual([['three', 'ollama']]);
  const assembly = await session.assemble();
  for (const { messages } of [toOllama(assembly), toOpenAI(assembly)])
    expect(messages.some((one) => 'model' in one)).toBe(false);
  expect(await session.entry('e2')).toMatchObject({ model: { name: 'one', provider: 'openai' } });
});
