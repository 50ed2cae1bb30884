import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens } from 'flamestack';

// The tables of a vocabulary are made when the package is built.

test('text is counted by the tables of the package as by the published ranks', async () => {
  const texts = [
    'The quick brown fox',
    '你好，世界',
    '👩‍👩‍👧‍👦 naïve',
    'const answer = 0x2a; // 42',
    "it'ſ\u0085done",
  ];
  const counts = (encoding) => Promise.all(texts.map((text) => countTokens(text, encoding)));
  assert.deepEqual(await counts('o200k_base'), [4, 3, 13, 12, 6]);
  assert.deepEqual(await counts('cl100k_base'), [4, 6, 20, 12, 7]);
});
