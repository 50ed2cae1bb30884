import { expect, test } from 'vitest';
import { textOf } from '../../../src/core/messages/message.ts';
import { openStore, type Session } from '../../../src/index.ts';

/** A session in a window that nothing fills unless it is told smaller. */
async function session(window = 32_000): Promise<Session> {
  const store = await openStore(':memory:');
  return store.open('s', { window, reserve: 0 });
}

let calls = 0;

/** Runs a command in a session; output with `FAIL` failed. */
async function ran(s: Session, command: string, content: string): Promise<void> {
  const id = `c${(calls += 1)}`;
  const toolCalls = [{ id, name: 'bash', arguments: { command } }];
  await s.append({ role: 'assistant', content: '', toolCalls });
  await s.append({ role: 'tool', toolCallId: id, content, isError: content.includes('FAIL') });
}

const failed = ' FAIL  test/a.test.ts > logs in\n Test Files  1 failed (1)';
const passed = ' Test Files  9 passed (9)\n      Tests  40 passed (40)';

test('what a frame has failing goes once it passes in a frame below, however deep, and stays where it failed again', async () => {
  const s = await session();
  for (const [depth, again] of [
    [1, false],
    [2, false],
    [1, true],
  ] as const) {
    await s.push({ title: 'cart' });
    await ran(s, 'npm test', failed);
    for (let left = depth; left > 0; left -= 1) await s.push({ title: 'remove()' });
    await ran(s, 'npm test', passed);
    for (let left = depth; left > 0; left -= 1) await s.pop({ status: 'completed' });
    if (again) await ran(s, 'npm test', failed);
    await s.pop({ status: 'completed' });
  }
  const [first, second, third] = s.frames.tree().children;
  expect([first!.failing, second!.failing]).toEqual([[], []]);
  expect(first!.results).toContain('worked in e4');
  expect(third!.failing).toHaveLength(1);
});

test('what passed in a frame that was set aside is known where it goes on, and what fails in it last is failing there', async () => {
  const s = await session();
  await s.push({ title: 'cart' });
  await ran(s, 'npm test', failed);
  const { id } = await s.push({ title: 'remove()' });
  await ran(s, 'npm test', passed);
  await s.pop({ status: 'blocked' });
  await s.frames.start(id);
  await s.append({ role: 'assistant', content: 'Nothing is left to do.' });
  await s.pop({ status: 'completed' });
  await s.push({ title: 'add()' });
  await ran(s, 'npm run lint', failed);
  await s.pop({ status: 'completed' });
  await s.pop({ status: 'completed' });
  const [cart] = s.frames.tree().children;
  expect(cart!.failing).toEqual([]);
  expect(cart!.children.map(({ failing }) => failing.length)).toEqual([0, 1]);
});

test('the line of a failure says that it worked in a frame below, where its entries leave the window', async () => {
  const s = await session(4_000);
  await ran(s, 'npm test', failed);
  await s.push({ title: 'remove()' });
  await ran(s, 'npm test', passed);
  await s.pop({ status: 'completed' });
  for (let k = 0; k < 20; k += 1)
    await s.append({ role: 'assistant', content: `Step ${k} of the work. `.repeat(60) });
  await s.compress();
  const { messages } = await s.assemble();
  const told = messages.map(({ content }) => textOf(content)).join('\n');
  expect(told).toContain('; worked in e4');
});
