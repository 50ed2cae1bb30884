import fc from 'fast-check';

// Texts that a tokenizer gets wrong: pieces of every class side by side, with the ones
// that JavaScript and Rust read differently. Random code points come from blocks whose
// letters are older than every Unicode table in use, because the newest letters (Unicode
// 17) are letters here and not yet in the WebAssembly oracle.

const contractions = ["'s", "'S", "'t", "'T", "'ll", "'lL", "'RE", "'Ve", "'D", "'x", "''", "'"];
const folded = ["'ſ", 'ſ', 'K', 'ﬁ', 'İ', 'ß', 'ı', 'ǅ', 'ʰ', 'é', 'É', 'a\u0301', '\u0301'];
const blanks = [' ', '  ', '   ', '\n', '\r\n', '\r', '\t', ' \n ', '\v', '\u00a0', '\u3000'];
const almostBlanks = ['\ufeff', '\u0085', '\u2028', '\u200d', '\u001f', '\0', '\u180e', '\u200b'];
const signs = ['/', '//', '!\n/', '.\r\n\r\n//', '_', '-', '---', '...', '{"', '=>', '\\n', '$'];
const names = ['a', 'AB', 'aBc', 'ABc', 'don', 'DON', 'the', 'https', 'TokenCounter', 'qzxj'];
const numbers = ['1', '12', '123', '1234', '٣', 'Ⅷ', '½', '²', '<|endoftext|>', '<|endofprompt|>'];
const scripts = [
  '中',
  '日本',
  'か',
  '한국',
  '😀',
  '👩‍👩',
  'ไทย',
  'हिन्दी',
  '\ud800',
  '\udc00',
  '\ud83d',
  '\ude00',
];
const words = [contractions, folded, blanks, almostBlanks, signs, names, numbers, scripts].flat();

const blocks: readonly (readonly [number, number])[] = [
  [0x0000, 0x007f],
  [0x0080, 0x052f],
  [0x0905, 0x0939],
  [0x2000, 0x2bff],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
  [0xd83c, 0xd83e],
  [0xdc00, 0xdfff],
  [0xfe00, 0xffff],
];

const unit = fc
  .oneof(...blocks.map(([min, max]) => fc.integer({ min, max })))
  .map((code) => String.fromCharCode(code));

const ascii = fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code));

const joined = (parts: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> =>
  fc.array(parts, { maxLength, size: 'max' }).map((list) => list.join(''));

/** Some bits of text, each of them odd, in any order. */
export const hostileText = fc.oneof(
  { weight: 3, arbitrary: joined(fc.constantFrom(...words), 30) },
  { weight: 1, arbitrary: joined(unit, 40) },
  { weight: 2, arbitrary: joined(fc.oneof(ascii, fc.constantFrom(...words)), 40) },
);

/** ASCII alone, mostly of what decides where a piece ends. */
export const asciiText = fc.oneof(
  joined(ascii, 60),
  joined(fc.constantFrom(...words.filter((word) => /^[\0-\x7f]*$/.test(word))), 40),
  joined(fc.constantFrom(..."aAsStT'lLrReEvV1 \n\r\t/!_".split('')), 30),
);
