import { expect, test } from 'vitest';
import { openStore, type SummaryTask } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';

const lines = Array.from({ length: 24 }, (_, n) => `Found: seat ${n} is in the pool.`);

test.each([
  [{}, 1_020],
  [{ summaryTokens: 100 }, 100],
])(
  'with %j a summary may take %i tokens, however little its range gives back',
  async (options, target) => {
    const tasks: SummaryTask[] = [];
    const store = await openStore(':memory:');
    const session = await store.open('s', {
      window: 12_000,
      ...options,
      summarizer: {
        name: 'model',
        async summarize(task) {
          tasks.push(task);
          return lines.map((line) => `- ${line}`).join('\n');
        },
      },
    });
    for (let n = 0; n < 9; n += 1)
      await session.append([
        { role: 'user', content: n === 0 ? 'Is each seat in the pool?' : 'Next.' },
        { role: 'assistant', content: `It is: ${n}, ${n + 9} and ${n + 18} of the pool.` },
      ]);
    await session.append({ role: 'assistant', content: prose(2_500) });
    await session.compress();
    await session.settled();
    expect(tasks.map((task) => task.target)).toEqual([target]);
    await store.close();
  },
);
