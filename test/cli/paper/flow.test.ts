import fc from 'fast-check';
import { expect, test } from 'vitest';
import { flow } from '../../../src/cli/paper/flow.ts';
import { widthOf } from '../../../src/cli/paper/width.ts';
import { flamestack } from '../call.ts';

const terminal = (columns: number) => ({ isTTY: true, columns, write: () => undefined });
const pipe = { write: () => undefined };

test('a line is parted between words at a terminal, and in a pipe never', () => {
  const line = '  Is the path right? A store is a folder with files in it.';
  expect(flow(line, terminal(30), 2)).toEqual([
    '  Is the path right? A store',
    '    is a folder with files in',
    '    it.',
  ]);
  expect(flow(line, pipe)).toEqual([line]);
});

test('a command, a path in marks and an option with its value are not parted', () => {
  expect(flow('Mend it: flamestack repair --store /a/b', terminal(34))).toEqual([
    'Mend it:',
    'flamestack repair --store /a/b',
  ]);
  expect(flow('That is in "/home/ada/my files/x" and `ls a b` it is', terminal(24))).toEqual([
    'That is in',
    '"/home/ada/my files/x"',
    'and `ls a b` it is',
  ]);
  expect(flow('"/home/ada/p/link" leads out, to "/tmp/elsewhere"', terminal(34))).toEqual([
    '"/home/ada/p/link" leads out, to',
    '"/tmp/elsewhere"',
  ]);
  expect(flow('"a b","c d" and "e f"', terminal(11))).toEqual(['"a b","c d"', 'and "e f"']);
  expect(flow('Another folder is named so: --store <folder>', terminal(36))).toEqual([
    'Another folder is named so:',
    '--store <folder>',
  ]);
  const path = '/a/long/path/that/no/terminal/of/this/width/has/room/for';
  expect(flow(`It is in ${path} now`, terminal(40))).toEqual(['It is in', path, 'now']);
});

test('nothing is lost, and no line but of one word is wider than the terminal', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 1 })),
      fc.integer({ min: 10, max: 60 }),
      (words, columns) => {
        const line = words.map((word) => word.replaceAll(/[\s\p{C}]/gu, 'x')).join(' ');
        const lines = flow(line, terminal(columns));
        expect(lines.join(' ').replaceAll(/ +/g, ' ')).toBe(line.replaceAll(/ +/g, ' '));
        if (!/["`]|--|: /.test(line))
          for (const one of lines)
            if (one.includes(' ')) expect(widthOf(one)).toBeLessThanOrEqual(columns);
      },
    ),
    { examples: [[['"', '      "" '], 10]] },
  );
});

test('what goes wrong is told within the width of the terminal, and in a pipe on one line each', async () => {
  const line = 'show --store /nowhere/at/all';
  const { err } = await flamestack(line, { isTTY: true, columns: 40 });
  expect(err).toBe(
    [
      'flamestack: There is no store in',
      '  "/nowhere/at/all"',
      '  Name the folder with --store, or make',
      '    one: flamestack import <your session',
      '    file> --store /nowhere/at/all',
      '',
    ].join('\n'),
  );
  expect((await flamestack(line)).err.split('\n')).toHaveLength(3);
});
