import { expect, test } from 'vitest';
import type { ToolCall } from '../../../src/core/messages/message.ts';
import type { Exchange } from '../../../src/core/outcomes/exchanges.ts';
import { heldFinder } from '../../../src/core/file-events/held.ts';
import {
  broughtIn,
  changedIn,
  editLines,
  isNew,
  longestList,
  mostLines,
  changedFileLines,
} from '../../../src/core/file-events/edits.ts';

/** A call at an entry with its result in the next. */
const exchange = (n: number, call: ToolCall, more: { readonly isError?: true } = {}): Exchange => ({
  n,
  call,
  result: { role: 'tool', toolCallId: 'c', content: 'ok', ...more },
  to: n + 1,
});

const edit = (n: number, old_string: string, new_string: string) =>
  exchange(n, { name: 'Edit', arguments: { file_path: 'src/a.ts', old_string, new_string } });

/** The lines of exchanges. */
const linesOf = (exchanges: readonly Exchange[], turnOf: (n: number) => number = () => 1) =>
  editLines(exchanges, turnOf, heldFinder(exchanges));

/** What lines tell of exchanges of one turn, in their order. */
const lines = (...exchanges: readonly Exchange[]): readonly string[] =>
  linesOf(exchanges).map(({ text }) => text);

test('what is new comes with functions and types first, then what is otherwise, then what is gone', () => {
  const before = 'const limit = 4;\nfunction gone() {\n}';
  const after =
    'const limit = 5;\nconst other = 6;\nclass Row {\n}\nfunction load(id) {\n}\nconst call = make(1);';
  expect(lines(edit(1, before, after))).toEqual([
    'changed src/a.ts (+ class Row; function load(id); other = 6; call = make(1); limit: 4 → 5; − gone)',
  ]);
});

test('lines that are new come before what is gone, so that nothing new stands behind its mark', () => {
  expect(lines(edit(1, 'class Gone {\n}', ''), edit(3, '', '  the red lamp shines,'))).toEqual([
    'changed src/a.ts (+ the red lamp shines; − Gone)',
  ]);
});

test('what goes in one place and comes in another is not told as gone', () => {
  const moved = [edit(1, 'the red lamp shines,', ''), edit(3, 'x', 'the red lamp shines,')];
  expect(lines(...moved)).toEqual(['changed src/a.ts (+ the red lamp shines)']);
});

test('all edits of a turn stand together, and what came and went never was', () => {
  const one = edit(1, '', 'class First {');
  const two = edit(3, 'class First {', 'class Second {');
  expect(linesOf([one, two])).toMatchObject([
    { kind: 'changed', text: 'changed src/a.ts (+ class Second)', n: 1, to: 3, file: 'src/a.ts' },
  ]);
  expect(linesOf([one, two], (n) => n).map(({ text, n, to }) => [text, n, to])).toEqual([
    ['changed src/a.ts (+ class First)', 1, 1],
    ['changed src/a.ts (+ class Second; − First)', 3, 3],
  ]);
});

test('of a value that changed twice the first and the last are told', () => {
  const three = [
    edit(1, 'const limit = 4;', 'const limit = 5;'),
    edit(2, 'const limit = 5;', 'const limit = 6;'),
  ];
  expect(lines(...three)).toEqual(['changed src/a.ts (limit: 4 → 6)']);
  expect(lines(edit(1, 'class First {', ''), edit(2, '', 'class First {'))).toEqual([
    'changed src/a.ts (+ class First)',
  ]);
});

test('an edit that failed brought nothing', () => {
  const failed = exchange(
    1,
    { name: 'Edit', arguments: { file_path: 'src/a.ts', old_string: '', new_string: 'class A {' } },
    { isError: true },
  );
  expect(lines(failed)).toEqual([]);
  const open = { ...failed, result: undefined, to: 1 };
  expect(lines(open)).toEqual(['changed src/a.ts (+ class A)']);
});

test('lines that define nothing come after what is new, six of a turn', () => {
  const said = (name: string) => `  the ${name} lamp shines,\n  so ${name} it is`;
  const told = lines(
    edit(1, '', said('red')),
    edit(2, '', said('blue')),
    edit(3, '', said('green')),
    edit(4, '', said('grey')),
  );
  expect(told).toEqual([
    'changed src/a.ts (+ the red lamp shines; so red it is; the blue lamp shines; so blue it is; the green lamp shines; so green it is; …)',
  ]);
  const remark = '// The lamp shines red for\n// as long as the shop is open.';
  expect(lines(edit(1, '', remark))).toEqual([
    'changed src/a.ts (+ // The lamp shines red for as long as the shop is open.)',
  ]);
  expect(lines(edit(1, '', remark), edit(2, remark, 'lamp()'))).toEqual([
    'changed src/a.ts (+ lamp())',
  ]);
  expect(lines(edit(1, 'the red lamp shines', ''))).toEqual([
    'changed src/a.ts (− the red lamp shines)',
  ]);
});

test('a document tells what it states beside what it is', () => {
  const document = {
    name: 'Write',
    arguments: {
      file_path: 'docs/plan.md',
      content: '# The plan\n\nThe store must never lose a row because people pay for it.\n',
    },
  };
  const [changed, ...stated] = linesOf([exchange(4, document)]);
  expect(changed).toMatchObject({
    text: 'changed docs/plan.md (+ The plan)',
    file: 'docs/plan.md',
  });
  expect(stated).toMatchObject([
    {
      kind: 'read',
      text: 'docs/plan.md: The plan: The store must never lose a row because people pay for it.',
      n: 4,
      to: 4,
      file: '',
    },
  ]);
});

test('code that a document has stands between what it states', () => {
  const content =
    '# Recovery\n\nIt shows as:\n\n```sh\none\ntwo\nthree\nfour\n```\n\n- `git gc` must never run in two worktrees at once.\n';
  const document = { name: 'Write', arguments: { file_path: 'plan.md', content } };
  expect(linesOf([exchange(4, document)]).map(({ text }) => text)).toContain(
    'plan.md: Recovery: `git gc` must never run in two worktrees at once.',
  );
});

const toldAs = (told: readonly string[], since = '') =>
  changedFileLines({ path: 'src/a.ts', since }, told);

test.each([
  [[], '', 'changed src/a.ts'],
  [[], 'e4', 'changed src/a.ts since e4'],
  [['class A'], 'e4', 'changed src/a.ts since e4 (+ class A)'],
  [['limit: 4 → 5', 'class A'], '', 'changed src/a.ts (limit: 4 → 5; class A)'],
  [['− gone'], '', 'changed src/a.ts (− gone)'],
])('%j since %j is told as %j', (told, since, text) => {
  expect(toldAs(told, since).map((one) => one.text)).toEqual([text]);
});

test('what a document states is marked where the edit begins within a sentence', () => {
  const new_string =
    'sessions should add nothing to the plan.\nMost of the rows stay as they are in it.';
  const call = { name: 'Edit', arguments: { file_path: 'plan.md', old_string: 'x', new_string } };
  expect(lines(exchange(1, call))).toEqual(
    expect.arrayContaining([
      'plan.md: … sessions should add nothing to the plan.',
      'plan.md: Most of the rows stay as they are in it.',
    ]),
  );
});

test('a list ends where it would be too long, and a file has four lines at most', () => {
  const half = longestList / 2 - 1;
  expect(toldAs(['a'.repeat(half), 'b'.repeat(half)])).toHaveLength(1);
  const [first, second] = toldAs(['a'.repeat(half), 'b'.repeat(half + 1)]);
  expect(first!.text).toBe(`changed src/a.ts (+ ${'a'.repeat(half)}; …)`);
  expect(second!.text).toBe(`in a.ts: ${'b'.repeat(half + 1)}`);
  const many = Array.from({ length: 9 }, (_, at) => String(at).repeat(200));
  expect(toldAs(many)).toHaveLength(mostLines);
  expect(toldAs(many).at(-1)!.text).toBe(`in a.ts: ${'3'.repeat(200)}; …`);
});

test('a line is worth more the more it tells, four things at most; each next one less', () => {
  const worth = (count: number): number =>
    changedFileLines({ path: 'a', since: '' }, [...Array(count).keys()].map(String))[0]!.worth;
  const value = (count: number): number => {
    const { text } = changedFileLines(
      { path: 'a', since: '' },
      [...Array(count).keys()].map(String),
    )[0]!;
    return worth(count) * Math.sqrt(8 + text.length / 4);
  };
  expect([0, 1, 2, 4, 5, 9].map((count) => Number((value(count) / 4).toFixed(6)))).toEqual([
    0.3, 0.95, 1.2, 1.7, 1.7, 1.7,
  ]);
  const [, second, third, fourth] = toldAs(Array(9).fill('x'.repeat(200)));
  expect(third!.worth / second!.worth).toBeCloseTo(0.6);
  expect(fourth!.worth / third!.worth).toBeCloseTo(0.6);
});

test('a definition and a value that is otherwise tell more than a line, a comment or what is gone less', () => {
  const valueOf = (told: string): number => {
    const { text, worth } = changedFileLines({ path: 'a', since: '' }, [told])[0]!;
    return Number(((worth * Math.sqrt(8 + text.length / 4)) / 4).toFixed(2));
  };
  for (const told of ['load(id)', 'class Pool', 'test “it drains”', 'port: 80 → 81'])
    expect(valueOf(told)).toBe(1.1);
  for (const told of ['port: 80', 'in load: openFile(id)', 'url = "a(b)"'])
    expect(valueOf(told)).toBe(0.95);
  for (const told of ['− load', '// a guard', 'in load: # a guard', '-- a guard'])
    expect(valueOf(told)).toBe(0.85);
});

test.each([
  ['changed src/a.ts', 'src/a.ts', ''],
  ['changed src/a.ts since e12', 'src/a.ts', ''],
  ['changed src/my file.ts since e1 (+ load(id); b (2))', 'src/my file.ts', '+ load(id); b (2)'],
  ['changed src/a.ts (− gone)', 'src/a.ts', '− gone'],
  ['has changed src/a.ts', '', ''],
  ['in a.ts: b', '', ''],
])('%j tells of %j that it was brought %j', (line, path, what) => {
  expect(changedIn(line)).toBe(path);
  expect(broughtIn(line)).toBe(what);
});

test('lines that are new stand with the definition that they stand in, those of none before', () => {
  const load = (...body: readonly string[]): string => `function load(id) {\n${body.join('\n')}\n}`;
  const first = edit(1, load('  old();'), load('  openFile(id);', '  readRow(id);'));
  const loose = edit(3, 'x', 'the red lamp shines');
  const second = edit(5, load('  shut();'), load('  closeFile(id);'));
  expect(lines(first, loose, second)).toEqual([
    'changed src/a.ts (+ in load: openFile(id) / readRow(id) / closeFile(id); the red lamp shines)',
  ]);
  const other = edit(7, 'def save(row):\n    old()', 'def save(row):\n    write(row)');
  expect(lines(first, other)[0]).toContain(
    'in load: openFile(id) / readRow(id); in save: write(row)',
  );
  const long = Array.from({ length: 3 }, (_, at) => `  call${at}(${'x'.repeat(75)});`);
  expect(lines(edit(1, load('  old();'), load(...long)))).toEqual([
    expect.stringMatching(/^changed src\/a\.ts \(\+ in load: call0[^/]* \/ call1[^/]*\)$/),
    expect.stringMatching(/^in a\.ts: in load: call2[^/]*$/),
  ]);
});

test('a line that was brought and taken away again never was', () => {
  expect(
    lines(edit(1, 'x', 'the red lamp shines'), edit(3, 'the red lamp shines', 'the blue one does')),
  ).toEqual(['changed src/a.ts (+ the blue one does)']);
  const call = {
    id: 'c1',
    name: 'Edit',
    arguments: { file_path: 'a.ts', old_string: 'x', new_string: 'class A {' },
  };
  expect(linesOf([{ n: 1, call, result: undefined, to: 1 }])).toEqual([]);
});

test('of a document the items that are new stand under the heads that were there', () => {
  const before = '**Steps:**\n\n**Checks:**\n- none of it yet';
  const after = '**Steps:**\n- Create the pool of `rows`\n\n**Checks:**\n- `npm run check` passes';
  const call = {
    name: 'Edit',
    arguments: { file_path: 'plan.md', old_string: before, new_string: after },
  };
  expect(lines(exchange(1, call))).toEqual([
    'changed plan.md',
    'plan.md: Steps: Create the pool of `rows`',
    'plan.md: Checks: `npm run check` passes',
  ]);
});

test('a line that only lost what joined it to the next is not new', () => {
  expect(lines(edit(1, '  -s -o out \\\n  --fail', '  -s -o out\n  --retry 3'))).toEqual([
    'changed src/a.ts (+ --retry 3)',
  ]);
});

test('what is new is neither gone nor otherwise', () => {
  expect(['class A', 'a − b', '− a', 'a: 4 → 5'].map(isNew)).toEqual([true, true, false, false]);
});

test('a setting whose block is not shown is told with both of its values', () => {
  const change = {
    file_path: 'a.yml',
    old_string: '  port: 80',
    new_string: '  port: 81',
  };
  expect(lines(exchange(1, { name: 'Edit', arguments: change }))).toEqual([
    'changed a.yml (port: 80 → 81)',
  ]);
});

const write = (n: number, content: string) =>
  exchange(n, { name: 'Write', arguments: { file_path: 'src/a.ts', content } });

test('a file that is written anew was brought what it did not hold', () => {
  const [load, save] = ['function load() {\n}', 'function save() {\n}'];
  const [, again] = linesOf([write(1, load), write(3, `${load}\n${save}`)], (n) => n);
  expect(again!.text).toBe('changed src/a.ts (+ function save())');
  const read = {
    ...exchange(1, { name: 'Read', arguments: { file_path: 'src/a.ts' } }),
    result: { role: 'tool', toolCallId: 'c', content: load } as const,
  };
  expect(lines(read, write(3, `${load}\n${save}`))).toEqual([again!.text]);
  const held = heldFinder([], () => new Map([['load', 'load()']]));
  expect(editLines([write(1, `${load}\n${save}`)], () => 1, held)[0]!.text).toBe(again!.text);
});

test('what a file lost and was given again is told, in one turn as nothing', () => {
  const load = 'function load() {\n}\n';
  const lost = edit(3, load, '');
  const later = linesOf([write(1, load), lost, write(5, load)], (n) => n);
  expect(later.map(({ text }) => text).at(-1)).toBe('changed src/a.ts (+ function load())');
  const limit = (value: number): string => `const limit = ${value};\n`;
  const changed = [write(1, limit(10)), edit(3, limit(10), limit(20)), write(5, limit(10))];
  expect(linesOf(changed, (n) => n).at(-1)!.text).toBe('changed src/a.ts (+ limit = 10)');
});

test('of a type that was there only the fields that came and went are told', () => {
  const type = (...fields: readonly string[]): string =>
    `type Row struct {\n${fields.map((one) => `\t${one} int\n`).join('')}}`;
  expect(lines(edit(1, type('Id', 'Len'), type('Id', 'Size')))).toEqual([
    'changed src/a.ts (type Row struct { + Size, − Len })',
  ]);
  expect(lines(edit(1, '', type('Id')), edit(3, type('Id'), type('Id', 'Size')))).toEqual([
    'changed src/a.ts (+ type Row struct { Id, Size })',
  ]);
});
