import fc from 'fast-check';
import { expect, test } from 'vitest';
import { around, directiveAt, directivesOf } from '../../../src/core/people/directives.ts';
import { clip, oneLine, sentences, unfenced } from '../../../src/core/text/sentences.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

test('sentences end at line breaks and at a stop before a capital', () => {
  expect(sentences('One is e.g. this. Two!  Three?\n\n four. five\r\n')).toEqual([
    'One is e.g. this.',
    'Two!',
    'Three?',
    'four. five',
  ]);
});

test('directives are the sentences that constrain, verbatim and each once', () => {
  const text =
    'Hello there. Don’t touch the lockfile! The sky is blue.\nUse tabs, not spaces.\n\nDon’t touch the lockfile!\nNever push to main.';
  expect(directivesOf(text)).toEqual([
    'Don’t touch the lockfile!',
    'Use tabs, not spaces.',
    'Never push to main.',
  ]);
});

test('code lays nothing down, but a fence left open hides no directive', () => {
  expect(directivesOf('```\nnever use this code\n```\nAlways run the tests.')).toEqual([
    'Always run the tests.',
  ]);
  expect(directivesOf('```\nnever use this code')).toEqual(['never use this code']);
});

test('a long sentence is represented by 400 characters of it around the cue', () => {
  const text = `${'blah '.repeat(300)}but you must never delete the table users ${'and so on '.repeat(100)}`;
  const [directive] = directivesOf(text);
  expect(directive?.length).toBeLessThanOrEqual(400);
  expect(text).toContain(directive);
  expect(directive).toContain('must never delete the table users');
});

test('each directive stands in the text, on one line, within its length', () => {
  const word = fc.constantFrom(
    'never',
    'use',
    'a',
    '. A',
    '\n',
    '```',
    'tree.ts',
    '😀',
    ' '.repeat(50),
    'x'.repeat(390),
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(word, fc.string({ unit: codePoint, maxLength: 5 })), { maxLength: 40 }),
      (words) => {
        const text = words.join(' ');
        for (const directive of directivesOf(text)) {
          expect(text.includes(directive)).toBe(true);
          expect(directive.length).toBeLessThanOrEqual(400);
          expect(directive).not.toMatch(/[\n\r]/);
        }
      },
    ),
  );
});

test.each(['a', '. ', '.', ' ', '\n', '`', '~', '```\n', 'never ', "don't", '。'])(
  'a million characters of %j are read in linear time',
  (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(directivesOf(text).every((directive) => directive.length <= 400)).toBe(true);
  },
  20_000,
);

test('only a fence of the same mark and at least the same length closes code', () => {
  const text = 'a\n````\nb\n```\nc\n~~~~\nd\n````\ne';
  expect(unfenced(text, 'code')).toEqual(['a', 'e']);
  expect(unfenced('a\n```\nb', 'code')).toEqual(['a']);
  expect(unfenced('a\n```\nb', 'prose')).toEqual(['a', 'b']);
  expect(unfenced('a\n```sql\nb', 'prose')).toEqual(['a']);
  expect(unfenced('a\n```text\nb', 'prose')).toEqual(['a', 'b']);
});

test('one line holds no control characters and clipping parts no character', () => {
  expect(oneLine('a\u001b[31mred\u001b[0m\r\n\tb\u0000\u2028c')).toBe('a red b c');
  expect(clip('ab😀d', 4)).toBe('ab…');
});

test.each([
  ["don't", "I don't"],
  ['don’t', 'I don’t'],
  ['dont', 'I dont'],
  ['must', 'It must'],
  ['mustn’t', 'It mustn’t'],
  ['mustnt', 'It mustnt'],
  ['should', 'It should'],
  ["shouldn't", "It shouldn't"],
  ['shouldnt', 'It shouldnt'],
  ['cannot', 'It cannot'],
  ["can't", "It can't"],
  ['need to', 'We need to'],
  ['needs to', 'It needs to'],
  ['let’s', 'Hm, let’s'],
  ['lets', 'Hm, lets'],
  ['stick with', 'We stick with'],
])('%s lays down', (cue, words) => {
  expect(directiveAt(`${words} go`)).toBe(words.length - cue.length);
});

test.each(['I can go', 'a mustard', 'it likes us', 'to stick it'])('%s lays nothing down', (text) =>
  expect(directiveAt(text)).toBeNull(),
);

test('a directive has three words and eight characters', () => {
  expect(directivesOf('never push')).toEqual([]);
  expect(directivesOf('never push it')).toEqual(['never push it']);
  expect(directivesOf('use a b')).toEqual([]);
  expect(directivesOf('use a bc')).toEqual(['use a bc']);
});

test.each([
  ['all of 400 characters', `${'a'.repeat(399)} `, 0, [0, 400]],
  ['the beginning', 'abcd '.repeat(200), 200, [0, 399]],
  ['from a word on', 'abcd '.repeat(200), 201, [5, 404]],
  ['around the middle', 'abcd '.repeat(200), 300, [105, 504]],
  ['of one word', 'x'.repeat(1_000), 500, [300, 700]],
  ['within a word that goes on', `${'x'.repeat(600)} ${'y'.repeat(400)}`, 600, [400, 800]],
  ['from a word right before', `${'x'.repeat(599)} ${'y'.repeat(400)}`, 600, [600, 1_000]],
  ['between characters', '😀'.repeat(500), 401, [202, 600]],
])('of a sentence is kept %s', (...[, sentence, at, span]) => {
  expect(around(sentence, at)).toBe(sentence.slice(...span));
});
