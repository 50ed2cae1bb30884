import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSession, type Browsing } from '../../../src/cli/browse/browsing.ts';
import { frameOf, viewOf } from '../../../src/cli/browse/frame.ts';
import { press } from '../../../src/cli/browse/keys/press.ts';
import { widthOf } from '../../../src/cli/paper/width.ts';
import { draws } from '../../draws.ts';
import { plainLines } from '../call.ts';
import { browsingOf, hostile, keys, newsOf, sizeOf } from './stage.ts';

const plain = (browsing: Browsing): readonly string[] =>
  frameOf(browsing).flatMap((line) => plainLines(line));

/** What no line may hold: what a terminal obeys, but for colors and the column of a pane. */
const obeyed = /[^\P{Cc}\x1b]|\x1b(?!\[[\d;]*[mG])|[\u202a-\u202e]/u;

/** Says what is wrong with a frame. */
function faultsOf(browsing: Browsing): readonly string[] {
  const frame = frameOf(browsing);
  return [
    ...(frame.length === browsing.rows ? [] : [`${frame.length} lines of ${browsing.rows}`]),
    ...frame.flatMap((line) => (widthOf(line) > browsing.columns ? [`too wide: ${line}`] : [])),
    ...frame.flatMap((line) => (obeyed.test(line) ? [`obeyed: ${JSON.stringify(line)}`] : [])),
  ];
}

/** What the supplier would bring for what is asked, some of it. */
function answered(browsing: Browsing): Browsing {
  const entries = hostile.map((text, at) => ({
    id: `e${at + 1}`,
    frame: 'f0',
    role: 'tool',
    at: at % 2 === 0 ? 1_772_000_000_000 : Number.NaN,
    text: at === 0 ? text.repeat(2_000) : text,
  }));
  const over = browsing.over.map((one) => {
    if (one.type === 'reading') return { ...one, entries };
    return one.type === 'page' ? { ...one, link: `http://127.0.0.1:1/#t=${'x'.repeat(43)}` } : one;
  });
  return { ...browsing, over };
}

test('whatever is pressed, at any size, the screen is full, no line too wide, and nothing is obeyed', () => {
  const size = fc.record({
    columns: fc.integer({ min: 40, max: 200 }),
    rows: fc.integer({ min: 10, max: 60 }),
    isAscii: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(size, { minLength: 1, maxLength: 3 }),
      fc.array(keys, { maxLength: 40 }),
      fc.constantFrom(0, 1, 5, 130),
      (sizes, pressed, steps) => {
        let browsing = browsingOf(steps);
        expect(faultsOf(browsing)).toEqual([]);
        for (const [index, key] of pressed.entries()) {
          const { columns, rows, isAscii } = sizes[index % sizes.length]!;
          browsing = { ...press(browsing, key), ...sizeOf(columns, rows, isAscii) };
          if (index % 3 === 0) browsing = answered(browsing);
          expect(faultsOf(browsing)).toEqual([]);
          const { rows: found, at } = viewOf(browsing);
          expect(at).toBeGreaterThanOrEqual(0);
          expect(found.length).toBeGreaterThanOrEqual(0);
          const { open } = browsing;
          if (open === null) continue;
          expect(open.at === 0 || (open.at > 0 && open.at < open.count)).toBe(true);
          expect(open.follows).toBe(open.at >= open.count - 1);
        }
      },
    ),
    { numRuns: draws(100) },
  );
});

test('plain characters are plain: but for what people wrote, no sign is beyond ASCII', () => {
  const isPlain = /^[\x00-\x7f]*$/;
  const open = { ...openSession('a'), isRead: true };
  const ascii = { ...browsingOf(0), ...sizeOf(120, 40, true), place: 'store' };
  for (const browsing of [
    { ...ascii, open: null, list: { sessions: [], filter: '', at: 0 } },
    { ...ascii, open },
    press({ ...ascii, open }, '?'),
    press({ ...ascii, open }, 'o'),
  ])
    expect(plain(browsing).filter((line) => !isPlain.test(line))).toEqual([]);
});

test('one playhead: it goes by steps, turns and losses, and follows at the end', () => {
  const begun = browsingOf(100);
  const at = (...pressed: string[]): number => pressed.reduce(press, begun).open!.at;
  expect(at()).toBe(99);
  expect(at('left', 'left', 'right')).toBe(98);
  expect(at('home')).toBe(0);
  expect(at('home', 'right', 'page-down')).toBe(4);
  expect(at('home', 'n')).toBe(23);
  expect(at('home', 'n', 'n')).toBe(48);
  expect(at('p')).toBe(98);
  expect(at('home', 'n', 'n', 'p')).toBe(23);
  expect(at('page-up')).toBe(96);
  expect(at('g', '7', 'enter')).toBe(26);
  expect(at('g', 'e', '9', 'enter')).toBe(8);
  expect(['g', '9', '9', 'enter'].reduce(press, begun).notice).toBe(
    'There is no turn 99; the last is 25.',
  );
  expect(['g', 'x', 'enter'].reduce(press, begun).notice).toBe(
    '"x" is no moment: 40 is a turn, e52 an entry, s3 a snapshot, seq:120 a step, 2026-03-02T09:17 a time.',
  );
  expect(begun.open!.follows).toBe(true);
  expect(press(begun, 'left').open!.follows).toBe(false);
  expect(['left', 'end'].reduce(press, begun).open!.follows).toBe(true);
});

test('a row of the log says whether the prompt holds the entry, or by what it is told', () => {
  const shown = plain(['2', 'home'].reduce(press, browsingOf(60, sizeOf(100, 40))));
  expect(shown.find((line) => line.includes('word for word'))).toMatch(
    /● 11 word for word in the prompt {2}◐ 4 in part, or by a line {2}○ 45 not in it/,
  );
  const log = plain(press(browsingOf(60, sizeOf(100, 100)), '2'));
  const row = (id: string): string => log.find((line) => line.includes(` ${id} `))!;
  expect(row('e60')).toMatch(/● e60 /);
  expect(row('e3')).toMatch(/◐ e3 .* in chronicle$/);
  expect(row('e6')).toMatch(/◐ e6 .* in c24$/);
  expect(row('e9')).toMatch(/○ e9 .* behind c24$/);
});

test('Enter folds a part out, reads what a line names, and goes where an entry was said', () => {
  const folded = browsingOf(60);
  const unfolded = ['down', 'enter'].reduce(press, folded);
  expect(plain(unfolded).join('\n')).toContain('- e2 字');
  const reading = ['down', 'down', 'enter'].reduce(press, unfolded);
  expect(reading.over.at(-1)).toMatchObject({
    type: 'reading',
    question: { of: 'entries', refs: ['e2'] },
    entries: null,
  });
  const back = ['down', 'enter'].reduce(press, answered(reading));
  expect([back.over, back.open!.at, back.open!.pane]).toEqual([[], 0, 'log']);
});

test('the words of a filter narrow the list while they are typed; Escape takes them back', () => {
  const list = press(browsingOf(0), 'q');
  expect(list.open).toBeNull();
  const filtered = ['/', 'f', 'a', 'm', 'i', 'l', 'y'].reduce(press, list);
  expect(plain(filtered)[0]).toMatch(/1 of 9$/);
  expect(['enter', 'enter'].reduce(press, filtered).open?.id).toBe('session-2');
  expect(press(filtered, 'escape').list.filter).toBe('');
  expect(press(press(filtered, 'enter'), 'escape').list.filter).toBe('');
  const again = ['enter', '/', 'w'].reduce(press, filtered);
  expect([again.list.filter, press(again, 'escape').list.filter]).toEqual(['w', 'family']);
  expect(press(list, 'escape').ended).toBe('left');
  expect(press(filtered, 'interrupt').ended).toBe('interrupted');
});

test('120 columns show the log and a pane beside it; 80 show one', () => {
  const tabs = (columns: number, ...pressed: string[]): string =>
    plain(pressed.reduce(press, browsingOf(60, sizeOf(columns, 24)))).find((line) =>
      line.includes('4 lost'),
    )!;
  expect(tabs(80)).toBe(' [1 prompt] 2 log  3 frames  4 lost ');
  expect(tabs(120)).toMatch(/^ {2}2 log {10,}\[1 prompt\] 3 frames/);
  expect(tabs(120, 'tab')).toMatch(/^ \[2 log\] {10,}1 prompt/);
  const both = plain(browsingOf(60, sizeOf(120, 24)));
  expect(both.some((line) => /● e60 .*│/.test(line))).toBe(true);
});

test('of a long session each column shows its largest prompt, and the playhead stands on its own', () => {
  const begun = browsingOf(2_000);
  const [, ...lines] = plain(press(begun, 'home'));
  expect(lines[2]![0]).toBe('▲');
  expect(lines.slice(0, 2).join('').trim().length).toBeGreaterThan(60);
  expect(plain(begun)[3]!.at(-1)).toBe('▲');
  expect(newsOf(3)).toHaveLength(5);
});

test('docs/browse.md has every key, as the help says it', () => {
  const page = readFileSync(new URL('../../../docs/browse.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (`.*`) \| (.*) \|$/gm)].map(
    ([, named, does]) => `${named!.replaceAll('`', '')}: ${does}`,
  );
  const shown = plain(press(browsingOf(3, sizeOf(160, 60)), '?'))
    .join('\n')
    .split(' Signs\n')[0]!;
  const told = [...shown.matchAll(/^ {3}(\S.{0,14}\S|\S) {2,}(.*)$/gm)];
  expect(rows).toEqual(
    told.map(([, named, does]) => `${named!.replace(/([←↑])([→↓])/, '$1 $2')}: ${does}`),
  );
});
