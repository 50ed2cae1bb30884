import { leastWindow as leastOfSession } from '../../../src/core/budget/options.ts';
import { expect, test } from 'vitest';
import { leastWindow, parseWindow } from '../../../src/cli/command-line/window.ts';

test.each([
  ['8192', 8_192],
  ['8k', 8_192],
  ['8K', 8_192],
  ['1.5k', 1_536],
  ['32k', 32_768],
  ['0.5m', 524_288],
  ['1m', 1_048_576],
  ['100m', 104_857_600],
])('a window of %s is %i tokens', (text, tokens) => {
  expect(parseWindow(text)).toBe(tokens);
});

test.each([
  '0.5',
  '8192.5',
  '-8192',
  '101m',
  '1000000000',
  '',
  '0',
  '-8k',
  '8 k',
  '8kb',
  '8x',
  'k',
  '1e3',
  'NaN',
  '99999999999999999m',
])('%j is no window', (text) => {
  expect(() => parseWindow(text)).toThrow('from 1000 to 100m: 8192, 8k (8,192)');
});

test('the least window that a setting may have is the least that a session takes', () => {
  expect(leastWindow).toBe(leastOfSession);
});
