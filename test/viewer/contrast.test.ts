import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Text of the pages is read on each ground that it stands on, in light and in dark (WCAG AA: 4.5 to 1).

const folder = new URL('../../src/viewer/page/', import.meta.url);
const styles = ['page.css', 'session/session.css'].map((name) =>
  readFileSync(new URL(name, folder), 'utf8'),
);
const colors = new Map(
  [...styles.join('\n').matchAll(/--([a-z-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

const channel = (part: number): number =>
  part <= 0.04 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    channel(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

const texts = ['ink', 'soft', 'link', 'lit', 'bad', 'frames-text', 'human-text', 'chronicle-text'];

test.each(texts)('%s is read on sheet, paper and what is lit', (text) => {
  for (const ground of ['sheet', 'paper', 'lit-soft'])
    for (const theme of ['light', 'dark'] as const)
      expect
        .soft(
          contrast(colors.get(text)![theme], colors.get(ground)![theme]),
          `on ${ground}, ${theme}`,
        )
        .toBeGreaterThanOrEqual(4.5);
});

test('so is the title of a frame that is open', () => {
  for (const theme of ['light', 'dark'] as const)
    expect(
      contrast(colors.get('on-open')![theme], colors.get('open')![theme]),
    ).toBeGreaterThanOrEqual(4.5);
});
