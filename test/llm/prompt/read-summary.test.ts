import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAnswer } from '../../../src/llm/prompt/read-summary.ts';

const read = (text: string, cut = false): string => readAnswer({ text, cut });

test.for([
  ['as it came', 'Decisions:\n- Use one store'],
  ['in a fence', '```markdown\nDecisions:\n- Use one store\n```'],
  ['with an introduction', 'Here is the summary of the record:\n\nDecisions:\n- Use one store'],
  ['with a chatty one', 'Sure! Here’s a concise summary:\nDecisions:\n- Use one store'],
  ['after thinking', '<think>\nDecisions?\n</think>\n\nDecisions:\n- Use one store'],
  [
    'after thinking that was opened by the template',
    'I should\n</think>\nDecisions:\n- Use one store',
  ],
  ['after thinking twice', '<thinking>a</thinking>\n<think>b</think>\nDecisions:\n- Use one store'],
  ['in a tag', '<summary>\nDecisions:\n- Use one store\n</summary>'],
  ['introduced, then fenced', 'Here is the summary:\n```\nDecisions:\n- Use one store\n```'],
  [
    'with lines of the form',
    'Decisions:\n- Changed: <full path>: <what is new in it> (e14–e16)\n- Use one store\n- <what was planned>',
  ],
] as const)('a summary %s is read', ([, text]) => {
  expect(read(text)).toBe('Decisions:\n- Use one store');
});

test('an answer that was cut loses its unfinished line', () => {
  expect(read('Decisions:\n- Use one store\n- Keep the po', true)).toBe(
    'Decisions:\n- Use one store',
  );
  expect(read('```\nDecisions:\n- Use one store\n- Keep', true)).toBe(
    'Decisions:\n- Use one store',
  );
  expect(read('It works. It was an inverted gua', true)).toBe('It works.');
  expect(read('one unfinished line', true)).toBe('one unfinished line');
});

test.each([
  'Findings:\n- the filter drops all before </think> by mistake\nNext steps:\n- fix it',
  'Findings:\n- some templates leave <think> in the text\nNext steps:\n- run tests',
  'Findings:\n- `<think>x</think>` is read at the start only\nNext steps:\n- test',
  'Findings:\n- see below\n<thinking>\nNext steps:\n- test',
  'Findings:\n- it prints\n<think>\nhm\n</think>\nNext steps:\n- test',
])('a tag that a summary speaks of stays, with all behind it: %j', (text) => {
  expect(read(text)).toBe(text);
  expect(read(`<think>hm</think>\n${text}`)).toBe(text);
});

test('thinking that took the whole answer leaves nothing', () => {
  expect(read('<think>\nfirst\nsecond', true)).toBe('');
});

test.each(['- `<think>` is read (e3)', '- Found: <Foo> renders twice (e3)'])(
  'a tag in a line is no form: %s',
  (line) => {
    expect(read(line)).toBe(line);
  },
);

test('a fence inside and a first line that is a section stay', () => {
  const text = 'Decisions:\n- Run\n```\npnpm test\n```\n- Here is all.';
  expect(read(text)).toBe(text);
  expect(read('This is done:\n- all')).toBe('This is done:\n- all');
});

test('any text is read, and never grows', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.boolean(), (text, cut) => {
      expect(read(text, cut).length).toBeLessThanOrEqual(text.length);
    }),
  );
});
