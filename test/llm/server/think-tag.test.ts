import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thinkFilter } from '../../../src/llm/server/think-tag.ts';

function heard(pieces: readonly string[]): { text: string; thinking: string } {
  const filter = thinkFilter();
  const parts = [...pieces.map((piece) => filter.push(piece)), filter.end()];
  return {
    text: parts.map(({ text }) => text).join(''),
    thinking: parts.map(({ thinking }) => thinking).join(''),
  };
}

test('thinking in tags at the start is told from the text behind it', () => {
  expect(heard(['<think>\nSo <b>', '</think>\n\nDone'])).toEqual({
    thinking: '\nSo <b>',
    text: 'Done',
  });
  expect(heard(['\n<think>a</think>'])).toEqual({ thinking: 'a', text: '' });
});

test('tags further on are text', () => {
  const said = 'Models write <think>like this</think> first';
  expect(heard([said])).toEqual({ thinking: '', text: said });
});

test('thinking that is cut off stays thinking', () => {
  expect(heard(['<think>so far', ' </thi'])).toEqual({ thinking: 'so far </thi', text: '' });
});

test('text is heard at once where it cannot be a tag, and blanks at its start are kept', () => {
  const filter = thinkFilter();
  expect(filter.push('  ')).toEqual({ text: '', thinking: '' });
  expect(filter.push('<thi')).toEqual({ text: '', thinking: '' });
  expect(filter.push('s')).toEqual({ text: '  <this', thinking: '' });
  expect(filter.push('<think>')).toEqual({ text: '<think>', thinking: '' });
});

test('it does not matter where the pieces break', () => {
  const token = fc.constantFrom('<think>', '</think>', '<', 'think', ' ', '\n', 'a', '</', '>');
  fc.assert(
    fc.property(fc.array(token), fc.array(fc.nat(9)), (tokens, cuts) => {
      const whole = tokens.join('');
      const ends = cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b);
      const pieces = [...ends, whole.length].map((end, index) => whole.slice(ends[index - 1], end));
      expect(heard(pieces)).toEqual(heard([whole]));
    }),
  );
});
