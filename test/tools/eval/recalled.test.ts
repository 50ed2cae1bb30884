import { expect, test } from 'vitest';
import { flamestack } from '../../../tools/eval/flamestack.ts';
import { ratesOf } from '../../../tools/eval/tally.ts';
import { assistant, filler, measured, method, user } from './session.ts';

const lines = [
  user('parseWindow is in src/core/tree.ts.'),
  assistant('I see parseWindow.'),
  user(`Something else. ${filler(60)}`),
  assistant(filler(60)),
  user('The branches are wrong: what parses windows?'),
  assistant('That is parseWindow, in src/core/tree.ts.'),
];

test('a search is asked with the newest three messages, newest first, and with each name, before what a plain window holds', async () => {
  const asked: (readonly [string, number, number])[] = [];
  const { tally } = await measured(
    lines,
    60,
    method(() => [], {
      recall: async (query, { before, limit }) => {
        asked.push([query.slice(0, 30), before, limit]);
        return query.startsWith('The branches') ? [1] : [0];
      },
    }),
  );
  expect(asked.map(([query]) => query)).toEqual([
    'The branches are wrong: what p',
    'core/tree.ts',
    'parseWindow',
  ]);
  for (const [, before, limit] of asked) expect([before, limit]).toEqual([4, 10]);
  const { recalled, recalledAnywhere, recalledByName, far } = tally;
  expect(far).toEqual({ kept: 0, of: 2 });
  expect([recalled, recalledAnywhere, recalledByName]).toEqual([
    { kept: 1, of: 2 },
    { kept: 1, of: 2 },
    { kept: 2, of: 2 },
  ]);
});

test('a method without a search has no rate of what is found again', async () => {
  const { tally } = await measured(
    lines,
    60,
    method(() => []),
  );
  const { far, recalled } = ratesOf(tally);
  expect([far, recalled]).toEqual([0, null]);
});

test('the engine finds again what left the window', async () => {
  const { tally } = await measured(lines, 1_000, flamestack('flamestack'));
  expect(tally.recalled.of).toBe(0);
  const long = [...lines.slice(0, 3), ...Array.from({ length: 30 }, () => assistant(filler(90)))];
  const outcome = await measured([...long, ...lines.slice(4)], 1_000, flamestack('flamestack'));
  expect(outcome.tally.recalled).toEqual({ kept: 2, of: 2 });
  expect(outcome.tally.recalledAnywhere).toEqual({ kept: 2, of: 2 });
  expect(outcome.tally.recalledByName).toEqual({ kept: 2, of: 2 });
});
