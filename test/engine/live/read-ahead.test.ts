import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import type * as chronicleLines from '../../../src/core/chronicle/lines.ts';
import { openStore, type Session } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';

const read = vi.hoisted(() => ({ entries: [] as number[] }));

vi.mock('../../../src/core/chronicle/lines.ts', async (original) => {
  const { readAhead, ...others } = await original<typeof chronicleLines>();
  return {
    ...others,
    readAhead: (...given: Parameters<typeof readAhead>) => {
      const [entries, at] = given;
      read.entries.push(entries[at]!.n);
      readAhead(...given);
    },
  };
});

beforeEach(() => {
  read.entries = [];
});

const share = ({ state: { budget } }: Session): number =>
  (budget.human + budget.working) / budget.threshold;

async function fillTo(session: Session, most: number): Promise<void> {
  for (let n = 0; share(session) < most; n += 1)
    await session.append({ role: 'assistant', content: prose(60, n) });
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
}

test('no entry is read while no compression is near', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await fillTo(session, 0.7);
  expect(read.entries).toEqual([]);
});

test('the older half of the entries is read where a compression is near, each once and in order', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 16_000 });
  await fillTo(session, 0.97);
  const { entries } = session.state;
  expect(session.state.compressions).toBe(0);
  expect(read.entries).toEqual(Array.from(read.entries, (_, index) => index + 1));
  expect(read.entries.length).toBeGreaterThan(entries * 0.4);
  expect(read.entries.length).toBeLessThan(entries * 0.6);
});
