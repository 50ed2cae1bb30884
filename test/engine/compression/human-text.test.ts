import { expect, test } from 'vitest';
import { textOf } from '../../../src/core/messages/message.ts';
import { openStore, type Session } from '../../../src/index.ts';

const long = (words: number): string => `BEGIN ${'word '.repeat(words)}END`;

async function session(window: number): Promise<Session> {
  const store = await openStore(':memory:');
  return store.open('s', { window });
}

const shown = async (s: Session, tools: readonly unknown[] = []) =>
  (await s.assemble({ tools })).messages.find(({ entry }) => entry === 'e1');

test('the newest human entry fits a smaller window even if its frame is closed', async () => {
  const s = await session(64_000);
  await s.push({ title: 'A' });
  await s.append({ role: 'user', content: long(9_000) });
  await s.pop({ status: 'completed', results: 'done' });
  expect(await shown(s)).toMatchObject({ kind: 'entry' });
  await s.configure({ window: 8_000 });
  expect(await shown(s)).toMatchObject({ kind: 'shortened' });
  await s.configure({ window: 64_000 });
  expect(await shown(s)).toMatchObject({ kind: 'entry' });
});

test('it fits beside large tool schemas, too', async () => {
  const s = await session(32_000);
  await s.push({ title: 'A' });
  await s.append({ role: 'user', content: long(4_900) });
  await s.pop({ status: 'completed', results: 'done' });
  const tools = [{ name: 'read', description: 'word '.repeat(23_000) }];
  expect(await shown(s, tools)).toMatchObject({ kind: 'shortened' });
});

test('what was learned of one model’s counts says nothing of another’s', async () => {
  const store = await openStore(':memory:');
  const s = await store.open('s', { window: 8_000, model: 'one' });
  await s.append({ role: 'user', content: long(1_000) });
  const { id, budget } = await s.assemble();
  await s.append(
    { role: 'assistant', content: 'yes' },
    { assembly: id, usage: { inputTokens: Math.round(budget.total * 1.4) } },
  );
  const { limit } = s.state.budget;
  expect(s.state.budget).toMatchObject({ count: 'measured' });
  expect(limit).toBeGreaterThan(6_800 / 1.6);
  expect(limit).toBeLessThan(6_800 / 1.4);
  await s.configure({ model: 'two' });
  expect(s.state.budget).toMatchObject({ count: 'estimate' });
  expect(s.state.budget.limit).toBeLessThan(limit);
  await s.configure({ model: 'one' });
  expect(s.state.budget.count).toBe('measured');
  expect(s.state.budget.limit).toBeGreaterThan(limit * 0.95);
});

test('a goal with a wrong field is refused and names it', async () => {
  const s = await session(8_000);
  await s.goal.set('Ship it');
  const wrong = { milestones: 'oops' } as never;
  await expect(s.goal.update(wrong)).rejects.toThrow(/"goal.milestones" cannot be "oops"/);
  expect(s.state.goal).toMatchObject({ milestones: [] });
});

test('what is said in part does not repeat what stands whole', async () => {
  const s = await session(8_000);
  const rule = 'Never open a draft pull request for this shop.';
  const brief = `You take over the shop. ${rule} Keep the prices as they are.`;
  const tea = 'The tea is green and comes in small bags of paper. '.repeat(90);
  await s.append({ role: 'user', content: brief });
  for (const word of ['argon2id', 'scrypt', 'bcrypt', 'sha']) {
    await s.append({ role: 'assistant', content: 'I look.' });
    await s.append({ role: 'user', content: `${brief}\n${tea}\nUse ${word} in any case.` });
  }
  for (let n = 0; n < 60; n += 1)
    await s.append({ role: 'assistant', content: `Step ${n} is done, and ${'word '.repeat(90)}` });
  const { messages } = await s.assemble();
  const text = messages.map((message) => JSON.stringify(message)).join('\n');
  expect(text).toContain('[e3, in part] “Use argon2id in any case.”');
  expect(text.split('[e1] ')[1]).toContain(rule);
  const inPart = [...text.matchAll(/, in part\] ([^[]*)/g)].map(([, said]) => said);
  expect(inPart.join('\n')).not.toContain(rule);
});

test('small talk leaves before any part of an order does', async () => {
  const s = await session(8_000);
  await s.append({ role: 'user', content: 'We sell tea.' });
  for (const n of [1, 2, 3, 4]) {
    await s.append({ role: 'user', content: n % 2 === 0 ? 'wow' : 'ok' });
    await s.append({
      role: 'user',
      content: `Never sell tea ${n}. ${`It is tea ${n}. `.repeat(90)}`,
    });
    await s.append({ role: 'assistant', content: 'I look.' });
  }
  for (let n = 0; n < 60; n += 1)
    await s.append({ role: 'assistant', content: `Step ${n} is done, and ${'word '.repeat(90)}` });
  const { messages } = await s.assemble();
  const text = messages.map(({ content }) => textOf(content)).join('\n');
  expect(text).toContain('in part] “Never sell tea 1.”');
  expect(text).not.toMatch(/\] (?:wow|ok)$|“(?:wow|ok)”/m);
});

test('what a person laid down stands after hundreds of requests that came later', async () => {
  const s = await session(8_000);
  const rules = [
    'Never touch src/legacy.ts.',
    'We always install with pnpm.',
    'Do not push to main without asking me.',
  ];
  for (let n = 1; n <= 300; n += 1) {
    const rule = rules[n / 5 - 1];
    const content = `Please fix the sidebar of page ${n}, ticket ${1_000 + n}.`;
    await s.append({ role: 'user', content: rule === undefined ? content : `${content} ${rule}` });
    await s.append({ role: 'assistant', content: `Ticket ${1_000 + n} is done on page ${n}.` });
  }
  const { messages } = await s.assemble();
  const text = messages.map(({ content }) => textOf(content)).join('\n');
  for (const rule of rules) expect(text).toContain(rule);
  expect(text).toContain('Please fix the sidebar of page 299');
});

test('where a compression is not enough, few of many short words are put out of view', async () => {
  const s = await session(8_000);
  const gone = new Set<string>();
  s.on('entry.offloaded', ({ entries }) => entries.forEach((id) => gone.add(id)));
  for (let n = 0; n < 30; n += 1) {
    await s.append({
      role: 'user',
      content: `Never sell tea number ${n} to children.${n % 2 === 0 ? '' : '\n'}`,
    });
    await s.append({ role: 'assistant', content: `Step ${n} is done, and ${'word '.repeat(60)}` });
  }
  await s.append({ role: 'user', content: `Look at this: ${'a word of tea '.repeat(200)}` });
  await s.append({ role: 'assistant', content: 'I look.' });
  await s.append({ role: 'user', content: 'Now run it' });
  for (const round of [0, 1, 2]) {
    const ids = [0, 1, 2].map((n) => `c${round}_${n}`);
    const toolCalls = ids.map((id) => ({ id, name: 'run', arguments: { command: `make ${id}` } }));
    await s.append({ role: 'assistant', content: '', toolCalls });
    for (const id of ids) {
      const lines = Array.from(
        { length: 288 },
        (_, n) => `line ${n} of ${id} says ${(n * 7_919) % 1_000}`,
      );
      await s.append({ role: 'tool', toolCallId: id, name: 'run', content: lines.join('\n') });
    }
  }
  const { messages } = await s.assemble();
  const said = messages.map((message) => textOf(message.content)).join('\n');
  expect(gone.size).toBeGreaterThan(0);
  expect(gone.size).toBeLessThan(15);
  // What is quoted whole is said as what is in view.
  expect(said.match(/^\[e\d+\] Never sell tea number \d+ to children\.$/gm)).toHaveLength(30);
  expect(said).not.toContain('in part]');
});
