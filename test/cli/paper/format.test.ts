import { expect, test } from 'vitest';
import { fixed, paintFor } from '../../../src/cli/paper/format.ts';

/** The color of a number in the cube of 256, or among its grays. */
function rgbOf(number: number): readonly number[] {
  if (number >= 232) return Array<number>(3).fill(8 + (number - 232) * 10);
  const steps = [0, 95, 135, 175, 215, 255];
  return [36, 6, 1].map((size) => steps[Math.floor((number - 16) / size) % 6]!);
}

/** As WCAG has it. */
function luminance(rgb: readonly number[]): number {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

/** Grounds, and the least contrast on each. White and black leave room for 4.58 on both at most; that of the cube comes near. */
const grounds = {
  white: [[255, 255, 255], 4.3],
  black: [[0, 0, 0], 4.4],
  'Solarized light': [[0xfd, 0xf6, 0xe3], 4],
  'Solarized dark': [[0x00, 0x2b, 0x36], 3.1],
  'Visual Studio Code dark': [[0x1e, 0x1e, 0x1e], 3.5],
} as const;

test.each(Object.entries(grounds))('each color stands out on %s', (_, [ground, least]) => {
  const pale = Object.entries(fixed).filter(([, color]) => contrast(rgbOf(color), ground) < least);
  expect(pale).toEqual([]);
});

test.each(['gray', 'red', 'blue', 'magenta'] as const)(
  '%s is read on white and on black',
  (name) => {
    for (const ground of [grounds.white[0], grounds.black[0]])
      expect(contrast(rgbOf(fixed[name]), ground)).toBeGreaterThanOrEqual(4.5);
  },
);

test('a terminal of 256 colors gets those that no theme changes, another one those of its theme', () => {
  const gray = (env: Record<string, string>) => paintFor(env)('x', 'gray');
  const ours = '\x1b[38;5;243mx\x1b[39m';
  for (const TERM of ['xterm-256color', 'tmux-256color', 'screen-256color', 'xterm-direct'])
    expect(gray({ TERM })).toBe(ours);
  expect(gray({ TERM: 'xterm', COLORTERM: 'truecolor' })).toBe(ours);
  expect(gray({ TERM: 'vt100' })).toBe('\x1b[90mx\x1b[39m');
  expect(paintFor({})('x', 'bold', 'red')).toContain('\x1b[1mx\x1b[22m');
  expect(paintFor({})('', 'bold')).toBe('');
});
