import { expect, test } from 'vitest';
import { pagedOutput, pagerCommand } from '../../../src/cli/call/paged-output.ts';
import type { Pager } from '../../../src/cli/io.ts';
import { flamestack, folder, scriptFile } from '../call.ts';

async function demo(): Promise<string> {
  const store = `${await folder()}/store`;
  await flamestack(`import ${await scriptFile()} --store ${store}`);
  return store;
}

/** A pager that shows what it is given, and is left after so many writes. */
function fakePager({ leaves = Number.POSITIVE_INFINITY, starts = true } = {}) {
  const pager = {
    shown: '',
    command: '',
    start(command: string): Pager {
      pager.command = command;
      let writes = 0;
      return {
        get isLeft() {
          return writes >= leaves;
        },
        write: (text) => {
          writes += 1;
          pager.shown += text;
        },
        end: async () => starts,
      };
    },
  };
  return pager;
}

const screen = { isTTY: true, columns: 80, rows: 24 };

test('what is longer than the screen goes to the pager whole, and what is not stays out of it', async () => {
  const store = await demo();
  const { out: whole } = await flamestack(`log --store ${store} --no-pager`, screen);
  const pager = fakePager();
  const told = await flamestack(`log --store ${store}`, { ...screen, startPager: pager.start });
  expect(told).toEqual({ exit: 0, out: '', err: '' });
  expect(pager).toMatchObject({ shown: whole, command: 'less -FRX' });
  const short = fakePager();
  const few = await flamestack(`log --limit 5 --store ${store}`, {
    ...screen,
    startPager: short.start,
  });
  expect(short.command).toBe('');
  expect(few.out.split('\n').length).toBe(7);
});

test.each(['inspect', 'undo --list'])('%s goes to the pager, too', async (line) => {
  const store = await demo();
  const pager = fakePager();
  const rows = { ...screen, rows: 3 };
  await flamestack(`${line} --store ${store}`, { ...rows, startPager: pager.start });
  const { out } = await flamestack(`${line} --no-pager --store ${store}`, rows);
  expect(out).not.toBe('');
  expect(pager.shown).toBe(out);
});

test('a line that is wider than the screen counts as the rows that it takes', async () => {
  const pager = fakePager();
  let out = '';
  const stdout = { write: (text: string) => (out += text) };
  const io = {
    stdin: process.stdin,
    stdout,
    stderr: stdout,
    env: {},
    signal: new AbortController().signal,
    startPager: pager.start,
  };
  const size = { rows: 6, columns: 20 };
  const short = pagedOutput(io, 'less', size);
  short.print(`\x1b[90m${'x'.repeat(100)}\x1b[39m\n`);
  await short.close();
  expect([pager.command, out.length]).toEqual(['', 111]);
  const long = pagedOutput(io, 'less', size);
  long.print(`${'x'.repeat(101)}\n`);
  await long.close();
  expect([pager.command, out.length]).toEqual(['less', 111]);
});

test.each(['--json', '--no-pager'])('nothing is paged with %s, nor in a pipe', async (option) => {
  const store = await demo();
  const pager = fakePager();
  await flamestack(`log ${option} --store ${store}`, { ...screen, startPager: pager.start });
  await flamestack(`log --store ${store}`, { startPager: pager.start });
  await flamestack(`log --store ${store}`, {
    ...screen,
    env: { TERM: 'dumb' },
    startPager: pager.start,
  });
  expect(pager.command).toBe('');
});

test('who leaves the pager early ends the command well; notes come behind it', async () => {
  const store = await demo();
  const pager = fakePager({ leaves: 24 });
  const told = await flamestack(`log --store ${store}`, { ...screen, startPager: pager.start });
  expect(told).toEqual({ exit: 0, out: '', err: '' });
  const found = fakePager();
  const { err } = await flamestack(`search part --store ${store}`, {
    ...screen,
    startPager: found.start,
  });
  expect(found.shown).toContain('── ');
  // Where a search takes long, its progress stands before them.
  expect(err).toMatch(/(?:^|\[2K)\nWhole: .*\nThe best 10 hits in /);
});

test('where the pager cannot be started all is printed', async () => {
  const store = await demo();
  const { out: whole } = await flamestack(`log --store ${store} --no-pager`, screen);
  const { start } = fakePager({ starts: false });
  expect((await flamestack(`log --store ${store}`, { ...screen, startPager: start })).out).toBe(
    whole,
  );
});

test('the pager is that of Flamestack, then that of the terminal, then less', () => {
  expect(pagerCommand({ FLAMESTACK_PAGER: 'bat -p', PAGER: 'more' })).toBe('bat -p');
  expect(pagerCommand({ PAGER: 'more' })).toBe('more');
  expect(pagerCommand({})).toBe('less -FRX');
  expect(pagerCommand({ FLAMESTACK_PAGER: 'off', PAGER: 'more' })).toBe(null);
  expect(pagerCommand({ FLAMESTACK_PAGER: '', PAGER: 'more' })).toBe('less -FRX');
});
