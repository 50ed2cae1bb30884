import { expect, test } from 'vitest';
import { textOf } from '../../../src/core/messages/message.ts';
import { openStore } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';

test('a session of edits of one file leaves room in the chronicle for what was stated', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  const stated = 'We keep the retries in the client because the server drops idle sockets.';
  await session.append([
    { role: 'user', content: 'Write the steps.' },
    { role: 'assistant', content: stated },
  ]);
  for (let n = 0; n < 300; n += 1) {
    const newText = `export function step${n}(input: string): number {\n${prose(40, n)}\n}`;
    await session.append([
      { role: 'user', content: `Step ${n}` },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: `c${n}`, name: 'edit', arguments: { path: 'src/steps.ts', newText } }],
      },
      { role: 'tool', toolCallId: `c${n}`, content: 'ok' },
    ]);
    await session.settled();
  }
  const { messages } = await session.assemble();
  const chronicle = messages.find(({ section }) => section === 'chronicle');
  const lines = textOf(chronicle!.content).split('\n');
  const changed = lines.filter((line) => line.includes('changed src/steps.ts'));
  expect(changed.some((line) => / since e4 /.test(line))).toBe(true);
  expect(changed.length).toBeLessThan(60);
  expect(lines.join('\n')).toContain(stated);
});
