import { expect, test } from 'vitest';
import { openStore, type Message, type Session } from '../../../src/index.ts';

// What a compression leaves in the window, and what stays where it was.

async function session(options: object = {}): Promise<Session> {
  const store = await openStore(':memory:');
  return store.open('s', { window: 4_000, reserve: 0, ...options });
}

const names = (from: number, size: number): string =>
  Array.from({ length: size }, (_, n) => `part_${from + n}`).join(' ');

/** A call and its result of some 90 tokens, which name what nothing else names. */
const look = (n: number, content = `Look ${n}.`): readonly Message[] => [
  {
    role: 'assistant',
    content,
    toolCalls: [{ id: `c${n}`, name: 'read', arguments: { path: `src/file${n}.ts` } }],
  },
  { role: 'tool', toolCallId: `c${n}`, name: 'read', content: names(n * 100, 20) },
];

/** Goes on until the session has compressed `times` times. */
async function compressed(s: Session, times: number): Promise<void> {
  await s.append({ role: 'user', content: 'Read everything.' });
  for (let n = 1; s.state.compressions < times; n += 1) await s.append([...look(n)]);
}

const results = async (s: Session): Promise<readonly string[]> =>
  (await s.assemble()).messages.flatMap(({ role, content }) =>
    role === 'tool' && typeof content === 'string' ? [content] : [],
  );

test('of what a compression leaves, older results give way to markers, newer ones stay', async () => {
  const s = await session();
  await compressed(s, 1);
  const shown = await results(s);
  const cleared = shown.filter((content) => /^\[cleared: \d+ tokens, e\d+\]$/.test(content));
  expect(cleared.length).toBeGreaterThan(3);
  expect(shown.slice(0, cleared.length)).toEqual(cleared);
  expect(shown.at(-1)).toMatch(/^part/);
});

test('told how much to preserve, a compression leaves that much wholly verbatim', async () => {
  const s = await session({ preserveRecent: 900 });
  await compressed(s, 1);
  const shown = await results(s);
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.every((content) => content.startsWith('part'))).toBe(true);
});

test('the chronicle stands behind what people said and loses no line while it has room', async () => {
  const s = await session({ window: 16_000 });
  const telling = (n: number): readonly Message[] =>
    look(n, `File ${n} holds ${names(n * 100, 1)}, because nothing else needs it.`);
  const chronicle = async (): Promise<string> => {
    const { messages } = await s.assemble();
    const found = messages.find(({ section }) => section === 'chronicle');
    return typeof found?.content === 'string' ? found.content : '';
  };
  await s.append({ role: 'user', content: 'Read everything.' });
  for (let n = 1; s.state.compressions < 3; n += 1) await s.append([...telling(n)]);
  await s.append({ role: 'user', content: 'And now?' });
  for (let n = 700; s.state.compressions < 4; n += 1) await s.append([...telling(n)]);
  const before = await chronicle();
  for (let n = 900; s.state.compressions < 6; n += 1) await s.append([...telling(n)]);
  const after = await chronicle();
  const sections = (await s.assemble()).messages.map(({ section }) => section);
  expect(sections.slice(0, 3)).toEqual(['human', 'chronicle', 'checkpoints']);
  const lines = before.split('\n').filter((line) => line.startsWith('- e'));
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(after).toContain(line);
  expect(after.length).toBeGreaterThan(before.length);
});

test('a giant that does not fit is shortened in the epoch of a compression', async () => {
  const s = await session();
  await compressed(s, 1);
  for (let n = 50; n < 60; n += 1) await s.append([...look(n)]);
  const { epoch, compressions } = s.state;
  await s.append({ role: 'assistant', content: `A long one: ${names(9_000, 900)}` });
  expect((await s.assemble()).messages.at(-1)).toMatchObject({ kind: 'shortened' });
  expect(s.state.compressions).toBe(compressions + 1);
  expect(s.state.epoch).toBeLessThanOrEqual(epoch + 3);
});

test('people are quoted when their text no longer fits, their questions too', async () => {
  const s = await session();
  const chat = (n: number): string => `${'Tell me a story about it. '.repeat(20)}Number ${n}.`;
  await s.append({ role: 'user', content: 'Begin.' });
  const question = "Why don't we use one parser for both?";
  await s.append({ role: 'user', content: `${'Look around first. '.repeat(60)}${question}` });
  for (let n = 0; n < 60; n += 1) {
    await s.append({ role: 'user', content: chat(n) });
    await s.append({ role: 'assistant', content: 'Once upon a time. '.repeat(30) });
  }
  const { messages } = await s.assemble();
  const text = messages
    .map(({ content }) => (typeof content === 'string' ? content : ''))
    .join('\n');
  expect(text).toMatch(/^\[e2, in part\] /m);
  expect(text).toContain(`“${question}”`);
  expect(text).toContain('Tell me a story about it. Tell me');
  expect(text).not.toContain('“Tell me a story about it.”');
});

test('a model that writes summaries is asked earlier: entries arrive meanwhile', async () => {
  const summarizer = { name: 'model', summarize: async () => 'short' };
  const own = (await session()).state.budget;
  const told = (await session({ summarizer })).state.budget;
  expect([own.threshold / own.available, told.threshold / told.available]).toEqual([0.98, 0.8]);
});

test('a trigger that was given stays when the summarizer changes; the usual one changes with it', async () => {
  const summarizer = { name: 'model', summarize: async () => 'short' };
  const share = async (options: object): Promise<number> => {
    const s = await session(options);
    await s.configure({ summarizer });
    const { threshold, available } = s.state.budget;
    return threshold / available;
  };
  expect(await share({})).toBe(0.8);
  expect(await share({ trigger: 0.7 })).toBe(0.7);
  expect(await share({ trigger: 0.95 })).toBe(0.95);
});
