import { expect, test } from 'vitest';
import { grouped } from '../../src/viewer/page/session/model/grouped.ts';
import type { Step, StreamItem } from '../../src/viewer/page/session/model/wire.ts';

const step = (seq: number): Step => ({
  seq,
  at: 0,
  written: 0,
  turn: 0,
  epoch: 1,
  frame: 'f0',
  said: 0,
  sizes: [],
  limit: 1,
  due: 1,
  news: [],
});

async function groupsOf(
  lines: readonly (readonly StreamItem[])[],
): Promise<readonly (readonly StreamItem[])[]> {
  const groups: (readonly StreamItem[])[] = [];
  const told = (async function* () {
    yield* lines;
  })();
  for await (const group of grouped(told)) groups.push(group);
  return groups;
}

test('a long session comes in few groups, in order, the first at once and nothing twice', async () => {
  const steps = Array.from({ length: 20_000 }, (_, seq) => step(seq));
  const groups = await groupsOf(steps.map((one) => [one]));
  expect(groups.flat()).toEqual(steps);
  expect(groups[0]).toHaveLength(1);
  expect(groups.length).toBeLessThan(60);
});

test('once all that is stored was told, what comes is told at once', async () => {
  const stored = Array.from({ length: 100 }, (_, seq) => [step(seq)]);
  const groups = await groupsOf([
    ...stored,
    [{ seq: 99, written: false }],
    [step(100)],
    [step(101)],
  ]);
  expect(groups.at(-4)!.at(-1)).toEqual({ seq: 99, written: false });
  expect(groups.slice(-3)).toEqual([[step(100)], [step(101)], []]);
});
