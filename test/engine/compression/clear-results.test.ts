import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';

test('a result that nobody reads is cleared before older ones that somebody does', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000, title: 'Work' });
  const run = (n: number, output: string) =>
    session.append([
      { role: 'user', content: `Look at part ${n}.` },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: `k${n}`, name: 'bash', arguments: { command: `shop show ${n}` } }],
      },
      { role: 'tool', toolCallId: `k${n}`, content: output },
    ]);
  const packed = 'var a=b(c);d=function(e){return f(e)};'.repeat(60);
  for (let n = 1; n <= 40; n += 1) {
    await run(n, n % 5 === 0 ? packed : `Part ${n} holds rows of the shop. `.repeat(30));
    await session.assemble();
  }
  const { messages } = await session.assemble();
  const results = messages.flatMap(({ role, content }) =>
    role === 'tool' && typeof content === 'string' ? [content] : [],
  );
  const newest = results.slice(0, -1);
  expect(newest.some((one) => one.startsWith('Part'))).toBe(true);
  expect(newest.some((one) => one.startsWith('[cleared'))).toBe(true);
  expect(newest.filter((one) => one.startsWith('var a'))).toEqual([]);
});
