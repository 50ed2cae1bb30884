import { expect, test } from 'vitest';
import {
  expressionsIn,
  expressionsOf,
  growthOfExpression,
} from '../../tools/bounds/expressions.ts';
import { pumpsIn } from '../../tools/bounds/pattern.ts';

// The search for expressions that take longer than their text is has to find those that do.

test.each([
  /(a+)+$/,
  /^(?:[\w.]+)*@/,
  /^(a|a)*b/,
  /(?<word>\w+\s?)+:$/,
  /\s+$/,
  /<!--[^]*?-->/g,
  /^\s*(:[^=]{1,60}?)?\s*(?:=\s*(.*?))?[;,]?\s*$/,
])('%s grows too fast', (shape) => {
  expect(growthOfExpression(shape)).not.toBeNull();
});

test.each([/a+/g, /^\s+\S/, /[^\n]+/g, /^(?:a|b)+$/, /\b\d{1,6}\b/g, /(?<!\s)\s+$/])(
  '%s does not',
  (shape) => {
    expect(growthOfExpression(shape)).toBeNull();
  },
);

test('expressions are found wherever they stand, and in no text or comment', () => {
  const source = `
    // /(a+)+$/ in a comment
    const text = '/(a+)+$/';
    export const found = (given: string): boolean => given.split(/(b+)+$/u).some((one) => /c*/.test(one));
  `;
  expect(expressionsOf('a.ts', source)).toEqual([
    { at: 'a.ts:4', shape: /(b+)+$/u },
    { at: 'a.ts:4', shape: /c*/ },
  ]);
  const all = expressionsIn(new URL('../../src', import.meta.url).pathname);
  expect(all.length).toBeGreaterThan(500);
  for (const { shape } of all) expect(() => pumpsIn(shape)).not.toThrow();
});

test.each([/^(?:ab|cd)+[x-z]{2}\d?$/, /^\p{Lu}\w*\s[^a-z]{3,}!$/u, /^\[(\d+)\]:\s\\$/])(
  'of %s a text is made that it matches',
  (shape) => {
    expect(pumpsIn(shape).samples.some((text) => shape.test(text))).toBe(true);
  },
);
