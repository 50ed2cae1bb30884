import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cachedCount } from '../../../src/engine/live/cached-count.ts';
import type { Tokenizer } from '../../../src/tokenizer/tokenizer.ts';

function counting(): { tokenizer: Tokenizer; counted: string[] } {
  const counted: string[] = [];
  const count = (text: string): number => {
    counted.push(text);
    return text.length;
  };
  return { tokenizer: { name: 'length', count }, counted };
}

test('a remembered count is the count, whatever was counted before', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('a', 'b', 'x'.repeat(200_000)));
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const count = cachedCount(counting().tokenizer);
      expect(texts.map(count)).toEqual(texts.map(({ length }) => length));
    }),
  );
});

test('a line is counted once while it is in use, and forgotten after four megabytes of others', () => {
  const { tokenizer, counted } = counting();
  const count = cachedCount(tokenizer);
  for (let n = 0; n < 200; n += 1) {
    count('the same line');
    cachedCount(tokenizer)(`line ${n} ${'.'.repeat(10_000)}`);
  }
  expect(counted.filter((text) => text === 'the same line')).toHaveLength(1);
  for (let n = 0; n < 420; n += 1) count(`other ${n} ${'.'.repeat(10_000)}`);
  count('the same line');
  expect(counted.filter((text) => text === 'the same line')).toHaveLength(2);
});

test('of a text that grew by a line, only that line is counted', () => {
  const { tokenizer, counted } = counting();
  const count = cachedCount(tokenizer);
  const lines = Array.from({ length: 50 }, (_, n) => `- e${n} a line`);
  count(lines.join('\n'));
  counted.length = 0;
  count([...lines, '- e50 one more'].join('\n'));
  expect(counted.join('')).toBe('- e49 a line\n- e50 one more');
});
