import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clean, cleanLine, toJson } from '../../../src/cli/paper/clean.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

/** What strangers may send, and what is left of it. */
const samples: readonly (readonly [what: string, hostile: string, left: string])[] = [
  ['a color', 'a\x1b[31mred\x1b[0mb', 'aredb'],
  ['a cleared screen', 'a\x1b[2J\x1b[Hb', 'ab'],
  ['a title, ended by BEL', 'a\x1b]0;owned\x07b', 'ab'],
  ['a title, ended by ST', 'a\x1b]0;owned\x1b\\b', 'ab'],
  ['a link', '\x1b]8;;http://evil\x07click\x1b]8;;\x07', 'click'],
  ['the clipboard', '\x1b]52;c;ZXZpbA==\x07x', 'x'],
  ['a string without an end', 'a\x1b]0;owned\nb', 'a\nb'],
  ['a device control string', 'a\x1bP1$r\x1b\\b', 'ab'],
  ['an application command', 'a\x1b_payload\x1b\\b', 'ab'],
  ['a privacy message', 'a\x1b^payload\x1b\\b', 'ab'],
  ['eight-bit control sequences', 'a\x9b31mb', 'ab'],
  ['an eight-bit title', 'a\x9d0;owned\x9cb', 'ab'],
  ['a reset', 'a\x1bcb', 'ab'],
  ['another character set', 'a\x1b(0b', 'ab'],
  ['a lone escape', 'a\x1b', 'a'],
  ['a line written over', 'safe\rrm -rf', 'safe·rm -rf'],
  ['backspaces', 'ab\b\bcd', 'ab··cd'],
  ['a bell', 'a\x07b', 'a·b'],
  ['a null', 'a\x00b', 'a·b'],
  ['a delete', 'a\x7fb', 'a·b'],
  ['writing turned around', 'user\u202egnp.exe', 'user·gnp.exe'],
  ['an isolate', 'a\u2066b\u2069c', 'a·b·c'],
  ['an Arabic letter mark', 'a\u061cb', 'a·b'],
  ['Windows line ends', 'a\r\nb', 'a\nb'],
  ['nothing of the kind', 'tab\there\n漢字 👩‍👩‍👧 é', 'tab\there\n漢字 👩‍👩‍👧 é'],
];

test.each(samples)('of %s only text is left', (_, hostile, left) => {
  expect(clean(hostile)).toBe(left);
});

test('no text whatever keeps a control character but tabs and line feeds', () => {
  const char = fc.oneof(
    fc.constantFrom(
      '\x1b',
      '[',
      ']',
      'P',
      '\\',
      '\x07',
      '\x9b',
      '\x9d',
      '\x9c',
      '\r',
      '\u202e',
      ';',
    ),
    fc.string({ minLength: 1, maxLength: 3, unit: codePoint }),
  );
  fc.assert(
    fc.property(fc.array(char), (parts) => {
      expect(clean(parts.join(''))).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    }),
  );
});

test('cleaning twice is cleaning once', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => {
      expect(clean(clean(text))).toBe(clean(text));
    }),
  );
});

test('a line stays a line', () => {
  expect(cleanLine(' a\n\n\tb\x1b[2K  c ')).toBe('a b c');
});

test('JSON of hostile text is plain to a terminal and the same to a parser', () => {
  const hostile = samples.map(([, text]) => text).join('');
  expect(toJson({ hostile })).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e\u2066]/);
  expect(JSON.parse(toJson({ hostile }))).toEqual({ hostile });
});
