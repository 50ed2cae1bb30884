import { expect, test } from 'vitest';
import { openStore, type Message } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';

/** Turns with a call and its result, more of them than one stage of a batch takes. */
const turns = (count: number): readonly Message[] =>
  Array.from({ length: count }, (_, n): readonly Message[] => [
    { role: 'user', content: `Step ${n}` },
    {
      role: 'assistant',
      content: `[GOAL: Ship part ${n}]`,
      toolCalls: [{ id: `c${n}`, name: 'read', arguments: { path: `src/${n}.ts` } }],
    },
    { role: 'tool', toolCallId: `c${n}`, content: prose(20, n) },
  ]).flat();

test('a long batch leaves what its messages leave one by one, where nothing is compressed', async () => {
  await using store = await openStore(':memory:');
  const messages = turns(200);
  const batch = await store.open('batch', { window: 1_000_000 });
  const single = await store.open('single', { window: 1_000_000 });
  await batch.append(messages);
  for (const message of messages) await single.append(message);
  expect(batch.state.entries).toBe(600);
  expect(batch.state.goal).toEqual(single.state.goal);
  expect((await batch.assemble()).messages).toEqual((await single.assemble()).messages);
});
