import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctionsIn } from '../../../src/core/lines/corrections.ts';

test.each([
  ['CORRECT e12–e30: the race is in Pool.acquire (e61)', 'e12', 'e30'],
  ['- CORRECT e12: the race is in Pool.acquire (e61)', 'e12', 'e12'],
  ['* **CORRECT e12-e30:** the race is in Pool.acquire (e61)', 'e12', 'e30'],
  ['CORRECT (e30 to e12): the race is in Pool.acquire (e61)', 'e12', 'e30'],
  ['Correction: [e12..e30] - the race is in Pool.acquire (e61)', 'e12', 'e30'],
])('%s', (line, from, to) => {
  const text = 'the race is in Pool.acquire (e61)';
  const read = correctionsIn(`- before (e40)\n${line}\n- behind (e50)`);
  expect(read).toEqual({
    corrections: [{ of: 'wrong', from, to, text }],
    rest: '- before (e40)\n- behind (e50)',
  });
});

test.each([
  ['DONE e12: the port is 4310 (e61)', 'the port is 4310 (e61)'],
  ['- **DONE** e12–e12 – the port is 4310', 'the port is 4310'],
  ['- DONE e12', ''],
  ['Closed: e12: answered', 'answered'],
])('what was open is done: %s', (line, text) => {
  const correction = { of: 'open', from: 'e12', to: 'e12', text };
  expect(correctionsIn(line)).toEqual({ corrections: [correction], rest: '' });
});

test.each([
  '- Done: e12 is mended',
  '- Correct answers are in e12',
  '- CORRECT the test: e12 was wrong',
  'CORRECT e12:',
  'CORRECT e0: nothing has this id',
  '- e12 is CORRECT e13: so it says',
])('what corrects no entry is a line like any other: %s', (line) => {
  expect(correctionsIn(line)).toEqual({ corrections: [], rest: line });
});

test('every line is a correction or stays', () => {
  const line = fc.oneof(fc.string(), fc.constant('CORRECT e1: no'));
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join('\n').replace(/\r/g, '');
      const { corrections, rest } = correctionsIn(text);
      expect(corrections.length + rest.split('\n').length).toBeGreaterThanOrEqual(
        text.split('\n').length,
      );
    }),
  );
});
