import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMemo } from '../../src/tokenizer/memo.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a short piece is merged once, a long one each time', () => {
  const merged: number[] = [];
  const memo = toMemo((_, start, end) => {
    merged.push(end - start);
    return end - start;
  });
  const bytes = bytesOf('x'.repeat(200));
  for (let times = 0; times < 3; times += 1) {
    expect(memo(bytes, times, times + 64)).toBe(64);
    expect(memo(bytes, 0, 65)).toBe(65);
  }
  expect(merged).toEqual([64, 65, 65, 65]);
});

test('no piece gets the count of another, however many share a slot', () => {
  const sum = (bytes: Uint8Array, start: number, end: number): number =>
    bytes.subarray(start, end).reduce((total, byte) => (total + byte) % 251, 1);
  const memo = toMemo(sum);
  const wrong: number[] = [];
  for (let number = 0; number < 100_000; number += 1) {
    const bytes = bytesOf(String(number % 70_000));
    if (memo(bytes, 0, bytes.length) !== sum(bytes, 0, bytes.length)) wrong.push(number);
  }
  expect(wrong).toEqual([]);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), (bytes) => {
      expect(memo(bytes, 0, bytes.length)).toBe(sum(bytes, 0, bytes.length));
    }),
  );
});
