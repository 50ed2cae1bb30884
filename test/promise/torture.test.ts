import { expect, test } from 'vitest';
import { openStore } from '../../src/index.ts';
import { playMoves } from '../../tools/laws/play.ts';
import { prose } from '../../src/testing/made-text.ts';
import { torture } from '../../tools/laws/torture.ts';

// The same sequence as `npm run laws`, which also plays it through larger windows; the first tenth of it, but for `npm run long`.

const isLong = process.env['LONG'] !== undefined;

for (const { name, moves, ...rest } of torture)
  test(`every law holds through the torture of ${name}`, async () => {
    const all = moves(2_000);
    const played = isLong ? all : all.slice(0, Math.ceil(all.length / 10));
    const { found, checked } = await playMoves(played, { ...rest, limit: 2_000, every: 200 });
    expect(found).toEqual([]);
    expect(checked).toBe(played.length);
  });

test('a system prompt larger than the window is refused by name, and leaves no session behind', async () => {
  await using store = await openStore(':memory:');
  const refused = store.open('large', { window: 2_000, system: prose(4_000) });
  await expect(refused).rejects.toMatchObject({
    code: 'SYSTEM_TOO_LARGE',
    detail: { system: expect.any(Number) as number, limit: 1_700 },
  });
  const sessions: string[] = [];
  for await (const { id } of store.sessions()) sessions.push(id);
  expect(sessions).toEqual([]);
  const session = await store.open('large', { window: 32_000, system: prose(4_000) });
  await session.append({ role: 'user', content: 'hello' });
  await session.close();
  await expect(store.open('large', { window: 2_000 })).rejects.toMatchObject({
    code: 'SYSTEM_TOO_LARGE',
  });
  const again = await store.open('large');
  expect(again.state.budget.window).toBe(32_000);
  expect((await again.assemble()).messages.at(-1)).toMatchObject({ content: 'hello' });
});

test('an overflow names what does not fit, and the session goes on without it', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('tools', { window: 2_000, reserve: 0, system: 'Be brief.' });
  await session.append({ role: 'user', content: 'hello' });
  const tools = [{ name: 'all', description: prose(3_000) }];
  await expect(session.assemble({ tools })).rejects.toMatchObject({
    code: 'CONTEXT_OVERFLOW',
    detail: { limit: 2_000, parts: { tools: expect.any(Number) as number } },
  });
  await session.append({ role: 'assistant', content: 'hi' });
  const { messages } = await session.assemble();
  expect(messages.map(({ content }) => content)).toEqual(['Be brief.', 'hello', 'hi']);
});
