import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  clip,
  oneLine,
  prose,
  scanLimit,
  sentences,
  unfenced,
  withinScanLimit,
} from '../../../src/core/text/sentences.ts';

test('a text on one line has one space for each run of blanks, and none at its ends', () => {
  const unit = fc.constantFrom('a', '中', ' ', '\n', '\t', '\u0000', '\u0085', '\u00a0', '\u202e');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 24 }), (text) => {
      const words = text.split(/[^a中]+/).filter(Boolean);
      expect(oneLine(text)).toBe(words.join(' '));
    }),
    { numRuns: 1_000 },
  );
});

test('escape sequences part words as a space does', () => {
  expect(oneLine('\u001b[1mred\u001b[0m\u001b[2K hat')).toBe('red hat');
});

test('what is scanned ends within the limit, between characters', () => {
  const text = 'a'.repeat(scanLimit - 1);
  expect(withinScanLimit(`${text}b`)).toBe(`${text}b`);
  expect(withinScanLimit(`${text}bc`)).toBe(`${text}b`);
  expect(withinScanLimit(`${text}😀`)).toBe(text);
  expect(withinScanLimit(`${text.slice(1)}😀c`)).toBe(`${text.slice(1)}😀`);
});

test.each([
  ['abcd', 4, 'abcd'],
  ['abcde', 4, 'abc…'],
  ['😀bcde', 4, '😀b…'],
  ['ab😀d', 4, 'ab…'],
])('%j in %d units is %j', (text, length, clipped) => expect(clip(text, length)).toBe(clipped));

test.each([
  ['a line', 'a\nb\r\nc\r\rd', ['a', 'b', 'c', 'd']],
  [
    'a stop before what begins',
    'A! "B"? `C`. (d). [e]. -f. g',
    ['A!', '"B"?', '`C`.', '(d).', '[e].', '-f. g'],
  ],
  ['a stop of Chinese', '好。是吗？对！好', ['好。', '是吗？', '对！', '好']],
  ['no stop within a word', 'a.B c. d', ['a.B c. d']],
  [
    'no abbreviation',
    'A, e.g. B, cf. "C", i.e. D vs. E, approx. -3. E.g. F',
    ['A, e.g. B, cf. "C", i.e. D vs. E, approx. -3.', 'E.g. F'],
  ],
])('%s ends a sentence', (_, text, said) => expect(sentences(text)).toEqual(said));

test.each([
  ['a fence set in', 'a\n  ```\nb\n  ```  \nc', ['a', 'c']],
  ['waves', 'a\n~~~\nb\n~~~\nc', ['a', 'c']],
  ['one wave', 'a\n~\nb\n~\nc', ['a', '~', 'b', '~', 'c']],
  ['marks in a line', 'a ``` b\nc', ['a ``` b', 'c']],
  ['another language inside', '```\na\n```js\nb\n```\nc', ['c']],
  ['a fence left open behind another', 'a\n```js\nb\n```\nc\n```\nd', ['a', 'c', 'd']],
  ['code left open behind prose', 'a\n```\nb\n```\nc\n```js\nd', ['a', 'c']],
  ['txt', '```txt\na', ['a']],
  ['md', '```md\na', ['a']],
  ['Markdown', '```Markdown\na', ['a']],
  ['textile', '```textile\na', []],
  ['plaintext', '```plaintext\na', []],
])('outside code: %s', (_, text, lines) => expect(unfenced(text, 'prose')).toEqual(lines));

test('prose without fences is the text itself', () => {
  expect(prose('a\r\nb')).toBe('a\r\nb');
  expect(prose('a\r\n~~~\nb\n~~~\r\nc')).toBe('a\nc');
  expect(prose('```\nb\n```\r\nc\r\nd')).toBe('c\nd');
});
