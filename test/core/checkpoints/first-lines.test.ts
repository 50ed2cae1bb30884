import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstLines, linesInTurn } from '../../../src/core/checkpoints/first-lines.ts';
import { estimate } from '../../../src/llm/prompt/estimate.ts';

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

const summary = `- the guard was inverted (e12)
- src/auth.ts: + checkExpiry (e14)
- pnpm test passes (e18)`;

test.each([
  [16, summary],
  [15, '- the guard was inverted (e12)\n- src/auth.ts: + checkExpiry (e14)'],
  [7, '- the guard was inverted (e12)'],
  [5, '- src/auth.ts: + checkExpiry (e14)'],
])('in %i words the first lines stay, and of later ones those that fit', (room, kept) => {
  expect(firstLines(summary, room, words)).toBe(kept);
});

test.each([
  [
    9,
    'It expired at once. The guard was inverted. It',
    'It expired at once. The guard was inverted.',
  ],
  [
    9,
    'one two three four five six seven eight nine ten',
    'one two three four five six seven eight…',
  ],
])(
  'a line too long for %i words is cut behind a sentence, else between words: %s',
  (room, line, kept) => {
    expect(firstLines(`${line} ${'more '.repeat(20)}`, room, words)).toBe(kept);
  },
);

test('a head that lost its lines goes with them', () => {
  const text = 'Findings:\n- one\n- two\n\nNext steps:\n- three';
  expect(firstLines(text, 5, words)).toBe('Findings:\n- one\n- two');
  expect(firstLines('Findings:\n- one two three', 3, words)).toBe('- one…');
});

test('lines of several come in turn, each once, so that each loses its last', () => {
  expect(linesInTurn(['- a1\n- a2\n- a3', '- b1', '- c1\n\n- c2\n- a1'])).toBe(
    '- a1\n- b1\n- c1\n- a2\n- c2\n- a3',
  );
});

test('the result is within its target, made of whole lines where one fits, and what fits is unchanged', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.nat({ max: 80 }), (lines, target) => {
      const text = lines.join('\n');
      const kept = firstLines(text, target, estimate);
      expect(estimate(kept)).toBeLessThanOrEqual(target);
      if (estimate(text) <= target) expect(kept).toBe(text);
      else if (
        target > 1 &&
        lines.some(
          (one) =>
            one.trim() !== '' &&
            !one.endsWith(':') &&
            estimate(`${one}\n`) <= target &&
            !one.startsWith('#'),
        )
      )
        for (const one of kept.split('\n')) expect(lines).toContain(one);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['a\n\nb\nc', 2, 'a'],
  ['## a\nb c\nd', 3, 'b c'],
  ['## a\nb c\nd', 4, '## a\nb c'],
  ['a:\nb c\nd e f', 3, 'a:\nb c'],
  ['**a:**\nb c\nd e f', 3, '**a:**\nb c'],
  ['- a:\nb c\nd e f', 4, '- a:\nb c'],
  ['a: b\nc d\ne f g', 4, 'a: b\nc d'],
  ['a:\nb:\nc d e\nf g h i', 4, 'c d e'],
  ['a b c d e', 3, 'a b…'],
  ['A b. c d e', 3, 'A b.'],
  ['A; bb cc dd ee', 3, 'A; bb…'],
  ['a:\nb c d e', 3, 'b c…'],
  ['abc', 0, ''],
])('of %j %d words are %j', (text, room, kept) => expect(firstLines(text, room, words)).toBe(kept));

test('several summaries lose their last lines alike, and say nothing twice', () => {
  expect(linesInTurn(['a\n\nb\n  \nc', 'd', '', 'a\ne'])).toBe('a\nd\nb\ne\nc');
  expect(linesInTurn([])).toBe('');
});
