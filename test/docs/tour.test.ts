import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import type { Reader } from '../../src/cli/io.ts';
import { flamestack, plainLines } from '../cli/call.ts';
import { newFolder } from '../store/folder.ts';

// What docs/tour.md shows of a terminal is what the command prints: each of its lines, in this order, but for what `⋯`
// stands for; and the screen of `browse` as it is drawn.

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const page = read('../../docs/tour.md');
const calls = [...page.matchAll(/^```console\n([^]*?)^```/gm)].flatMap(([, block]) =>
  block!
    .split(/^\$ flamestack /m)
    .slice(1)
    .map((text): [string, readonly string[]] => {
      const [line, ...shown] = text.trimEnd().split('\n');
      return [line!, shown];
    }),
);

const terminal = { isTTY: true, columns: 80, rows: 10_000, env: { NO_COLOR: '1' } };

let store: string;
beforeAll(async () => {
  store = await newFolder();
});

test('docs/tour.md calls the command', () => expect(calls.length).toBeGreaterThan(6));

test.each(calls)('flamestack %s prints what the tour shows', async (line, shown) => {
  const { exit, out, err } = await flamestack(`${line} --store ${store}`, terminal);
  expect(exit).toBe(0);
  const printed = `${out}\n${err}`.split('\n').map((each) => each.trimEnd());
  let at = 0;
  for (const [index, wanted] of shown.entries()) {
    if (wanted === '⋯') continue;
    const isNext = patternOf(wanted);
    const found = printed.slice(at).findIndex((each) => isNext.test(each));
    expect([wanted, found === -1 ? printed.slice(at, at + 8) : 'printed']).toEqual([
      wanted,
      'printed',
    ]);
    // A line follows the one above it, but for what is left out and blank lines.
    const between = printed.slice(at, at + found).filter((each) => each !== '');
    if (index > 0 && shown[index - 1] !== '⋯') expect(between).toEqual([]);
    at += found + 1;
  }
});

/** What a line may be, `⋯` standing for any text. */
const patternOf = (wanted: string): RegExp =>
  new RegExp(`^${wanted.split('⋯').map(escaped).join('.*')}$`);

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

test('the screen of `browse` is the one that the tour shows', async () => {
  const [, block = ''] = /^```\n(Build the notes app [^]*?)\n```/m.exec(page) ?? [];
  expect(await screenOf('browse notes-app')).toEqual(block.split('\n'));
});

/** The screen that a command draws once all of a session is read, line by line. */
async function screenOf(line: string): Promise<readonly string[]> {
  const stdin = new PassThrough();
  const lines: string[] = [];
  let isRead = false;
  await flamestack(`${line} --store ${store}`, {
    ...terminal,
    rows: 24,
    stdin: Object.assign(stdin, { isTTY: true }) satisfies Reader,
    onOut(out) {
      if (isRead || !out.includes('not here word for word')) return;
      isRead = true;
      for (const [, row, text] of out.matchAll(/\x1b\[(\d+);1H([^]*?)\x1b\[0m/g))
        lines[Number(row) - 1] = plainLines(text!)[0]!.trimEnd();
      stdin.write('qq');
    },
  });
  return lines;
}

test('the status line of docs/command-line.md and the number of the README are those of the tour', async () => {
  const { out } = await flamestack(`show --line --store ${store}`);
  const line = out.trim();
  expect(read('../../docs/command-line.md')).toContain(`\`${line}\``);
  const [, used, most] = /Context ([\d,]+)\/([\d,]+)/.exec(line)!;
  expect(read('../../README.md')).toContain(`what the model sees: ${used} of ${most} tokens`);
  expect(/^([\d,]+) tokens stand for /m.exec(page)?.[1]).toBe(used);
});
