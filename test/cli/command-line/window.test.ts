import { leastWindow as leastOfSession } from '../../../src/core/budget/options.ts';
import { expect, test } from 'vitest';
import { leastWindow, parseWindow } from '../../../src/cli/command-line/window.ts';

test.each([
  ['8192', 8_192],
  ['8k', 8_192],
  ['8K', 8_192],
  ['1.5k', 1_536],
  ['32k', 32_768],
  ['1m', 1_048_576],
])('a window of %s is %i tokens', (text, tokens) => {
  expect(parseWindow(text)).toBe(tokens);
});

test.each(['', '0', '-8k', '8 k', '8kb', '8x', 'k', '1e3', 'NaN', '99999999999999999m'])(
  '%j is no window',
  (text) => {
    expect(() => parseWindow(text)).toThrow('8k (8,192)');
  },
);

test('the least window that a setting may have is the least that a session takes', () => {
  expect(leastWindow).toBe(leastOfSession);
});
