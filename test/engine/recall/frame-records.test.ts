import { expect, test } from 'vitest';
import { openStore, type Session } from '../../../src/index.ts';
import { textOf } from '../../../src/core/messages/message.ts';

const lines = (count: number): string =>
  Array.from({ length: count }, (_, n) => `- Route ${n} answers in ${n} ms.`).join('\n');

/** A session with a closed frame `f1` of two entries, within `f0`. */
async function session(window = 32_000): Promise<Session> {
  const store = await openStore(':memory:');
  const session = await store.open('s', { window, title: 'Notes app' });
  await session.append({ role: 'user', content: 'Make it fast.' });
  await session.push({ title: 'Load test', criteria: 'p99 stays below 50 ms' });
  await session.append({ role: 'assistant', content: 'I measure every route.' });
  await session.append({ role: 'user', content: 'And the zebra route?', origin: 'machine' });
  await session.pop({
    status: 'completed',
    results: `${lines(60)}\nThe walrus cache is the slowest.`,
    artifacts: ['bench/giraffe.ts'],
    decisions: ['keep the pelican pool'],
  });
  return session;
}

test.each(['walrus cache', 'giraffe.ts', 'pelican', 'p99'])(
  'a frame is found by %s',
  async (query) => {
    const [hit] = await (await session()).recall(query);
    expect(hit).toMatchObject({ entry: 'f1', frame: 'f1', role: 'frame' });
  },
);

test('a hit shows the part of long results that answers, and what is in an entry is found there', async () => {
  const s = await session();
  const [hit] = await s.recall('walrus', { tokens: 60 });
  expect(hit!.whole).toBe(false);
  expect(hit!.text).toContain('The walrus cache is the slowest.');
  expect((await s.recall('zebra')).map(({ entry }) => entry)).toEqual(['e3']);
});

test('filters that only entries answer find no frame, and that of a frame only its own', async () => {
  const s = await session();
  await s.push({ title: 'Other', criteria: 'walrus again' });
  const found = async (filter: object): Promise<string[]> =>
    (await s.recall('walrus', filter)).map(({ entry }) => entry);
  expect(await found({})).toEqual(expect.arrayContaining(['f1', 'f2']));
  expect(await found({ frame: 'f2' })).toEqual(['f2']);
  expect(await found({ within: 'f2, e1' })).toEqual(['f2']);
  expect(await found({ within: 'e1-e3' })).toEqual([]);
  expect(await found({ role: 'machine' })).toEqual([]);
  expect(await found({ turns: { from: 0 } })).toEqual([]);
});

test('expand gives all of a frame, then its entries', async () => {
  const s = await session();
  const [frame, ...entries] = await s.expand('f1');
  expect(entries.map(({ id }) => id)).toEqual(['e2', 'e3']);
  expect(frame).toMatchObject({ id: 'f1', frame: 'f1', role: 'user', origin: 'machine' });
  expect(textOf(frame!.content)).toBe(
    [
      'Frame f1 "Load test": completed, part of f0, entries e2–e3',
      'Success criteria: p99 stays below 50 ms',
      `Results:\n${lines(60)}\nThe walrus cache is the slowest.`,
      'Decisions:',
      '- keep the pelican pool',
      'Artifacts:',
      '- bench/giraffe.ts',
    ].join('\n'),
  );
});

test('results beyond every cap are not lost', async () => {
  const s = await session(4_000);
  const results = `${lines(4_000)}\nThe last line is an okapi.`;
  await s.push({ title: 'Long' });
  await s.pop({ status: 'failed', results });
  expect((await s.assemble()).budget.total).toBeLessThan(4_000);
  expect(s.where('f2')).toEqual({ place: 'tree', frame: 'f2', form: 'brief' });
  const [frame] = await s.expand('f2', { limit: 1 });
  expect(textOf(frame!.content)).toContain(results);
  expect((await s.recall('okapi'))[0]).toMatchObject({ entry: 'f2' });
});

test('results that a model wrote since are found instead', async () => {
  const summarizer = { name: 'm', summarize: async () => 'The narwhal index is done.' };
  const store = await openStore(':memory:', { summarizers: [summarizer] });
  const s = await store.open('s', { window: 32_000, summarizer: 'm' });
  await s.push({ title: 'Index' });
  await s.append({ role: 'assistant', content: 'I build it.' });
  await s.pop({ status: 'completed' });
  await s.settled();
  expect((await s.recall('narwhal')).map(({ entry }) => entry)).toEqual(['f1']);
});

test('a search of the store finds the frames of each session, as they are now', async () => {
  const store = await openStore(':memory:');
  const found = async (query: string): Promise<string[]> =>
    (await store.recall(query)).map(({ session, entry }) => `${session} ${entry}`);
  for (const id of ['a', 'b']) {
    const s = await store.open(id, { window: 8_192 });
    await s.push({ title: 'Load test', criteria: 'p99 stays below 50 ms' });
    await s.append({ role: 'assistant', content: 'I measure every zebra route.' });
    await s.pop({ status: 'completed', results: `The walrus cache of ${id} is slow.` });
  }
  expect((await found('walrus')).toSorted()).toEqual(['a f1', 'b f1']);
  expect(await store.recall('p99', { session: 'b' })).toMatchObject([
    { session: 'b', entry: 'f1', role: 'frame' },
  ]);
  expect((await found('zebra')).toSorted()).toEqual(['a e1', 'b e1']);
  const again = await store.open('a');
  await again.push({ title: 'Next', criteria: 'no walrus is left' });
  expect((await found('walrus')).toSorted()).toEqual(['a f1', 'a f2', 'b f1']);
});
