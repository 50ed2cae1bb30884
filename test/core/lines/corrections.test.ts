import fc from 'fast-check';
import { expect, test } from 'vitest';
import { correctionsIn } from '../../../src/core/lines/corrections.ts';

test.each([
  'CORRECT #12: the race is in Pool.acquire (e61)',
  '- CORRECT #12: the race is in Pool.acquire (e61)',
  '* **CORRECT #12:** the race is in Pool.acquire (e61)',
  'CORRECT (#12): the race is in Pool.acquire (e61)',
  'Correction: [#12] - the race is in Pool.acquire (e61)',
])('%s', (line) => {
  const text = 'the race is in Pool.acquire (e61)';
  const read = correctionsIn(`- before (e40)\n${line}\n- behind (e50)`);
  expect(read).toEqual({
    corrections: [{ of: 'wrong', line: 12, text }],
    rest: '- before (e40)\n- behind (e50)',
  });
});

test.each([
  ['DONE #12: the port is 4310 (e61)', 'the port is 4310 (e61)'],
  ['- **DONE** #12 – the port is 4310', 'the port is 4310'],
  ['- DONE #12', ''],
  ['Closed: #12: answered', 'answered'],
])('what was open is done: %s', (line, text) => {
  const correction = { of: 'open', line: 12, text };
  expect(correctionsIn(line)).toEqual({ corrections: [correction], rest: '' });
});

test.each(['- DROP #12', 'DROP #12: it is void', '- **DROPPED** (#12)'])(
  'what is void is dropped, whatever stands behind it: %s',
  (line) => {
    const correction = { of: 'void', line: 12, text: '' };
    expect(correctionsIn(line)).toEqual({ corrections: [correction], rest: '' });
  },
);

test.each([
  ['CORRECT #12, #14: the race is in Pool.acquire (e61)', ['wrong', 'void']],
  ['- DONE #12 and #14: the port is 4310', ['open', 'open']],
  ['- DROP #12, #14', ['void', 'void']],
])('one line takes the place of several: %s', (line, of) => {
  const { corrections, rest } = correctionsIn(line);
  expect(corrections.map((one) => [one.of, one.line])).toEqual([
    [of[0], 12],
    [of[1], 14],
  ]);
  expect(corrections.filter(({ text }) => text !== '')).toHaveLength(line.includes('DROP') ? 0 : 1);
  expect(rest).toBe('');
});

test.each([
  '- Drop the table #12 of it',
  '- Done: #12 is mended',
  '- Correct answers are in #12',
  '- CORRECT the test: #12 was wrong',
  'CORRECT #12:',
  'CORRECT e12: it has no number',
  'CORRECT #0: nothing has this number',
  '- #12 is CORRECT #13: so it says',
])('what corrects no line is a line like any other: %s', (line) => {
  expect(correctionsIn(line)).toEqual({ corrections: [], rest: line });
});

test('every line is a correction or stays', () => {
  const line = fc.oneof(fc.string(), fc.constant('CORRECT #1: no'));
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
