import { expect, test } from 'vitest';
import type { FileEvent, FileFact } from '../../../src/core/file-events/file-events.ts';
import {
  emptyIndex,
  withEvents,
  type FileIndex,
  type IndexedCommand,
} from '../../../src/core/file-index/file-index.ts';
import type { IndexedFile } from '../../../src/core/file-index/indexed-file.ts';
import { scoreAt } from '../../../src/core/file-index/holdings.ts';
import { printIndex } from '../../../src/core/file-index/file-lines.ts';
import { rankingOf } from '../../../src/core/file-index/file-ranking.ts';
import { atOnce } from '../../../src/core/values/parts.ts';
import { frameId } from '../../../src/core/values/id.ts';

// The index by its events, and its lines by the index.

const frame = frameId(0);
const root = '/w/app';
const fact = (text: string, name = text): FileFact => ({ name, text, bare: '', tokens: 2 });
const facts = (...texts: readonly string[]): readonly FileFact[] => texts.map((one) => fact(one));

const indexOf = (...compressions: readonly (readonly FileEvent[])[]): FileIndex =>
  compressions.reduce(
    (index, events, at) => withEvents(index, events, { frame, root, at }),
    emptyIndex,
  );

const edited = (
  path: string,
  n: number,
  more: Partial<FileEvent & { type: 'edited' }> = {},
): FileEvent => ({
  type: 'edited',
  path,
  n,
  extent: 'part',
  facts: [],
  gone: [],
  members: [],
  ...more,
});
const read = (path: string, n: number, ...texts: readonly string[]): FileEvent => {
  return { type: 'read', path, n, facts: facts(...texts) };
};
const named = (path: string, n: number, by: 'person' | 'line' = 'line'): FileEvent => {
  return { type: 'named', path, n, by };
};
const moved = (from: string, to: string, n: number): FileEvent => ({ type: 'moved', from, to, n });
type Ran = FileEvent & { readonly type: 'ran' };
const ran = (command: string, n: number): Ran => {
  return { type: 'ran', command, result: `ok ${n}`, n, tokens: 5 };
};

const states = ({ files }: FileIndex): readonly string[] =>
  files.map(({ path, became, was, changes, read: shown, named: told }) =>
    [path, became, was && `was ${was}`, changes.join(','), shown && `r${shown}`, told && `n${told}`]
      .filter(Boolean)
      .join(' '),
  );

test.each<readonly [string, readonly FileEvent[], readonly string[]]>([
  ['is new where it is written whole', [edited('a.ts', 1, { extent: 'whole' })], ['a.ts new 1']],
  ['is changed', [edited('a.ts', 1)], ['a.ts changed 1']],
  ['is deleted', [edited('a.ts', 1, { extent: 'none' })], ['a.ts deleted 1']],
  [
    'that was read is changed where it is written whole',
    [read('a.ts', 1), edited('a.ts', 3, { extent: 'whole' })],
    ['a.ts changed 3 r1'],
  ],
  [
    'that was changed is changed where it is written whole',
    [edited('a.ts', 1), edited('a.ts', 3, { extent: 'whole' })],
    ['a.ts changed 1,3'],
  ],
  [
    'that is new stays new',
    [edited('a.ts', 1, { extent: 'whole' }), edited('a.ts', 3)],
    ['a.ts new 1,3'],
  ],
  [
    'that is new and deleted is deleted',
    [edited('a.ts', 1, { extent: 'whole' }), edited('a.ts', 3, { extent: 'none' })],
    ['a.ts deleted 1,3'],
  ],
  ['is changed once by an entry', [edited('a.ts', 1), edited('a.ts', 1)], ['a.ts changed 1']],
  [
    'is changed last by two entries',
    [edited('a.ts', 1), edited('a.ts', 3), edited('a.ts', 5)],
    ['a.ts changed 3,5'],
  ],
  ['is named', [named('src/a.ts', 4)], ['src/a.ts n4']],
  ['is not known by its name alone', [named('a.ts', 4)], []],
  ['is known by its name later', [read('src/a.ts', 1), named('a.ts', 4)], ['src/a.ts r1 n4']],
  [
    'is not made by a remark alone',
    [{ type: 'remarked', path: 'a.ts', fact: fact('x'), worth: 1 }],
    [],
  ],
  ['is moved', [read('a.ts', 1), moved('a.ts', 'b.ts', 5)], ['b.ts moved was a.ts 5 r1']],
  [
    'that was changed stays so where it is moved',
    [edited('a.ts', 1), moved('a.ts', 'b.ts', 5)],
    ['b.ts changed was a.ts 1,5'],
  ],
  ['is taken away', [edited('a.ts', 1), moved('a.ts', '', 5)], ['a.ts deleted 1,5']],
  [
    'is moved into a folder that is known',
    [read('a.ts', 1), read('lib/b.ts', 2), moved('a.ts', 'lib', 5)],
    ['lib/b.ts r2', 'lib/a.ts moved was a.ts 5 r1'],
  ],
  [
    'is moved with its folder',
    [read('src/x/a.ts', 1), read('src.ts', 2), moved('src', 'lib', 5)],
    ['src.ts r2', 'lib/x/a.ts moved was src/x/a.ts 5 r1'],
  ],
  [
    'is moved with all that is in a folder',
    [read('src/a.ts', 1), read('lib/b.ts', 2), moved('src/*', 'lib', 5)],
    ['lib/b.ts r2', 'lib/a.ts moved was src/a.ts 5 r1'],
  ],
  [
    'is known by where it went',
    [read('src/a.ts', 1), moved('src/a.ts', 'src/b.ts', 5), read('b.ts', 7), named('a.ts', 9)],
    ['src/b.ts moved was src/a.ts 5 r7'],
  ],
  [
    'is told from the root',
    [read('/w/app/src/a.ts', 1), moved('/w/app/src/a.ts', '/w/app/b.ts', 5)],
    ['b.ts moved was src/a.ts 5 r1'],
  ],
  [
    'is spoken of by the path that it had, then or later',
    [read('src/a.ts', 1), moved('src/a.ts', 'src/b.ts', 5), named('src/a.ts', 9)],
    ['src/b.ts moved was src/a.ts 5 r1 n9'],
  ],
  [
    'is made anew where another was is that one',
    [
      read('src/a.ts', 1),
      moved('src/a.ts', 'src/b.ts', 5),
      edited('src/a.ts', 7),
      named('src/a.ts', 9),
    ],
    ['src/b.ts moved was src/a.ts 5 r1', 'src/a.ts changed 7 n9'],
  ],
  [
    'is moved twice',
    [
      read('src/a.ts', 1),
      moved('src/a.ts', 'src/b.ts', 5),
      moved('src/b.ts', 'src/c.ts', 6),
      named('src/a.ts', 9),
    ],
    ['src/c.ts moved was src/b.ts 5,6 r1 n9'],
  ],
  ['that nobody knows is not moved', [moved('a.ts', 'b.ts', 5)], []],
])('a file %s', (_, events, told) => {
  expect(states(indexOf(events))).toEqual(told);
});

test('two notes of one file become one, with what both hold', () => {
  const index = withEvents(
    {
      ...emptyIndex,
      files: indexOf([
        edited('app/src/a.ts', 4, { extent: 'whole', facts: facts('one', 'two') }),
        named('app/src/a.ts', 9),
        { type: 'remarked', path: 'app/src/a.ts', fact: fact('is small'), worth: 2 },
      ]).files,
    },
    [read('x/app/src/a.ts', 7, 'two', 'three'), named('x/app/src/a.ts', 8)],
    { frame, root: '', at: 1 },
  );
  expect(states(index)).toEqual(['x/app/src/a.ts new 4 r7 n9'.replace('n9', 'n8')]);
  const [file] = index.files;
  expect(file!.holds.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  expect(file!.remark?.text).toBe('is small');
  // What was planned for the one before the other was changed may be done.
  const planned = (n: number) =>
    withEvents(
      indexOf([
        read('app/src/a.ts', 4),
        { type: 'remarked', path: 'app/src/a.ts', fact: fact(`planned in e${n}: x`), worth: 2 },
      ]),
      [edited('x/app/src/a.ts', 7)],
      { frame, root: '', at: 1 },
    ).files[0]!.remark;
  expect([planned(5), planned(8)?.text]).toEqual([null, 'planned in e8: x']);
  // Of 2.3, nineteen twentieths, what was read, and what was named.
  expect(file!.score).toBeCloseTo(2.3 * 0.95 + 1 + 0.3, 1);
});

test('a file that was named before it was told whole keeps where it was named last', () => {
  const first = indexOf([read('app/a.ts', 3), named('app/a.ts', 9)]);
  const index = withEvents(first, [read('x/app/a.ts', 7)], { frame, root: '', at: 1 });
  expect(states(index)).toEqual(['x/app/a.ts r7 n9']);
  const changed = indexOf([edited('app/a.ts', 3), edited('app/a.ts', 5)]);
  const later = withEvents(changed, [edited('x/app/a.ts', 7)], { frame, root: '', at: 1 });
  expect(states(later)).toEqual(['x/app/a.ts changed 5,7']);
});

test('a file holds what it was brought and shown; what is written anew holds that alone', () => {
  const holds = (...events: readonly FileEvent[]) =>
    indexOf(events).files[0]!.holds.map(({ name, score }) => `${name} ${score}`);
  const first = edited('a.ts', 1, { facts: facts('one', 'two') });
  expect(holds(first)).toEqual(['one 1', 'two 1']);
  expect(holds(first, edited('a.ts', 3, { facts: facts('two', 'three') }))).toEqual([
    'one 1',
    'two 1.25',
    'three 1',
  ]);
  expect(holds(first, edited('a.ts', 3, { extent: 'whole', facts: facts('two') }))).toEqual([
    'two 1',
  ]);
  expect(holds(first, edited('a.ts', 3, { facts: [fact('', 'one')] }))).toEqual(['two 1']);
  expect(holds(read('a.ts', 1, 'load()', 'size: number', 'size: number = 4', '#b?: A'))).toEqual([
    'load() 0.3',
    'size: number 0.1',
    'size: number = 4 0.3',
    '#b?: A 0.1',
  ]);
  expect(holds(first, read('a.ts', 3, 'one'))).toEqual(['two 1', 'one 1.08']);
  expect(holds(read('a.ts', 1, 'one'), first)).toEqual(['one 1', 'two 1']);
  expect(holds(first, { type: 'spoken', names: { two: 3, other: 1 } })).toEqual([
    'one 1',
    'two 1.55',
  ]);
  expect(holds(first, moved('a.ts', '', 5))).toEqual([]);
});

test('a field that came to a type stands in it beside the one that it was brought with', () => {
  const type = (told: string) => ({
    ...fact(told, 'Settings'),
    bare: 'type Settings { Port, Host }',
  });
  const holds = (...texts: readonly string[]) =>
    indexOf([
      {
        type: 'read',
        path: 'a.go',
        n: 1,
        facts: texts.map((text, n) => ({ ...type(text), name: `${n}` })),
      },
      edited('a.go', 3, { members: [{ beside: 'Port', added: ['Log', 'Host'], gone: ['Host'] }] }),
    ]).files[0]!.holds.map(({ text }) => text);
  expect(holds('type Settings { Port, Host } (what is set)')).toEqual([
    'type Settings { Port, Log } (what is set)',
  ]);
  const other = ['type Settings { Port, Host }', 'type More { Port }'];
  expect(holds(...other)).toEqual(other);
  for (const text of ['load({ Port, Host })', 'ports = { Port, Host }', 'type Settings'])
    expect(holds(text)).toEqual([text]);
});

test('of what a file holds the forty-eight of most worth stay, in their order', () => {
  const many = Array.from({ length: 50 }, (_, n) => `name${n}`);
  const [file] = indexOf([read('a.ts', 1, ...many), read('a.ts', 3, 'name0', 'name1')]).files;
  expect(file!.holds).toHaveLength(48);
  expect(file!.holds.slice(-2).map(({ name }) => name)).toEqual(['name0', 'name1']);
});

test('what is said of a file by the path that it had goes with its move', () => {
  const said = (text: string, n = 3): FileEvent => {
    return { type: 'remarked', path: 'src/run-new.ts', fact: { ...fact(text), n }, worth: 2 };
  };
  const read1 = read('/w/app/src/run-new.ts', 1);
  const move = moved('/w/app/src/run-new.ts', '/w/app/src/run.ts', 5);
  const stands = (...compressions: readonly (readonly FileEvent[])[]): string =>
    indexOf(...compressions).files[0]!.remark?.text ?? '';
  for (const text of ['try it with tsx src/run-new.ts -h', 'run-new.ts has the new options']) {
    expect(stands([read1, said(text)])).toBe(text);
    expect(stands([read1, said(text)], [move])).toBe('');
    // Of what leaves the window together moves come first.
    expect(stands([read1, move, said(text)])).toBe('');
    expect(stands([read1, move, said(text, 7)])).toBe('');
  }
  expect(stands([read1, said('takes the options')], [move])).toBe('takes the options');
  const folder = moved('/w/app/src', '/w/app/lib', 5);
  expect(stands([read1, said('run-new.ts takes options')], [folder])).toBe(
    'run-new.ts takes options',
  );
  expect(stands([read1, said('see src/run-new.ts')], [folder])).toBe('');
});

test('a remark stands until another tells as much', () => {
  const remark = (worth: number, text: string): FileEvent => {
    return { type: 'remarked', path: 'src/a.ts', fact: fact(text), worth };
  };
  const last = (...compressions: readonly (readonly FileEvent[])[]) =>
    indexOf([named('src/a.ts', 1)], ...compressions).files[0]!.remark!.text;
  expect(last([remark(2, 'first'), remark(1, 'second')])).toBe('first');
  expect(last([remark(2, 'first'), remark(2, 'second')])).toBe('second');
  expect(last([remark(2, 'first')], [remark(1.9, 'second')])).toBe('second');
  expect(last([remark(2, 'first')], [remark(1.89, 'second')])).toBe('first');
  expect(indexOf([remark(2, 'first')]).files).toEqual([]);
});

test('uses score by what they are, and fade with each compression', () => {
  const score = (event: FileEvent) => indexOf([event]).files[0]!.score;
  expect([
    score(edited('a.ts', 1)),
    score(read('a.ts', 1)),
    score(named('x/a.ts', 1, 'person')),
    score(named('x/a.ts', 1)),
  ]).toEqual([2, 1, 2, 0.3]);
  expect(indexOf([read('a.ts', 1)], [], [read('a.ts', 3)]).files[0]!.score).toBe(1.9);
  expect(scoreAt({ score: 2, at: 4 }, 3)).toBe(2);
  expect(scoreAt({ score: 2, at: 4 }, 5)).toBe(1.9);
});

test('a command tells its last result and how often it ran; the forty of most use stay', () => {
  const [command] = indexOf([ran('make', 2), ran('make', 4)]).commands;
  expect(command).toEqual({
    frame,
    command: 'make',
    result: 'ok 4',
    n: 4,
    tokens: 5,
    runs: 2,
    score: 2,
    at: 0,
  });
  const many = Array.from({ length: 42 }, (_, n) => ran(`make ${n}`, n));
  const { commands } = indexOf([...many, ran('make 0', 50)]);
  expect(commands).toHaveLength(40);
  expect(commands[0]!.command).toBe('make 0');
  const other = withEvents(indexOf([ran('make', 2)]), [ran('make', 9)], {
    frame: frameId(1),
    root,
    at: 1,
  });
  expect(other.commands.map(({ runs }) => runs)).toEqual([1, 1]);
});

test('of many files the three hundred of most use stay; names are those of one frame', () => {
  const many = Array.from({ length: 302 }, (_, n) => read(`src/a${n}.ts`, n, `name${n}`));
  const index = indexOf([...many, read('src/a0.ts', 400)]);
  expect(index.files).toHaveLength(300);
  expect(index.files[0]!.path).toBe('src/a0.ts');
});

test('the files of one index are told from each root', () => {
  const whole = withEvents(emptyIndex, [read('/w/app/src/a.ts', 1), read('/w/lib/b.ts', 2)], {
    frame,
    root: '',
    at: 0,
  });
  const from = (told: string) =>
    withEvents(whole, [ran('make', 3)], { frame, root: told, at: 1 }).files.map(({ path }) => path);
  expect(from('/w/app')).toEqual(['src/a.ts', '/w/lib/b.ts']);
  expect(from('/w/lib')).toEqual(['/w/app/src/a.ts', 'b.ts']);
  expect(from('/w/app')).toEqual(['src/a.ts', '/w/lib/b.ts']);
});

const file = (path: string, more: Partial<IndexedFile> = {}): IndexedFile => ({
  frame,
  path,
  score: 1,
  at: 0,
  became: '',
  was: '',
  changes: [],
  read: 0,
  holds: [],
  named: 0,
  remark: null,
  ...more,
});
const holding = (text: string, name = text) => ({
  name,
  text,
  bare: '',
  tokens: 2,
  score: 1,
  at: 0,
});
const command = (text: string, more: Partial<IndexedCommand> = {}): IndexedCommand => {
  const given = { result: 'ok', n: 4, tokens: 5, runs: 2, score: 1, at: 0 };
  return { frame, command: text, ...given, ...more };
};

const count = (text: string): number => Math.ceil(text.length / 4);
const printed = (
  given: Partial<FileIndex>,
  { room = 1_000, told = '' }: { room?: number; told?: string } = {},
): readonly string[] => {
  const index = { ...emptyIndex, ...given };
  const ranking = rankingOf(index, { beside: told, now: 0, part: atOnce });
  return printIndex(ranking, { room, count }).split('\n').slice(1);
};

test.each<readonly [Partial<IndexedFile>, string]>([
  [{ read: 4 }, '(read e4)'],
  [{ named: 4 }, '(told in e4)'],
  [{ became: 'new', changes: [2] }, '(new e2)'],
  [{ became: 'new', changes: [2, 6], read: 4 }, '(new, changed e2 e6)'],
  [{ became: 'changed', changes: [2], read: 4 }, '(changed e2, read e4)'],
  [{ became: 'changed', changes: [4], read: 4 }, '(changed e4)'],
  [{ became: 'moved', was: 'src/b.ts', changes: [5], read: 1 }, '(was src/b.ts, moved e5)'],
  [{ read: 4, named: 9 }, '(read e4)'],
])('what became of a file is told: %j', (more, state) => {
  const holds = [holding('class A', 'A')];
  expect(printed({ files: [file('src/a.ts', { holds, ...more })] })).toEqual([
    `- src/a.ts ${state}: class A`,
  ]);
});

test('what was deleted or moved is told though it holds nothing', () => {
  const deleted = file('a.ts', { became: 'deleted', changes: [3] });
  const other = file('b.ts', { became: 'moved', was: 'c.ts', changes: [5] });
  expect(printed({ files: [deleted, other] })).toEqual([
    '- a.ts (deleted e3)',
    '- b.ts (was c.ts, moved e5)',
  ]);
});

test('files without news stand by folder, with what became of them last', () => {
  const files = [
    file('src/auth/a.ts', { became: 'changed', changes: [2, 4], read: 9 }),
    file('src/b.ts', { read: 5, named: 7 }),
    file('src/auth/c.ts', { named: 7 }),
    file('d.ts', { read: 6 }),
  ];
  expect(printed({ files })).toEqual([
    '- src/: auth/a.ts changed e4, auth/c.ts e7',
    '- src/b.ts e5, d.ts e6',
  ]);
  expect(printed({ files }, { told: 'src/b.ts is told' })).toEqual([
    '- src/: auth/a.ts changed e4, auth/c.ts e7',
    '- d.ts e6',
  ]);
});

test('pictures, and what a host keeps of its own work, stand only where the work changed them', () => {
  const files = [
    file('docs/tour.gif', { named: 3 }),
    file('docs/logo.svg', { became: 'changed', changes: [4] }),
    file('/tmp/x/tasks/b9b5.output', { read: 5 }),
    file('a/tool-results/t1.txt', { read: 6 }),
  ];
  expect(printed({ files })).toEqual(['- docs/logo.svg changed e4']);
});

test('a command is told from its second run on, unless a line tells it with its entry', () => {
  const commands = [command('npm test'), command('make', { runs: 1 })];
  const line = '- `npm test`: ok, e4';
  expect(printed({ commands })).toEqual([line]);
  expect(printed({ commands }, { told: 'so\n- e4 `npm test` works' })).toEqual([]);
  expect(printed({ commands }, { told: '`npm test` in e4\nso' })).toEqual([]);
  expect(printed({ commands }, { told: '`npm test` works\ne4 so' })).toEqual([line]);
  expect(printed({ commands }, { told: 'e4 so\n`npm test` works' })).toEqual([line]);
  expect(printed({ commands }, { told: '`npm test` so\n`npm test` in e4' })).toEqual([]);
});

test('a command that checks nothing is told from its third run on', () => {
  const used = (runs: number) => printed({ commands: [command('gh api pulls/…', { runs })] });
  expect(used(2)).toEqual([]);
  expect(used(3)).toEqual(['- `gh api pulls/…`: ok, e4']);
});

test('a check is told with how many files were changed since, and no other command is', () => {
  const files = [file('src/a.ts', { changes: [2, 6] }), file('src/b.ts', { changes: [3] })];
  const later = [...files, file('src/c.ts', { changes: [9] })];
  const last = (given: Partial<FileIndex>): string => printed(given).at(-1)!;
  const check = [command('npm run lint')];
  expect(last({ files, commands: check })).toBe('- `npm run lint`: ok, e4; 1 file changed since');
  expect(last({ files: later, commands: check })).toContain('; 2 files changed since');
  expect(last({ files: [files[1]!], commands: check })).toBe('- `npm run lint`: ok, e4');
  expect(last({ files, commands: [command('gh api pulls', { runs: 3 })] })).toBe(
    '- `gh api pulls`: ok, e4',
  );
});

const failed = (command: string, place: string): Ran => {
  return { type: 'ran', command, result: 'failed: 2 errors', n: 3, tokens: 9, place };
};

test.each<readonly [string, Ran, place: string, owner: string, printed: string]>([
  ['in its folder', failed('npx tsc --noEmit', ''), '', 'shop', 'eslint . && tsc --noEmit'],
  [
    'in the package',
    failed('tsc --noEmit', '/w/app/packages/api'),
    '/w/app',
    '@s/api',
    'tsc --noEmit',
  ],
  [
    'in a package with a prefix',
    failed('tsc --noEmit', 'packages/api'),
    '',
    's-api',
    'tsc --noEmit',
  ],
])('a check that failed worked where a wider one ran it %s', (...row) => {
  const [, check, place, owner, command] = row;
  const wide: FileEvent = { ...ran('npm run check', 8), place, printed: [{ owner, command }] };
  const { commands } = indexOf([check], [wide]);
  expect(commands.map((one) => `${one.command} ${one.result} e${one.n}`)).toContain(
    `${check.command} worked e8`,
  );
});

test.each<readonly [string, Ran, place: string, owner: string, printed: string]>([
  ['of other options', failed('tsc -p test', ''), '', 'shop', 'tsc --noEmit'],
  ['of another package', failed('tsc --noEmit', 'packages/api'), '', '@s/web', 'tsc --noEmit'],
  ['of another folder', failed('tsc --noEmit', '/w/other'), '/w/app', '@s/other', 'tsc --noEmit'],
  ['of the folder above', failed('tsc --noEmit', ''), 'packages/api', '@s/api', 'tsc --noEmit'],
  ['that may have failed', failed('tsc --noEmit', ''), '', 'shop', 'tsc --noEmit || true'],
])('a check that failed stays so where a wider one ran one %s', (...row) => {
  const [, check, place, owner, command] = row;
  const wide: FileEvent = { ...ran('npm run check', 8), place, printed: [{ owner, command }] };
  expect(indexOf([check], [wide]).commands.map(({ result }) => result)).toContain(
    'failed: 2 errors',
  );
});

test('a check that many files have not seen stands only where no other ran later', () => {
  const files = Array.from({ length: 13 }, (_, n) => file(`src/a${n}.ts`, { changes: [20] }));
  const old = command('npm run lint');
  const late = command('npm test', { n: 21 });
  const lines = (commands: readonly IndexedCommand[], seen = files): readonly string[] =>
    printed({ files: seen, commands }).filter((line) => line.startsWith('- `'));
  expect(lines([old])).toEqual(['- `npm run lint`: ok, e4; 13 files changed since']);
  expect(lines([old, late])).toEqual(['- `npm test`: ok, e21']);
  expect(lines([old, late], files.slice(1))).toHaveLength(2);
  expect(lines([old, command('gh api pulls', { runs: 3, n: 21 })])).toHaveLength(2);
});

test('commands take a share of the room, eight at most, the most used first', () => {
  const many = Array.from({ length: 10 }, (_, n) => command(`make ${n}`, { score: n }));
  expect(printed({ commands: many })).toHaveLength(8);
  expect(printed({ commands: many })[0]).toContain('make 9');
  // Each takes 13 of fifteen hundredths.
  expect(printed({ commands: many }, { room: 260 })).toHaveLength(3);
  expect(printed({ commands: many }, { room: 259 })).toHaveLength(2);
  const long = [command('make all', { tokens: 50, score: 9 }), command('make it')];
  expect(printed({ commands: long }, { room: 100 })).toEqual(['- `make it`: ok, e4']);
});

test('the names of what has no room in full stand behind it', () => {
  const holds = ['One', 'Other', 'ThirdOne', 'a name'].map((name, at) => ({
    ...holding(`class ${name} ${'x '.repeat(20)}`, name),
    tokens: 30,
    score: 9 - at,
  }));
  const of = (room: number) => printed({ files: [file('a.ts', { read: 1, holds })] }, { room })[0];
  expect(of(1_000)).toContain('class a name');
  expect(of(100)).toMatch(/^- a\.ts \(read e1\): class One (?:x ?)*; also Other, ThirdOne; …$/);
  expect(
    printed({ files: [file('a.ts', { read: 1, holds })] }, { room: 100, told: 'Other is' })[0],
  ).toMatch(/also ThirdOne; …$/);
});

test('the name of a constant that has no room in full stands with its value, where that is short and not told', () => {
  const wide = { ...holding(`class One ${'x '.repeat(20)}`, 'One'), tokens: 30, score: 90 };
  const more = [
    ['mostRows', 'mostRows = 2_000'],
    ['whyRows', 'whyRows: int = 40 (so many that a page is full)'],
    ['longRows', `longRows = "${'x'.repeat(23)}"`],
    ['listRows', 'listRows = [1, 2]'],
    ['loadRows', 'loadRows(id) (if id = 1: open)'],
  ].map(([name = '', text = '']) => ({ ...holding(text, name), tokens: 200, score: 5 }));
  const told = (text: string) =>
    printed(
      { files: [file('a.ts', { read: 1, holds: [wide, ...more] })] },
      { room: 130, told: text },
    )[0];
  expect(told('')).toContain('also mostRows = 2_000, whyRows = 40, longRows, listRows, loadRows');
  expect(told('mostRows are many')).toContain('also mostRows = 2_000, whyRows');
  expect(told('mostRows = 2_000 and loadRows')).toContain('also whyRows = 40, longRows, listRows');
});

test('a test whose name is told is not told again with what it does', () => {
  const text = 'TestKeepsRows(t *testing.T) (openRows)';
  const files = [file('a_test.go', { read: 1, holds: [holding(text, 'TestKeepsRows')] })];
  expect(printed({ files })).toEqual([`- a_test.go (read e1): ${text}`]);
  expect(printed({ files }, { told: 'func TestKeepsRows(t *testing.T)' })).toEqual([
    '- a_test.go e1',
  ]);
});

test('a version or a heading that was only shown is not told, unless it is spoken of', () => {
  const version = 'dependencies.left-pad: "^1.3.0"';
  const index = indexOf([
    { type: 'read', path: 'a.json', n: 1, facts: [fact(version, 'dependencies.left-pad')] },
    read('docs/plan.md', 2, '## The store'),
    edited('docs/new.md', 3, { facts: facts('## The rows') }),
  ]);
  const told = (one: FileIndex) => printed(one).filter((line) => line.includes(': '));
  expect(told(index)).toEqual(['- docs/new.md (changed e3): ## The rows']);
  const spoken: FileEvent = { type: 'spoken', names: { 'left-pad': 1 } };
  const after = withEvents(index, [spoken], { frame, root, at: 1 });
  expect(told(after)).toContain(`- a.json (read e1): ${version}`);
  const setting = { ...holding('port: 8080', 'port'), score: 0.01 };
  expect(printed({ files: [file('a.json', { read: 1, holds: [setting] })] })).toEqual([
    '- a.json (read e1): port: 8080',
  ]);
});

test('names take a fifth of the room beside what is told in full, sixteen at most', () => {
  const first = { ...holding('class One', 'One'), tokens: 30, score: 90 };
  const more = Array.from({ length: 20 }, (_, n) => ({
    ...holding('x'.repeat(400), `Name${n + 10}`.slice(0, 6)),
    tokens: 400,
    score: 50 - n,
  }));
  const names = (room: number): number =>
    (printed({ files: [file('a.ts', { read: 1, holds: [first, ...more] })] }, { room })[0] ?? '')
      .split(' also ')[1]!
      .split(', ').length;
  // Behind the title 45 of 65 hundredths are taken; names take 3 each of the rest and of 20 hundredths.
  expect([names(102), names(112), names(200)]).toEqual([9, 12, 16]);
});
