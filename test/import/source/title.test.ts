import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSession } from '../../../src/import/source/key.ts';
import { toCriteria, toTitle } from '../../../src/import/source/title.ts';

const half = /\p{Surrogate}/u;

test('a short text is its own title, a long one is cut after a word', () => {
  expect(toTitle('  Build the\n page ')).toBe('Build the page');
  const title = toTitle('word '.repeat(60));
  expect(title).toMatch(/^(word )+word…$/);
  expect(title.length).toBeLessThanOrEqual(101);
});

test('a title is short whatever its letters, and never half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(toTitle(text).length).toBeLessThanOrEqual(101);
      expect(toTitle(text)).not.toMatch(half);
      expect(toCriteria(text).length).toBeLessThanOrEqual(401);
      expect(toCriteria(text)).not.toMatch(half);
    }),
  );
});

test('a session id is clean, keeps a clean one, and stands for its seed where there is none', () => {
  expect(toSession('fe5e1c67-53e7', 'x')).toBe('fe5e1c67-53e7');
  expect(toSession('a b/c', 'x')).toBe('a-b-c');
  expect(toSession('..', 'x')).toBe(toSession(undefined, 'x'));
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (own) => {
      expect(toSession(own, 'x')).toMatch(/^[0-9A-Za-z_.-]{1,64}$/);
    }),
  );
});
