import { expect, test } from 'vitest';
import { phraseOf, phrasesIn, placeOf, withoutQuotes } from '../../../src/core/search/phrases.ts';

const said = (query: string): readonly string[] => phrasesIn(query).map(({ text }) => text);

test('a phrase is what stands between two quotes; a quote without another is a sign like any', () => {
  expect(said('"never rename" part "the lock"')).toEqual(['never rename', 'the lock']);
  expect(said('never "rename')).toEqual([]);
  expect(said('"never rename" 5" wide')).toEqual(['never rename']);
  expect(said('"" " - "')).toEqual([]);
  expect(withoutQuotes('"never rename" part')).toBe('never rename part');
});

test('a text of several lines, or of many words, has no phrases: it is what more is sought of', () => {
  const words = Array.from({ length: 15 }, (_, n) => `w${n}`).join(' ');
  expect(said(`"one" ${words}`)).toEqual(['one']);
  expect(said(`"one" ${words} w15`)).toEqual([]);
  expect(said('read "one"\nand "two"')).toEqual([]);
  expect(said('"one"\n')).toEqual(['one']);
});

test.each([
  ['never rename', 'Please NEVER\nrename it', 'NEVER\nrename'],
  ['never rename', 'never really rename', null],
  ['never rename', 'never renamed', null],
  ['rename never', 'never rename', null],
  ['to the lock', 'down to the lock', 'to the lock'],
  ['auth.ts says', 'src/auth.ts says so', 'auth.ts says'],
  ['$scope is', 'the $scope is', '$scope is'],
  ['größer als', 'Größer als', 'Größer als'],
  ['京都', '東京都へ行く', '京都'],
  ['token', 'tokens, token', 'token'],
])('"%s" in: %s', (phrase, text, expected) => {
  const place = placeOf(phrasesIn(`"${phrase}"`), { text, calls: text.length });
  expect(place === undefined ? null : text.slice(place.from, place.to)).toBe(expected);
});

test('signs that are escaped in a call part words as they do where it is read', () => {
  const text = String.raw`call write {"text":"never\nrename\u0007it"}`;
  const place = placeOf(phrasesIn('"never rename it"'), { text, calls: 0 });
  expect(place).toEqual({ from: text.indexOf('never'), to: text.indexOf('it"') + 2 });
});

test('all phrases of a query are to be there', () => {
  const entry = { text: 'the lock, and never rename', calls: 26 };
  expect(placeOf(phrasesIn('"never rename" "the lock"'), entry)).toEqual({ from: 14, to: 26 });
  expect(placeOf(phrasesIn('"never rename" "a lock"'), entry)).toBeUndefined();
});

test('a text is one phrase, whatever quotes stand in it, and a long one is known by 64 words', () => {
  const place = (text: string, said: string) => placeOf([phraseOf(said)!], { text, calls: 9_999 });
  expect(place('He said:\n- Never **rename** the "lock".', 'never rename the lock')).toBeDefined();
  expect(place('Never rename that lock.', 'Never rename "the" lock')).toBeUndefined();
  expect(phraseOf('… - "!"')).toBeNull();
  const words = (count: number): string =>
    Array.from({ length: count }, (_, n) => `w${n}`).join(' ');
  expect(place(words(64), words(70))).toEqual({ from: 0, to: words(64).length });
  expect(place(words(63), words(70))).toBeUndefined();
});
