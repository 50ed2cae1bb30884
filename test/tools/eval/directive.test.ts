import { expect, test } from 'vitest';
import { directivesOf, termsOf } from '../../../tools/eval/directive.ts';

test('words of one stem are one word', () => {
  const words = (
    'caresses ponies ties caress cats feed agreed plastered motoring sing conflated troubled sized ' +
    'hopping falling hissing failing filing happy sky relational conditional rationalize ' +
    'radically vileness triplicate formalize hopefulness goodness revival allowance inference ' +
    'adoption adjustable effective probate rate cease controll roll toys generalizations v8'
  ).split(' ');
  expect(words.flatMap(termsOf).join(' ')).toBe(
    'caress poni ti caress cat feed agre plaster motor sing conflat troubl size ' +
      'hop fall hiss fail file happi sky relat condit ration ' +
      'radic vile triplic formal hope good reviv allow infer ' +
      'adopt adjust effect probat rate ceas control roll toi gener v8',
  );
});

test('terms are what carries meaning', () => {
  expect(termsOf('Do not rename the files; v2 keeps them as they are')).toEqual([
    'renam',
    'file',
    'v2',
    'keep',
  ]);
});

test.each([
  ['Never rename the public exports.', ['Never rename the public exports.']],
  ['Looks good. We must keep Node 20 working! Thanks', ['We must keep Node 20 working!']],
  ["Hi\ndon't touch the vendor folder\nbye", ["don't touch the vendor folder"]],
  ['What is the name of the port?', []],
  ['Use it', []],
  ['```\nalways run the migration first\n```', []],
  [`Only ${'x '.repeat(250)}`, []],
])('%j has the directives %j', (text, found) => {
  expect(directivesOf(text)).toEqual(found);
});
