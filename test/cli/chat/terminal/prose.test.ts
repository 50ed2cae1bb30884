import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prose } from '../../../../src/cli/chat/terminal/prose.ts';
import { statusLines, sessionStatus } from '../../../../src/cli/chat/output/status-line.ts';
import { paperOf } from '../../../../src/cli/paper/paper.ts';
import { widthOf } from '../../../../src/cli/paper/width.ts';
import { openStore } from '../../../../src/index.ts';

/** What is shown of text that comes in these pieces. */
function shown(pieces: readonly string[], width: number): string {
  const flow = prose();
  return pieces.map((piece) => flow.push(piece, width)).join('') + flow.end(width);
}

/** A text in pieces, cut at some places. */
function cutAt(text: string, places: readonly number[]): readonly string[] {
  const ends = [...places].map((at) => at % (text.length + 1)).sort((one, other) => one - other);
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

const text = fc
  .array(fc.constantFrom('a', 'word', 'antidisestablishment', ' ', '  ', '\n', '字', '。', '```'))
  .map((parts) => parts.join(''));

test('a line is broken at words, whatever the pieces', () => {
  expect(shown(['The par', 'ser reads a li', 'ne, and says so.'], 12)).toBe(
    'The parser\nreads a\nline, and\nsays so.',
  );
  fc.assert(
    fc.property(
      text,
      fc.array(fc.nat()),
      fc.integer({ min: 6, max: 30 }),
      (whole, places, width) => {
        expect(shown(cutAt(whole, places), width)).toBe(shown([whole], width));
      },
    ),
  );
});

test('no line is wider than the terminal where no word is, and nothing but white space changes', () => {
  const words = fc
    .array(fc.constantFrom('a', 'word', 'six', '字', '字字字', '-'))
    .map((all) => all.join(' '));
  fc.assert(
    fc.property(words, fc.integer({ min: 6, max: 30 }), (whole, width) => {
      const lines = shown([whole], width).split('\n');
      expect(lines.join('').replaceAll(' ', '')).toBe(whole.replaceAll(' ', ''));
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
    }),
  );
});

test('code between fences stays as it is, also in a list', () => {
  const code = '```ts\nconst value = one(two,   three);\t// far too long\n```';
  expect(shown([`Look at this one:\n${code}\nand so it goes on`], 12)).toBe(
    `Look at this\none:\n${code}\nand so it\ngoes on`,
  );
  const listed = `- ${code}`;
  expect(shown([listed, '\nand so it goes on'], 12)).toBe(`${listed}\nand so it\ngoes on`);
});

test('wide signs are broken by their width, and none begins a line that may not', () => {
  expect(shown(['これは長い', '文です。次の文'], 12)).toBe('これは長い文\nです。次の文');
  expect(shown(['一二三四五六。七'], 12)).toBe('一二三四五\n六。七');
});

test('where a session stands fits any width, and says what is above the limit', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('a', { window: 4_000, model: 'tiny:3b' });
  const { budget, reliability } = sessionStatus(session);
  const standing = {
    budget: { ...budget, total: 4_001, limit: 4_000 },
    reliability,
    compressions: 2,
  };
  for (const columns of [40, 60, 80, 200]) {
    const paper = paperOf(
      { isTTY: true, columns, rows: 24, write: () => true },
      {},
      { color: false },
    );
    const lines = statusLines(standing, paper);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
    expect(lines.join('  ')).toMatch(/nothing left {2}compresses before the next answer/);
  }
});

test('a terminal that is resized in the middle gets lines of its new width', () => {
  const flow = prose();
  expect(flow.push('one two three ', 40) + flow.push('four five six', 10) + flow.end(10)).toBe(
    'one two three\nfour five\nsix',
  );
});
