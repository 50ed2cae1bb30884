import { expect, test } from 'vitest';
import { shownPart } from '../../src/viewer/page/session/model/shown-part.ts';

test('a text is cut behind a word, and within one only where that is longer than half of what is shown', () => {
  const text = 'asked because I wanted it';
  expect(shownPart(text, 0, 21)).toBe('asked because I');
  expect(shownPart(text, 0, 22)).toBe('asked because I wanted');
  expect(shownPart(text, 6, 14)).toBe('because I');
  expect(shownPart(text, 0, 99)).toBe(text);
  expect(shownPart('a '.padEnd(40, 'x'), 0, 20)).toBe('a '.padEnd(20, 'x'));
});
