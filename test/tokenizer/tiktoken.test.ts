import fc from 'fast-check';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { Tiktoken as JsTiktoken } from 'js-tiktoken/lite';
import { get_encoding } from 'tiktoken';
import { describe, expect, test } from 'vitest';
import { byteBound } from '../../src/core/messages/token-count.ts';
import { countTokens, loadedTokenizer, loadTokenizer } from '../../src/tokenizer/tiktoken.ts';
import type { Encoding } from '../../src/tokenizer/tokenizer.ts';
import { hostileText } from './hostile.ts';
import { draws } from '../draws.ts';

const ranks = { o200k_base: o200k, cl100k_base: cl100k };
const encodings: readonly Encoding[] = ['o200k_base', 'cl100k_base'];

test('a tokenizer is not there before it is loaded, and is one and the same afterwards', async () => {
  expect(loadedTokenizer('o200k_base')).toBeUndefined();
  const [first, second] = await Promise.all([
    loadTokenizer('o200k_base'),
    loadTokenizer('o200k_base'),
  ]);
  expect(first).toBe(second);
  expect(loadedTokenizer('o200k_base')).toBe(first);
  expect(first.name).toBe('o200k_base');
  expect(loadedTokenizer('cl100k_base')).toBeUndefined();
});

test.each(['p50k_base', '', 'toString', '__proto__'])('%o is refused by name', async (name) => {
  const refusal = { code: 'TOKENIZER_UNKNOWN', retryable: false, detail: { tokenizer: name } };
  await expect(loadTokenizer(name as Encoding)).rejects.toMatchObject(refusal);
  await expect(countTokens('a', name as Encoding)).rejects.toMatchObject(refusal);
  expect(loadedTokenizer(name as Encoding)).toBeUndefined();
});

test('o200k_base is counted unless another encoding is named', async () => {
  const text = 'ÀÉÎ 한국어 नमस्ते';
  const [plain, o200k, cl100k] = await Promise.all([
    countTokens(text),
    countTokens(text, 'o200k_base'),
    countTokens(text, 'cl100k_base'),
  ]);
  expect(plain).toBe(o200k);
  expect(plain).not.toBe(cl100k);
  expect((await loadTokenizer()).count(text)).toBe(o200k);
});

const edges: Record<string, string> = {
  'the empty text': '',
  'one space': ' ',
  'lone surrogates': 'a\ud800b\udc00 \udfff\ud800',
  'a pair the wrong way round': '\ude00\ud83d',
  'a byte order mark, which Rust does not take for white space':
    '\ufeffimport x\n\ufeff\ufeff \ufeff',
  'U+0085, which Rust does take for white space': 'a\u0085b \u0085\u0085\n\u0085!',
  'a byte order mark among spaces': '  \ufeff  \n\ufeff',
  'white space beyond ASCII after ASCII white space': 'a \n \u3000\n \u00a0b  \u2028',
  contractions: "I'm you're he's don't we'll I'd they've",
  'capital contractions': "I'M YOU'RE HE'S DON'T WE'LL I'D THEY'VE don'Ll",
  'no contractions': "rock'n'roll o'clock 'tis 'x' ''s s''",
  'contractions at the very end': "a'l",
  'a long s in a contraction': "don'ſ 'ſ a'ſb ſ'ſ",
  'an accent after a contraction': "it's\u0301 it'é",
  'CRLF runs': '\r\n\r\n a\r\n\r\n\r\nb\r\n \r\n \t\r\n',
  'slashes after signs': 'a!/ b!\n/c !//\r\n// .\n\n/\n/x */\n/**',
  digits: '1 12 123 1234 1234567 a1b22c333 ١٢٣٤ 12²',
  'digits before other digits': '12٣٤5',
  'text of special tokens': '<|endoftext|><|endofprompt|><|fim_prefix|> <|im_start|>',
  'case changes': 'camelCase PascalCase HTTPServer ABCdef aBCd ÀBc ǅab',
  'control characters': '\u0000\u0001\u001c\u001d\u007f\u000b\f',
  'white space to the end': 'a   ',
  'white space before a letter': '   \t a\t\tb \u00a0c',
  'scripts without spaces': '日本語のテキスト、中文。한국어 ไทย हिन्दी',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈😀😀 👍🏽',
  'marks alone': '\u0301\u0301a \u0301',
};

describe.each(encodings)('%s', (encoding) => {
  const reference = get_encoding(encoding);
  const expected = (text: string): number => reference.encode_ordinary(text).length;
  const other = new JsTiktoken(ranks[encoding]);

  test.each(Object.entries(edges))('counts %s', async (_, text) => {
    expect(await countTokens(text, encoding)).toBe(expected(text));
  });

  test('counts as tiktoken does, and never more than bytes', async () => {
    const { count } = await loadTokenizer(encoding);
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(count(text)).toBe(expected(text));
        expect(count(text)).toBeLessThanOrEqual(byteBound(text));
      }),
      { numRuns: draws(3_000) },
    );
  });

  test('counts as js-tiktoken does where JavaScript and Rust agree', async () => {
    const { count } = await loadTokenizer(encoding);
    fc.assert(
      fc.property(hostileText, (text) => {
        fc.pre(!/[\ufeff\u0085ſ]/.test(text));
        expect(count(text)).toBe(other.encode(text, [], []).length);
      }),
      { numRuns: draws(1_000) },
    );
  });

  test('counts long runs of one kind as tiktoken does', async () => {
    const { count } = await loadTokenizer(encoding);
    const unit = fc.constantFrom('a', 'Q', ' ', '\n', '_', 'aB', '中', '😀', 'é', '\ud800', '!\n');
    const run = fc
      .tuple(unit, fc.integer({ min: 1, max: 700 }))
      .map(([unit, times]) => unit.repeat(times));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 3 }), (runs) => {
        expect(count(runs.join(''))).toBe(expected(runs.join('')));
      }),
      { numRuns: draws(400) },
    );
  });

  test('the same text counts the same however often and between whatever', async () => {
    const { count } = await loadTokenizer(encoding);
    fc.assert(
      fc.property(hostileText, hostileText, (text, between) => {
        const first = count(text);
        count(between);
        expect(count(text)).toBe(first);
      }),
    );
  });

  test('a text may be cut between a letter or digit and white space', async () => {
    const { count } = await loadTokenizer(encoding);
    fc.assert(
      fc.property(hostileText, (text) => {
        const parts = text.split(/(?<=[\p{L}\p{N}])(?=[ \n])/u);
        const sum = parts.reduce((total, part) => total + count(part), 0);
        expect(sum).toBe(count(text));
      }),
    );
  });

  // A quadratic merge does not come back before the time limit.
  test.each(['a', ' ', '中'])('a quarter of a million of %j come to an end', async (unit) => {
    const { count } = await loadTokenizer(encoding);
    expect(count(unit.repeat(2 ** 18))).toBe(2 ** 8 * count(unit.repeat(2 ** 10)));
  });
});
