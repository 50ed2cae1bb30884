import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lastCut, linesOf, nextCut } from '../../src/tokenizer/cut.ts';
import { sliceLength, slicesOf } from '../../src/tokenizer/slice.ts';
import { loadTokenizer } from '../../src/tokenizer/tiktoken.ts';
import { hostileText } from './hostile.ts';
import { draws } from '../draws.ts';

/** Every safe cut of a text. */
function cutsOf(text: string): readonly number[] {
  const cuts: number[] = [];
  for (let cut = nextCut(text, 0); cut < text.length; cut = nextCut(text, cut)) cuts.push(cut);
  return cuts;
}

describe.each(['o200k_base', 'cl100k_base'] as const)('%s', (encoding) => {
  test('a text counts what its parts do, at every safe cut', async () => {
    const { count } = await loadTokenizer(encoding);
    fc.assert(
      fc.property(hostileText, (text) => {
        const whole = count(text);
        for (const cut of cutsOf(text))
          expect(count(text.slice(0, cut)) + count(text.slice(cut))).toBe(whole);
      }),
      { numRuns: draws(2_000) },
    );
  });

  test('lines count together what the text counts', async () => {
    const { count } = await loadTokenizer(encoding);
    const begun = fc.constantFrom(
      '',
      ' ',
      '/',
      '\r',
      "'s",
      'a',
      '.',
      '1',
      '\u0301',
      '\u3000',
      '漢',
    );
    const indented = fc.tuple(fc.constantFrom('', ' ', '\t', '  ', '\t \t', '\f'), begun);
    const line = fc.oneof(
      hostileText,
      indented.map(([blanks, text]) => blanks + text),
    );
    const lines = fc.array(line, { maxLength: 6 }).map((parts) => parts.join('\n'));
    fc.assert(
      fc.property(lines, (text) => {
        const parts = [...linesOf(text)];
        expect(parts.join('')).toBe(text);
        expect(parts.reduce((sum, part) => sum + count(part), 0)).toBe(count(text));
      }),
      { numRuns: draws(4_000) },
    );
  });

  test('slices count together what the text counts', async () => {
    const { count } = await loadTokenizer(encoding);
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 400 }), (part, length) => {
        const text = `${part} ${'\u4e2d'.repeat(length)}'s`.repeat(Math.ceil(sliceLength / length));
        const slices = [...slicesOf(text)];
        expect(slices.join('')).toBe(text);
        expect(slices.reduce((sum, slice) => sum + count(slice), 0)).toBe(count(text));
      }),
      { numRuns: draws(20) },
    );
  });
});

test('the last cut is the greatest and the next cut the least', () => {
  fc.assert(
    fc.property(hostileText, fc.nat(60), fc.nat(60), (text, after, more) => {
      const cuts = cutsOf(text);
      const within = cuts.filter((cut) => cut > after && cut <= after + more);
      expect(lastCut(text, after, after + more)).toBe(within.at(-1) ?? after);
      expect(nextCut(text, after)).toBe(cuts.find((cut) => cut > after) ?? text.length);
    }),
  );
});

test.each([
  ['a word and a space', 'ab cd', [2]],
  ['a word and a sign', 'ab,cd', [2]],
  ['Han and its full stop', '中文。日本', [2]],
  ['a digit and a line end', '12\n3', [2]],
  ['no apostrophe', "it's a'", [4]],
  ['no mark', 'e\u0301 x', []],
  ['no half of a pair', 'a😀b', []],
])('a cut is between %s', (_, text, cuts) => {
  expect(cutsOf(text)).toEqual(cuts);
});

test.each([
  ['plain lines', 'a\nb', ['a\n', 'b']],
  ['indented ones', 'a {\n\tb\n  // c\n}', ['a {\n', '\tb\n', '  // c\n', '}']],
  ['none before a slash, which a sign may take', 'a;\n/b', ['a;\n/b']],
  ['none before a blank line', 'a\n\n  \nb', ['a\n\n  \n', 'b']],
  ['none before white space that does not end in what is known', 'a\n é', ['a\n é']],
])('lines are %s', (_, text, lines) => {
  expect(linesOf(text)).toEqual(lines);
});

test('a text without a cut is one slice, a short text too', () => {
  expect([...slicesOf('a'.repeat(3 * sliceLength))]).toHaveLength(1);
  expect([...slicesOf('a b')]).toEqual(['a b']);
  expect([...slicesOf('')]).toEqual([]);
  const words = [...slicesOf('word '.repeat(sliceLength))];
  expect(words).toHaveLength(6);
  for (const slice of words) expect(slice.length).toBeLessThanOrEqual(sliceLength);
});
