import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdown } from '../../../../src/cli/chat/terminal/markdown.ts';
import { prose } from '../../../../src/cli/chat/terminal/prose.ts';
import { paperOf } from '../../../../src/cli/paper/paper.ts';
import { widthOf } from '../../../../src/cli/paper/width.ts';
import { plainLines } from '../../call.ts';

/** What is shown of an answer that comes in these pieces. */
function shown(pieces: readonly string[], width: number, color = false): string {
  const paper = paperOf({ write: () => undefined }, {}, { color });
  const flow = markdown(() => paper);
  return pieces.map((piece) => flow.push(piece, width)).join('') + flow.end(width);
}

const bold = (text: string): string => `\x1b[1m${text}\x1b[22m`;

const costs = `Two ways:

| command | does | cost |
| --- | :-- | ---: |
| \`ls\` | lists sessions | 12 |
| \`search\` | finds **words** in all of them | 1,200 |

Take the first.`;

test('a table is laid out in columns, numbers to the right, and what stands around it stays', () => {
  expect(shown([costs], 60).split('\n')).toEqual([
    'Two ways:',
    '',
    'command   does                         cost',
    '────────  ──────────────────────────  ─────',
    '`ls`      lists sessions                 12',
    '`search`  finds words in all of them  1,200',
    '',
    'Take the first.',
  ]);
});

test('a long cell goes on below, and no line is wider than the terminal', () => {
  const lines = shown([costs], 34).split('\n');
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(34);
  expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('1,200');
});

test('what is no table stays word for word, as one in code does, and one that is too wide', () => {
  const code = '```\n| a | b |\n| --- | --- |\n```';
  for (const color of [false, true]) expect(shown([code], 60, color)).toBe(code);
  const rows = '| a | b |\nand so on';
  expect(shown([rows], 60)).toBe(rows);
  const wide = `| ${'long cell | '.repeat(9)}\n| ${'--- | '.repeat(9)}\n`;
  expect(shown([wide], 30).replace(/\s+/g, ' ').trimEnd()).toBe(
    wide.replace(/\s+/g, ' ').trimEnd(),
  );
});

test('headings and bold words are bold and code has its color; without color every sign stays', () => {
  const text = '## The **plan**\nUse `ls -a` and **all of it**, 2**3 too.';
  expect(shown([text], 60)).toBe(text);
  const painted = shown([text], 60, true);
  expect(painted).toContain(bold('##'));
  expect(painted).toContain(`${bold('all')} ${bold('of')} ${bold('it')},`);
  expect(painted).toMatch(/Use \x1b\[\S+m`ls\x1b\[39m \x1b\[\S+m-a`\x1b\[39m and/);
  expect(painted).toContain('2**3 too.');
});

test('italic words, links and quotes are shown as such; without color every sign stays', () => {
  const text = [
    'It is *very* old, and *all of it* too; 2 * 3 * 4, f(*args), *.ts stay.',
    'See [the guide](https://a.example/b), or [https://c.example](https://c.example).',
    'A [note] and x[0](y) are none.',
    '> What was said there goes on for longer than a line of it has room for',
    'After.',
  ].join('\n');
  expect(shown([text], 100)).toBe(text);
  const painted = shown([text], 50, true);
  expect(painted).toContain('is \x1b[3mvery\x1b[23m old');
  expect(painted).toContain('\x1b[3mall\x1b[23m \x1b[3mof\x1b[23m \x1b[3mit\x1b[23m too;');
  expect(painted.replace(/\s+/g, ' ')).toContain('2 * 3 * 4, f(*args), *.ts stay.');
  expect(painted).toMatch(
    /\x1b\[4mthe guide\x1b\[24m \x1b\[\S+m\(https:\/\/a\.example\/b\)\x1b\[39m,/,
  );
  expect(painted).toContain('\x1b[4mhttps://c.example\x1b[24m.');
  expect(painted).toContain('A [note] and x[0](y) are none.');
  const quoted = plainLines(painted).filter((line) => line.startsWith('│ '));
  expect(quoted).toHaveLength(2);
  expect(quoted.every((line) => line.length <= 50)).toBe(true);
  expect(plainLines(painted).at(-1)).toBe('After.');
});

test('an answer is the same in whatever pieces it comes', () => {
  const part = fc.constantFrom(
    '| a ',
    '| --- ',
    '|',
    '\n',
    'word',
    ' ',
    '**',
    '*',
    '[',
    ']',
    '](a)',
    '`',
    '> ',
    '```',
    '字',
    '#',
  );
  const places = fc.array(fc.nat());
  fc.assert(
    fc.property(fc.array(part), places, fc.boolean(), (parts, cuts, color) => {
      const text = parts.join('');
      const ends = cuts.map((at) => at % (text.length + 1)).sort((one, other) => one - other);
      const pieces = [...ends, text.length].map((end, at) => text.slice(ends[at - 1] ?? 0, end));
      expect(shown(pieces, 20, color)).toBe(shown([text], 20, color));
    }),
  );
});

test('what has no table is shown as prose is', () => {
  const text = fc.array(fc.constantFrom('a', 'word', ' ', '\n', '字', '```', '- '));
  fc.assert(
    fc.property(text, (parts) => {
      const flow = prose();
      const plain = flow.push(parts.join(''), 20) + flow.end(20);
      expect(shown([parts.join('')], 20)).toBe(plain);
    }),
  );
});
