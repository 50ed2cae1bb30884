import { expect, test } from 'vitest';
import { textOf } from '../../../src/core/messages/message.ts';
import { openStore, type Session } from '../../../src/index.ts';

/** Runs the tests of a project, which fail or not. */
const runTests = (id: string, passes: boolean) =>
  [
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id, name: 'bash', arguments: { command: 'npm test' } }],
    },
    {
      role: 'tool',
      toolCallId: id,
      content: passes ? 'all 12 tests pass' : 'Error: 2 tests timed out',
      isError: !passes,
    },
  ] as const;

/** Talks until there was one more compression. */
async function compressOnce(session: Session): Promise<void> {
  const wanted = session.state.compressions + 1;
  for (let n = 0; session.state.compressions < wanted; n += 1)
    await session.append([
      { role: 'user', content: `Step ${n}` },
      {
        role: 'assistant',
        content: `${`Lorem ipsum ${n} dolor sit amet consetetur. `.repeat(40)} ${n}`,
      },
    ]);
}

test('a cure is told with the files that were changed before its entries', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 12_000 });
  const edit = (path: string) =>
    [
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: path, name: 'edit', arguments: { path, oldText: 'a', newText: 'b' } }],
      },
      { role: 'tool', toolCallId: path, content: 'ok' },
    ] as const;
  await session.append([{ role: 'user', content: 'Build it.' }, ...runTests('a', false)]);
  await session.append([...edit('src/wait.ts')]);
  await compressOnce(session);
  await session.append([...edit('test/wait.test.ts'), ...runTests('b', true)]);
  for (let k = 0; k < 2; k += 1) await compressOnce(session);
  const { messages } = await session.assemble();
  const text = messages.map(({ content }) => textOf(content)).join('\n');
  expect(text).toMatch(/worked in e\d+ after changing src\/wait\.ts and test\/wait\.test\.ts/);
});

test('what failed and left the window is told as working when it works', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 12_000 });
  await session.append([{ role: 'user', content: 'Build it.' }, ...runTests('a', false)]);
  await compressOnce(session);
  await session.append([...runTests('b', true)]);
  await compressOnce(session);
  await session.append([...runTests('c', true)]);
  for (let k = 0; k < 2; k += 1) await compressOnce(session);
  const { messages } = await session.assemble();
  const text = messages.map(({ content }) => textOf(content)).join('\n');
  const told = text.split('\n').filter((line) => line.includes('`npm test` failed'));
  // The line of the failure is told with that of its cure.
  expect(told).toEqual([
    expect.stringMatching(/`npm test` failed since e3: Error: 2 tests timed out; worked in e\d+/),
  ]);
});
