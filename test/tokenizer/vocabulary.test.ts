import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { expect, test } from 'vitest';
import { toRank, toTable } from '../../src/tokenizer/vocabulary.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function rankOf(source: string, text: string): number {
  const bytes = Buffer.from(`<${text}>`);
  return toRank(toTable(source))(bytes, 1, bytes.length - 1);
}

test('tokens of several lines have the ranks that their lines begin with', () => {
  const lines = `! 0 ${['a', 'b', 'ab'].map(base64).join(' ')}\n! 10 ${['abc', 'ü'].map(base64).join(' ')}\n`;
  const found = ['a', 'b', 'ab', 'abc', 'ü', 'ba', 'abcd', ''].map((text) => rankOf(lines, text));
  expect(found).toEqual([0, 1, 2, 10, 11, -1, -1, -1]);
});

test('what only begins like a token is none', () => {
  const tokens = Array.from({ length: 64 }, (_, index) => 'abcdefgh'.repeat(3) + index);
  const rank = toRank(toTable(`! 0 ${tokens.map(base64).join(' ')}`));
  const starts = tokens.flatMap((token) => [token.slice(0, 20), `${token}!`]);
  for (const text of starts) expect(rank(Buffer.from(text), 0, text.length)).toBe(-1);
  for (let length = 3; length < 24; length += 1)
    expect(rank(Buffer.from(tokens[0]!), 0, length)).toBe(-1);
});

test('an empty vocabulary finds nothing', () => {
  expect(rankOf('', 'a')).toBe(-1);
});

test.each([
  ['o200k_base', o200k.bpe_ranks],
  ['cl100k_base', cl100k.bpe_ranks],
])('%s: each token is found under its own rank', (_, source) => {
  const rank = toRank(toTable(source));
  const wrong = source.split('\n').flatMap((line) => {
    const [, first, ...tokens] = line.split(' ');
    return tokens.filter((token, index) => {
      const bytes = Buffer.from(token, 'base64');
      return rank(bytes, 0, bytes.length) !== Number(first) + index;
    });
  });
  expect(wrong).toEqual([]);
});
