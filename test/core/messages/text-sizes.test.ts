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
