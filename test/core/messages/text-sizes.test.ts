import { expect, test } from 'vitest';
import { textSizes } from '../../../src/core/messages/text-sizes.ts';

test('characters, bytes of UTF-8 and words of all that a model reads', () => {
  const image = { type: 'file', mediaType: 'image/png', data: 'aGk=' } as const;
  const call = { name: 'read_file', arguments: { path: 'a b' } };
  expect(
    textSizes([
      { role: 'system', content: 'Be brief.\n' },
      { role: 'user', content: [{ type: 'text', text: 'größer 窗口' }, image] },
      { role: 'assistant', content: '', toolCalls: [call], thinking: 'not sent' },
    ]),
  ).toEqual({ characters: 10 + 9 + 24, bytes: 10 + 15 + 24, words: 2 + 2 + 3, files: 1 });
  expect(textSizes([])).toEqual({ characters: 0, bytes: 0, words: 0, files: 0 });
});

test.each([
  ['a', 1, 1],
  [' a  b ', 6, 2],
  ['\u0020\u0021', 2, 1],
  ['\u0000a\u001fb', 4, 2],
  ['\u007f', 1, 1],
  ['\u0080', 2, 1],
  ['a\u00a0b', 4, 2],
  ['a\u00a1b', 4, 1],
  ['\u07ff', 2, 1],
  ['\u0800', 3, 1],
  ['a\u3000b', 5, 2],
  ['a\u3001b', 5, 1],
])('%j has %i bytes and %i words', (text, bytes, words) => {
  const sizes = { characters: text.length, bytes, words, files: 0 };
  expect(textSizes([{ role: 'tool', content: text }])).toEqual(sizes);
});

test('calls are read of the model alone, and what a provider spelled in place of all of it', () => {
  const calls = [
    { name: 'ls', arguments: 'a b' },
    { name: 'cat', arguments: {} },
  ];
  const asked = { role: 'assistant', content: 'Hi', toolCalls: calls } as const;
  expect(textSizes([asked])).toEqual({ characters: 2 + 6 + 6, bytes: 14, words: 6, files: 0 });
  const spelled = { ...asked, provider: { name: 'p', raw: { text: 'one two three' } } };
  expect(textSizes([spelled])).toEqual(
    textSizes([{ role: 'system', content: JSON.stringify({ text: 'one two three' }) }]),
  );
  expect(textSizes([{ ...asked, provider: undefined }])).toEqual(textSizes([asked]));
});
