import { expect, test } from 'vitest';
import { differingParts } from '../../src/viewer/page/session/moment/differing.ts';
import { plain, type Piece } from '../../src/viewer/page/session/model/made-line.ts';

/** Lines as a diff has them, each with the part of it that is marked in brackets. */
function marked(...lines: readonly string[]): readonly string[] {
  const pieces = lines.map((line): Piece => ({
    sign: line.startsWith('-') ? '-' : '+',
    line: { section: 'chronicle', text: line.slice(1) },
  }));
  const parts = differingParts(pieces);
  return pieces.map((piece) => {
    const text = 'line' in piece ? plain(piece.line.text) : '';
    const part = parts.get(piece);
    if (part === undefined) return text;
    const { from, to } = part;
    return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
  });
}

test('of a line in two versions the words are marked that only one has', () => {
  expect(
    marked(
      '-- src/notes.ts (changed e4): keeps notes by id, port 4310, in one file',
      '-- e7 The reader is done.',
      '+- src/notes.ts (changed e4): keeps notes by id, port 4311, in one file',
      '+- e9 Nobody said so before.',
    ),
  ).toEqual([
    'src/notes.ts (changed e4): keeps notes by id, port [4310,] in one file',
    'e7 The reader is done.',
    'src/notes.ts (changed e4): keeps notes by id, port [4311,] in one file',
    'e9 Nobody said so before.',
  ]);
});

test('words that came or went alone are marked in one version', () => {
  expect(marked('-e4 one two three', '+e4 one two three four')).toEqual([
    'e4 one two three[]',
    'e4 one two three[ four]',
  ]);
  expect(marked('-e4 one two three', '+e4 two three')).toEqual([
    'e4 [one ]two three',
    'e4 []two three',
  ]);
});

test('each version has one other, the most alike; a frame is read as a whole', () => {
  expect(
    marked('-e4 alpha beta gamma', '+e4 alpha beta delta', '+e4 alpha beta gamma!', '-e4 x'),
  ).toEqual(['e4 alpha beta [gamma]', 'e4 alpha beta [delta]', 'e4 alpha beta gamma!', 'e4 x']);
  const frame = (status: string) =>
    `<child id="f1" status="${status}"><title>Notes</title></child>`;
  expect(marked(`-${frame('planned')}`, `+${frame('completed')}`)).toEqual(['Notes', 'Notes']);
});
