import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bar, legend, meter } from '../../../src/cli/render/bar.ts';
import { paperOf } from '../../../src/cli/paper/paper.ts';
import { rule } from '../../../src/cli/paper/rule.ts';
import { widthOf } from '../../../src/cli/paper/width.ts';
import type { Budget } from '../../../src/index.ts';

/** A budget of 1,000 tokens: 100 pinned, 100 chronicle, 200 frames, 100 checkpoints, `working` more. */
const budget = (working: number): Budget => ({
  window: 1_200,
  reserve: 200,
  limit: 1_000,
  system: 60,
  tools: 0,
  goal: 20,
  human: 20,
  frames: 200,
  checkpoints: 100,
  chronicle: 100,
  working,
  available: 520,
  threshold: 416,
  total: 500 + working,
  counted: 500 + working,
  count: 'estimate',
});

const paper = (columns: number, ascii = false, color = false) =>
  paperOf({ write: () => undefined, isTTY: true, columns, rows: 24 }, {}, { ascii, color });

test('each group has as many signs as its share, and the mark stands at the trigger', () => {
  expect(bar(budget(200), paper(50, true))).toBe(
    '%%%%%:::::----------=====##########..........|....',
  );
});

test.each([60, 80, 110])('no line is longer than %i columns', (columns) => {
  fc.assert(
    fc.property(fc.nat(3_000), fc.nat(2_000_000), fc.boolean(), (working, more, ascii) => {
      const large = { ...budget(working), frames: 200 + more, total: 500 + working + more };
      for (const one of [budget(working), large]) {
        const on = paper(columns, ascii);
        expect(widthOf(bar(one, on))).toBe(columns);
        expect(widthOf(legend(one, on))).toBeLessThanOrEqual(columns);
        expect(widthOf(meter(one, on, ['3 compressions']))).toBeLessThanOrEqual(columns);
        expect(widthOf(rule(on, 'a title '.repeat(30), 'turn 3'))).toBe(columns);
      }
    }),
  );
});

test('color changes how a bar looks, not what it says', () => {
  const colored = bar(budget(200), paper(80, false, true));
  expect(colored).toContain('\x1b[');
  expect(colored.replace(/\x1b\[\d+m/g, '')).toBe(bar(budget(200), paper(80)));
});

test.each([
  [120, 'pinned 100   '],
  [80, 'pinned 100 '],
  [60, 'pinned  '],
])('in %i columns the legend names each part by a whole word', (columns, first) => {
  const text = legend(budget(500), paper(columns, true));
  expect(text).toContain(` ${first}`);
  const names = ['pinned', 'chronicle', 'frames', 'checkpoints', 'working'];
  expect(text.match(/[a-z]+/g)).toEqual(names);
  expect(legend({ ...budget(500), chronicle: 0 }, paper(columns))).not.toContain('chronicle');
});

test.each([
  [110, 'Context 700 of 1,000 tokens   compresses in 196 tokens   57 of 57 compressions'],
  [76, 'Context 700 of 1,000   compresses in 196 tokens   57 of 57 compressions'],
  [60, 'Context 700 of 1,000 tokens   compresses in 196 tokens'],
  [50, 'Context 700 of 1,000   compresses in 196 tokens'],
  [40, 'Context 700 of 1,000 tokens'],
])('at %i columns the meter tells in tokens how far compression is', (columns, line) => {
  expect(meter(budget(200), paper(columns), ['57 of 57 compressions'])).toBe(line);
});
