import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as layout from '../../../src/core/assembly/layout.ts';
import type * as literals from '../../../src/core/entities/literals.ts';
import type * as batches from '../../../src/engine/live/batch.ts';
import { openStore, type Message } from '../../../src/index.ts';
import { systemClock } from '../../../src/engine/live/clock.ts';
import type * as cutting from '../../../src/tokenizer/cut.ts';
import type * as splitting from '../../../src/tokenizer/split/split.ts';
import { prose } from '../../../src/testing/made-text.ts';

// What is worked out and written for an entry, counted: time on a machine under load says nothing.

const nothing = { layouts: 0, counted: 0, lookedUp: 0, scanned: 0, batches: 0, rows: 0 };
const done = vi.hoisted(() => ({
  layouts: 0,
  counted: 0,
  lookedUp: 0,
  scanned: 0,
  batches: 0,
  rows: 0,
}));

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

vi.mock('../../../src/tokenizer/split/split.ts', async (original) => {
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

vi.mock('../../../src/tokenizer/cut.ts', async (original) => {
  const { linesOf, ...others } = await original<typeof cutting>();
  return {
    ...others,
    linesOf: (text: string) => {
      done.lookedUp += text.length;
      return linesOf(text);
    },
  };
});

vi.mock('../../../src/core/entities/literals.ts', async (original) => {
  const { scanLiterals, ...others } = await original<typeof literals>();
  return {
    ...others,
    scanLiterals: (...given: Parameters<typeof scanLiterals>) => {
      done.scanned += given[0].length;
      scanLiterals(...given);
    },
  };
});

vi.mock('../../../src/engine/live/batch.ts', async (original) => {
  const { batchOf, ...others } = await original<typeof batches>();
  return {
    ...others,
    batchOf: (...given: Parameters<typeof batchOf>) => {
      const changes = batchOf(...given);
      done.batches += 1;
      done.rows += changes.length;
      return changes;
    },
  };
});

beforeEach(() => {
  Object.assign(done, nothing);
  // A step that takes no time is decided in one go; what one that is broken off has, it asks for again.
  vi.spyOn(performance, 'now').mockReturnValue(0);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The turn of an agent: a request, a call, its result, an answer. */
const turn = (n: number): readonly Message[] => [
  { role: 'user', content: `Step ${n}: ${prose(20, n)}` },
  {
    role: 'assistant',
    content: prose(30, n + 1_000),
    toolCalls: [{ id: `c${n}`, name: 'read', arguments: { path: `src/part-${n % 9}.ts` } }],
  },
  { role: 'tool', toolCallId: `c${n}`, content: `${prose(40, n + 2)}\n`.repeat(12) },
  { role: 'assistant', content: `${prose(60, n + 3)} We keep part ${n} because it is pure.` },
];

test('an append is one batch of two rows: what was decided, and the entry; the first names the session', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  Object.assign(done, nothing);
  for (let n = 0; n < 10; n += 1) await session.append({ role: 'user', content: prose(20, n) });
  expect(done).toMatchObject({ batches: 10, rows: 21 });
});

test('a compression lays one epoch out as a rule, and a text is read little more than once', async () => {
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
  expect(done.layouts / compressions).toBeLessThan(1.2);
  expect(done.counted / written).toBeLessThan(1.8);
  expect(done.lookedUp / written).toBeLessThan(3.4);
  expect(done.scanned / written).toBeLessThan(1.3);
  expect(done.rows / (4 * 150)).toBeLessThan(1.75);
});

test('what is worked out is little more where every part of a decision is broken off', async () => {
  const lookedUpFrom = async (first: number, elapsed: () => number): Promise<number> => {
    const clock = { ...systemClock, elapsed };
    await using store = await openStore(':memory:', { clock });
    const session = await store.open('s', { window: 16_000 });
    Object.assign(done, nothing);
    for (let n = first; n < first + 30; n += 1) await session.append(turn(n));
    return done.lookedUp;
  };
  let now = 0;
  const atOnce = await lookedUpFrom(0, () => 0);
  const brokenOff = await lookedUpFrom(100, () => (now += 1_000));
  expect(brokenOff / atOnce).toBeLessThan(1.25);
});
