import { expect, test } from 'vitest';
import { paperOf } from '../../../src/cli/paper/paper.ts';

const terminal = { write: () => undefined, isTTY: true, columns: 100, rows: 30 };
const pipe = { write: () => undefined };
const isColored = (...given: Parameters<typeof paperOf>): boolean =>
  paperOf(...given).paint('x', 'bold', 'red') !== 'x';

test('a terminal has color, a pipe has none', () => {
  expect(isColored(terminal, {}, {})).toBe(true);
  expect(isColored(pipe, {}, {})).toBe(false);
});

test('NO_COLOR takes color away, FORCE_COLOR gives it, and an option beats both', () => {
  expect(isColored(terminal, { NO_COLOR: '1' }, {})).toBe(false);
  expect(isColored(pipe, { FORCE_COLOR: '1' }, {})).toBe(true);
  expect(isColored(terminal, { FORCE_COLOR: '0' }, {})).toBe(false);
  expect(isColored(terminal, { FORCE_COLOR: '1' }, { color: false })).toBe(false);
  expect(isColored(pipe, { NO_COLOR: '1' }, { color: true })).toBe(true);
});

test('a dumb terminal gets plain characters, and nothing is drawn over', () => {
  const paper = paperOf(terminal, { TERM: 'dumb' }, {});
  expect([paper.isLive, paper.glyphs.working]).toEqual([false, '#']);
});

test('a pipe is 80 columns wide, has no end, and cuts no line', () => {
  const { width, longest, height, isLive } = paperOf(pipe, {}, {});
  const none = Number.POSITIVE_INFINITY;
  expect([width, longest, height, isLive]).toEqual([80, none, none, false]);
});

test('COLUMNS says how wide a pipe is, and nothing of a terminal', () => {
  const sizes = (...given: Parameters<typeof paperOf>) => {
    const { width, longest } = paperOf(...given);
    return [width, longest];
  };
  expect(sizes(pipe, { COLUMNS: '120' }, {})).toEqual([120, 120]);
  expect(sizes(pipe, { COLUMNS: '7' }, {})).toEqual([40, 40]);
  expect(sizes(pipe, { COLUMNS: 'wide' }, {})).toEqual([80, Number.POSITIVE_INFINITY]);
  expect(sizes(terminal, { COLUMNS: '120' }, {})).toEqual([100, 100]);
});
