import { beforeEach, expect, test, vi } from 'vitest';
import type * as layout from '../../../src/core/assembly/layout.ts';
import { openStore, type Message } from '../../../src/index.ts';
import type * as splitting from '../../../src/tokenizer/split.ts';
import { prose } from '../../../tools/laws/torture-text.ts';

// What a compression works out, counted: time on a machine under load says nothing.

const done = vi.hoisted(() => ({ layouts: 0, counted: 0 }));

vi.mock('../../../src/core/assembly/layout.ts', async (original) => {
  const { layOut, ...others } = await original<typeof layout>();
  return {
    ...others,
    layOut: (...given: Parameters<typeof layOut>) => {
      done.layouts += 1;
      return layOut(...given);
    },
  };
});

vi.mock('../../../src/tokenizer/split.ts', async (original) => {
  const { toSplit } = await original<typeof splitting>();
  return {
    toSplit: (...given: Parameters<typeof toSplit>) => {
      const split = toSplit(...given);
      return (...text: Parameters<typeof split>) => {
        done.counted += text[0].length;
        split(...text);
      };
    },
  };
});

beforeEach(() => {
  Object.assign(done, { layouts: 0, counted: 0 });
});

/** The turn of an agent: a request, a call, its result, an answer. */
const turn = (n: number): readonly Message[] => [
  { role: 'user', content: `Step ${n}: ${prose(20, n)}` },
  {
    role: 'assistant',
    content: prose(30, n + 1),
    toolCalls: [{ id: `c${n}`, name: 'read', arguments: { path: `src/part-${n % 9}.ts` } }],
  },
  { role: 'tool', toolCallId: `c${n}`, content: `${prose(40, n + 2)}\n`.repeat(12) },
  { role: 'assistant', content: `${prose(60, n + 3)} We keep part ${n} because it is pure.` },
];

test('a compression lays few epochs out, and a text is counted little more than once', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  let compressions = 0;
  session.on('compression.finished', () => {
    compressions += 1;
  });
  let written = 0;
  for (let n = 0; n < 150; n += 1) {
    await session.append(turn(n));
    written += JSON.stringify(turn(n)).length;
  }
  expect(compressions).toBeGreaterThan(5);
  expect(done.layouts / compressions).toBeLessThan(2.4);
  expect(done.counted / written).toBeLessThan(1.9);
});
