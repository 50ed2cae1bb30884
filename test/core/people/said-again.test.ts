import { expect, test } from 'vitest';
import { saidAgain } from '../../../src/core/people/said-again.ts';

const prompt = 'Look through the pool of the app, and say in which order it gives its rows back.';
const again = (...texts: readonly string[]): readonly number[] =>
  [...saidAgain(texts.map((content) => ({ role: 'user', content })))].sort((a, b) => a - b);

test.each([
  ['the same text', [prompt, 'Yes.', prompt]],
  ['one that goes on', [prompt, `${prompt} And say how many.`]],
  ['one that has it below other lines', [prompt, `Once more:\n\n  ${prompt}\nThat is all.`]],
  ['one with other space around it', [`${prompt}\n`, `\n${prompt}`]],
])('a text is said again in %s', (_, texts) => {
  expect(again(...texts)).toEqual([0]);
});

test('a text of several lines is said again where all of them stand together', () => {
  const lines = `${prompt}\n\nThen fix it.`;
  expect(again(lines, `${prompt}\n\nThen fix it. Thanks.`)).toEqual([0]);
  expect(again(lines, `${prompt}\n\nThen wait.\n\nThen fix it.`)).toEqual([]);
});

test('each that is said again counts, in whichever later text', () => {
  const other = prompt.replace('pool', 'cache');
  expect(again(prompt, other, prompt, `${other}\n${prompt}`)).toEqual([0, 1, 2]);
});

test.each([
  ['a short text', ['Go on.', 'Go on.']],
  ['a text that an earlier one has', [`${prompt} And say how many.`, prompt]],
  ['a text within a line of another', [prompt, `He said: ${prompt}`]],
  ['the start of a text', [`${prompt} And say how many.`, `${prompt} Or do not.`]],
])('%s is not said again', (_, texts) => {
  expect(again(...texts)).toEqual([]);
});

test('of texts with the same start the newest eight are looked for', () => {
  const alike = Array.from({ length: 9 }, (_, n) => `${prompt} And the pool of day ${n}.`);
  expect(again(...alike, alike.join('\n'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});
