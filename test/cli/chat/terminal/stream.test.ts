import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanStream } from '../../../../src/cli/chat/terminal/clean-stream.ts';
import { pastes } from '../../../../src/cli/chat/terminal/paste.ts';
import { clean } from '../../../../src/cli/paper/clean.ts';

/** Text of the kind that a terminal obeys, in pieces. */
const hostile = fc.array(
  fc.string({
    unit: fc.constantFrom(
      '\x1b',
      '[',
      ']',
      '2',
      ';',
      'J',
      '\x07',
      '\x9b',
      '\r',
      '\n',
      'a',
      '😀',
      '\ud83d',
      '\u202e',
    ),
  }),
);

const shown = (pieces: readonly string[]): string => {
  const stream = cleanStream();
  return pieces.map((piece) => stream.push(piece)).join('') + stream.end();
};

test('nothing that a terminal obeys gets through, however it is cut', () => {
  fc.assert(
    fc.property(hostile, (pieces) => {
      expect(shown(pieces)).toMatch(/^[^\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]*$/);
    }),
  );
});

test('a sequence cut in two is taken away whole', () => {
  expect(shown(['a\x1b', ']0;ow', 'ned\x07b\x1b[', '2', 'Jc\r', '\nd'])).toBe('abc\nd');
});

test('plain text comes out as it went in, each piece at once', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme-ascii' })), (pieces) => {
      const stream = cleanStream();
      for (const piece of pieces) expect(stream.push(piece)).toBe(clean(piece));
    }),
  );
});

test('a paste is taken in whole, wherever the terminal cuts it but behind an Escape', () => {
  const keys = 'Look: \x1b[200~one\rtwo\x1b[201~ and \x1b[200~short\x1b[201~ done\r';
  fc.assert(
    fc.property(fc.array(fc.nat(keys.length)), (cuts) => {
      const pasted = pastes();
      const ends = cuts.filter((at) => keys[at - 1] !== '\x1b').sort((one, other) => one - other);
      const pieces = [0, ...ends].map((from, index) =>
        keys.slice(from, ends[index] ?? keys.length),
      );
      const line = pieces.map((piece) => pasted.take(piece)).join('');
      expect(line).toBe('Look: [paste 1: 2 lines] and short done\r');
      expect(pasted.expand(line)).toBe('Look: one\ntwo and short done\r');
    }),
  );
});
