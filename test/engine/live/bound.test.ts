import { beforeEach, expect, test, vi } from 'vitest';
import type * as Engine from '../../../src/engine/open/open-store.ts';
import type * as Tiktoken from '../../../src/tokenizer/tiktoken.ts';
import { newDisk, type Disk } from '../disk.ts';
import { quiet, until } from '../turn.ts';

// A tokenizer stays loaded for the life of a process, so each test begins with
// modules of its own: as a process that has just started.

let engine: typeof Engine;
let tiktoken: typeof Tiktoken;

async function restart(): Promise<void> {
  vi.resetModules();
  engine = await import('../../../src/engine/open/open-store.ts');
  tiktoken = await import('../../../src/tokenizer/tiktoken.ts');
}

beforeEach(restart);

const isLoaded = (): boolean => tiktoken.loadedTokenizer('o200k_base') !== undefined;

async function stored(window: number): Promise<Disk> {
  const disk = await newDisk();
  const store = await engine.openOver(disk.mount());
  const session = await store.open('s', { window, title: 'Work' });
  await session.append({ role: 'user', content: 'Begin' });
  await store.close();
  await restart();
  return disk;
}

test('the first append after a start does not wait for the tokenizer', async () => {
  const disk = await stored(8_000);
  const store = await engine.openOver(disk.mount());
  const session = await store.open('s');
  expect(isLoaded()).toBe(false);
  expect(session.state.budget.count).toBe('estimate');
  await session.append({ role: 'assistant', content: 'Some words of an answer' });
  expect(isLoaded()).toBe(false);
  const { budget } = session.state;
  expect(budget.count).toBe('bound');
  await until(() => session.state.budget.count === 'estimate', 100_000);
  expect(isLoaded()).toBe(true);
  expect(session.state.budget.working).toBeLessThan(budget.working);
  expect((await session.entry('e2')).tokens).toBe(
    4 + (await tiktoken.countTokens('Some words of an answer')),
  );
  await store.close();
});

test('an append by its bound counts what a counted one does, in the end', async () => {
  const content = 'Ünïcödé text, 中文字 and src/part.ts '.repeat(6);
  const disk = await stored(8_000);
  const store = await engine.openOver(disk.mount());
  const session = await store.open('s');
  await session.append({ role: 'user', content });
  await session.push({ title: 'Part' });
  await session.pop({ status: 'completed', results: 'Done' });
  const counted = session.state;
  expect(counted.budget.count).toBe('estimate');
  const other = await store.open('t', { window: 8_000, title: 'Work' });
  await other.append([
    { role: 'user', content: 'Begin' },
    { role: 'user', content },
  ]);
  await other.push({ title: 'Part' });
  await other.pop({ status: 'completed', results: 'Done' });
  expect(other.state.budget).toEqual(counted.budget);
  expect(other.state.tokens).toBe(counted.tokens);
  await store.close();
});

test('nothing is compressed because of a bound, whichever step comes next', async () => {
  const disk = await stored(1_000);
  for (const next of ['append', 'assemble', 'tools', 'push', 'configure'] as const) {
    await restart();
    const copy = await newDisk();
    for (const kind of ['journal', 'entry', 'session', 'text', 'meta'] as const) {
      const rows = [];
      for await (const [key, value] of disk.mount().range(kind, {}))
        rows.push({ type: 'put', kind, key, value } as const);
      await copy.mount().commit(rows);
    }
    const store = await engine.openOver(copy.mount());
    const session = await store.open('s');
    const heard: string[] = [];
    session.on('*', ({ type }) => heard.push(type));
    // By their bytes these four are just below the trigger, by their tokens a quarter of it.
    const answer = { role: 'assistant', content: 'words '.repeat(26) } as const;
    const first = [1, 2, 3, 4].map(() => session.append(answer));
    const tools = [{ name: 'search', description: 'long '.repeat(300) }];
    const then = {
      append: () => session.append({ role: 'assistant', content: 'words '.repeat(60) }),
      assemble: () => session.assemble(),
      tools: () => session.assemble({ tools }),
      push: () => session.push({ title: 'Part' }),
      configure: () => session.configure({ trigger: 0.5 }),
    }[next];
    await Promise.all([...first, then()]);
    await quiet();
    expect(
      heard.filter((type) => /^(compression|checkpoint|entry\.(short|clear|off))/.test(type)),
      next,
    ).toEqual([]);
    await store.close();
  }
});

test('a summary that comes before the tokenizer is there is measured in tokens, not in bytes', async () => {
  const disk = await newDisk();
  let store = await engine.openOver(disk.mount());
  const pending = { name: 'slow', summarize: () => new Promise<string>(() => undefined) };
  const session = await store.open('s', { window: 2_000, summarizer: pending });
  for (let n = 0; session.state.pending.length === 0; n += 1)
    await session.append({ role: 'assistant', content: `word${n} `.repeat(60) });
  await store.close();
  await restart();
  // Within its target in tokens, well above it in bytes.
  const text = Array.from({ length: 50 }, (_, n) => `remembered${'abcdefghi'[n % 9]}`).join(' ');
  const quick = { name: 'slow', summarize: () => Promise.resolve(text) };
  expect(isLoaded()).toBe(false);
  store = await engine.openOver(disk.mount(), { summarizers: [quick] });
  const again = await store.open('s');
  await again.settled();
  expect(again.state.checkpoints[0]?.by).toBe('slow');
  await store.close();
});

test('a session that closes before its entries are counted is not written twice over', async () => {
  const disk = await stored(8_000);
  const store = await engine.openOver(disk.mount());
  const first = await store.open('s');
  await first.append({ role: 'assistant', content: 'Some words' });
  await first.close();
  const second = await store.open('s');
  await second.append({ role: 'assistant', content: 'More words' });
  await until(() => second.state.budget.count === 'estimate', 100_000);
  await quiet();
  await store.close();
  const { replayed } = await import('../replayed.ts');
  expect((await replayed(disk.mount(), 's')).diverged).toBeNull();
  const seqs: string[] = [];
  for await (const [key] of disk.mount().range('entry', {})) seqs.push(key);
  expect(seqs).toHaveLength(3);
});
