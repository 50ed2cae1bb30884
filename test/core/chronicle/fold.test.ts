import { expect, test } from 'vitest';
import { foldsOf, settledLines } from '../../../src/core/chronicle/fold.ts';
import type { Line } from '../../../src/core/lines/line.ts';
import { openFailures } from '../../../src/core/outcomes/cures.ts';
import { linesOf } from '../../../src/core/chronicle/lines.ts';
import type { LeavingEntry, Message } from '../../../src/core/messages/message.ts';

const count = (text: string): number => Math.ceil(text.length / 4);
const root = '/w/app';

/** An edit, its result, and the next turn: three entries. */
const edit = (oldText: string, newText: string, path = '/w/app/src/limits.ts') =>
  [
    { name: 'edit', arguments: { path, oldText, newText } },
    { content: 'ok', isError: false },
  ] as const;

/** A command that failed with a reason. */
const failure = (command: string, content: string) =>
  [
    { name: 'bash', arguments: { command } },
    { content, isError: true },
  ] as const;

/** The lines of calls, each in a turn of its own: e1 e2 e3, e4 e5 e6, … */
const linesIn = (
  calls: readonly (ReturnType<typeof edit> | ReturnType<typeof failure>)[],
): readonly Line[] =>
  linesOf(
    calls
      .flatMap(([call, result], index): readonly Message[] => [
        { role: 'user', content: `go on ${index}` },
        { role: 'assistant', content: '', toolCalls: [{ ...call, id: `c${index}` }] },
        { role: 'tool', toolCallId: `c${index}`, ...result },
      ])
      .map((message, index): LeavingEntry => ({ n: index + 1, message })),
    { turn: 0, root, count },
  );

/** Edits that are told apart, because they are the newest. */
const later = Array.from({ length: 6 }, (_, n) => edit('', `function later${n}(x) {\n}`));

const folded = (lines: readonly Line[]) =>
  foldsOf(lines, { root, count }).map((fold) => fold.lines.map(({ n, text }) => `e${n} ${text}`));

test('edits of a file in several turns are told as one, each value from the first to the last', () => {
  const lines = linesIn([
    edit('const MAX_A = 1;', 'const MAX_A = 5;'),
    edit('', 'function grow(size) {\n}\nfunction brief(a) {\n}'),
    edit('const MAX_A = 5;', 'const MAX_A = 9;'),
    edit('function grow(size) {\n}', 'function grow(size, most) {\n}'),
    edit('function brief(a) {\n}', ''),
    edit('class Old {\n}', ''),
    ...later,
  ]);
  expect(lines.filter(({ kind }) => kind === 'changed')).toHaveLength(12);
  const once =
    'e17 changed src/limits.ts since e2 (+ function grow(size, most); MAX_A: 1 → 9; − Old)';
  expect(folded(lines)).toEqual([[once]]);
});

test('a line that was folded is folded again', () => {
  const lines = linesIn([
    edit('const MAX_A = 1;', 'const MAX_A = 5;'),
    edit('const MAX_A = 5;', 'const MAX_A = 7;'),
    edit('const MAX_A = 7;', 'const MAX_A = 9;'),
    ...later,
  ]).filter(({ kind }) => kind === 'changed');
  const [first] = foldsOf([...lines.slice(0, 2), ...lines.slice(3)], { root, count });
  expect(folded([...first!.lines, ...lines.slice(2)])).toEqual([
    ['e8 changed src/limits.ts since e2 (MAX_A: 1 → 9)'],
  ]);
});

test('the fields that came to a type over time are told together', () => {
  const type = (...fields: readonly string[]): string =>
    `type Row struct {\n${fields.map((one) => `\t${one} int\n`).join('')}}`;
  const lines = linesIn([
    edit(type('Id'), type('Id', 'Len')),
    edit(type('Id', 'Len'), type('Id', 'Len', 'Size')),
    ...later,
  ]);
  expect(folded(lines)).toEqual([
    ['e5 changed src/limits.ts since e2 (type Row struct { + Len, + Size })'],
  ]);
});

test('a value that is again what it was is not told', () => {
  const lines = linesIn([
    edit('const MAX_A = 1;', 'const MAX_A = 5;'),
    edit('const MAX_A = 5;', 'const MAX_A = 1;'),
    ...later,
  ]);
  expect(folded(lines)).toEqual([['e5 changed src/limits.ts since e2']]);
});

test('the newest of many things stay, in lines of bounded length', () => {
  const lines = linesIn(
    Array.from({ length: 300 }, (_, n) => edit('', `function step${n}(input) {\n}`)),
  );
  const [told] = folded(lines);
  expect(told!.length).toBeLessThanOrEqual(4);
  expect(told!.join(' ')).toContain('step293(input)');
  expect(told!.join(' ')).not.toMatch(/step(?:0|294)\(input/);
});

test('the same failure is counted, another reason is another failure', () => {
  const failed = (why: string, n: number): Line => ({
    ...linesIn([failure('npm test', why)]).find(({ kind }) => kind === 'failed')!,
    n,
    to: n,
  });
  const timeout = 'Error: 2 tests timed out';
  expect(folded([failed(timeout, 3), failed('Error: cannot find module x', 63)])).toEqual([]);
  expect(folded([failed(timeout, 3), failed(timeout, 63)])).toEqual([
    [`e63 \`npm test\` failed 2 times since e3: ${timeout}`],
  ]);
  // The place of an error moves with the lines above it.
  const [one, other] = ['a.ts(57,4): error TS2304: no x', 'a.ts(58,4): error TS2304: no x'];
  expect(folded([failed(one, 3), failed(other, 63)])).toEqual([
    [`e63 \`npm test\` failed 2 times since e3: ${other}`],
  ]);
});

test('lines of one entry, of one file each, stay as they are', () => {
  expect(
    folded(linesIn([edit('', 'function a1(x) {\n}'), edit('', 'const B = 2;', 'b.ts')])),
  ).toEqual([]);
});

test('a failure and what says later that it works are told as one', () => {
  const [failed] = linesIn([failure('npm test', 'Error: 2 tests timed out')]).filter(
    ({ kind }) => kind === 'failed',
  );
  const entries = [
    { role: 'assistant', content: '', toolCalls: [{ ...failure('npm test', '')[0], id: 'c' }] },
    { role: 'tool', toolCallId: 'c', content: 'all pass' },
  ] as const satisfies readonly Message[];
  const later = linesOf(
    entries.map((message, index): LeavingEntry => ({ n: 40 + index, message })),
    { turn: 0, root, count, failed: openFailures([failed!]) },
  );
  expect(folded([failed!, ...later])).toEqual([
    ['e41 `npm test` failed since e3: Error: 2 tests timed out; worked in e41'],
  ]);
});

test('a failure and its cure are told as one whatever only showed the output, and no cure with another', () => {
  const line = (text: string, n: number): Line => ({
    n,
    to: n,
    turn: 1,
    kind: 'failed',
    text,
    tokens: 9,
    worth: 1,
    file: '',
  });
  const [failed, cured] = [
    '`npm test | grep FAIL` failed: 2 of 9',
    '`npm test` failed since e3: 2 of 9; worked in e41',
  ];
  expect(folded([line(failed, 3), line(cured, 41)])).toEqual([[`e41 ${cured}`]]);
  const lines = [
    line('`make` failed: no rule; worked in e3', 2),
    line('`npm test` failed: 2 of 9; worked in e5', 4),
    line('`make` failed: no rule; worked in e7', 6),
    line('`npm test` failed: 2 of 9', 8),
    line('`npm test` failed since e8: 2 of 9; worked in e41', 41),
    line('`npm test` failed: 2 of 9', 43),
  ];
  expect(settledLines(lines).map(({ n }) => n)).toEqual([8, 41]);
});

test('what failed for another reason before its command worked is told with that', () => {
  const failed = (text: string, n: number): Line => ({
    n,
    to: n,
    turn: 1,
    kind: 'failed',
    text,
    tokens: 9,
    worth: 1,
    file: '',
  });
  const lines = [
    failed('`make` failed: no rule', 2),
    failed('`make` failed in api: no rule', 3),
    failed('`make lint` failed: 3 errors', 4),
    failed('`make test TESTS="a b…` failed: 3 errors', 5),
    failed('`make test TESTS="a b…` failed: 1 error; worked in e6', 6),
    failed('`make` failed: no disk; worked in e9', 8),
    failed('`make` failed: no net', 11),
  ];
  const settled = settledLines(lines);
  expect(settled.map(({ n }) => n)).toEqual([2, 8]);
  for (const all of [lines, settled])
    expect(folded(all)).toEqual([['e2 `make` failed: no rule; worked in e9']]);
});

/** Lines of a file, each in an entry of its own, before those that are told apart. */
const told = (...texts: readonly string[]): readonly string[] => {
  const line = (text: string, index: number): Line => {
    const n = 2 * index + 10;
    const file = '/w/app/a.ts';
    return { turn: 0, kind: 'changed', n, to: n + 1, text, file, worth: 1, tokens: 4 };
  };
  const newest = Array.from({ length: 6 }, () => 'changed a.ts');
  const folds = foldsOf([...texts, ...newest].map(line), { root, count });
  return folds.flatMap(({ lines }) => lines.map(({ text }) => text));
};

test.each([
  ['one after another', ['A: 1 → 2', 'A: 2 → 3'], '(A: 1 → 3)'],
  ['apart', ['A: 1 → 2', 'A: 3 → 4'], '(A: 3 → 4)'],
  ['and back', ['A: 1 → 2', 'A: 2 → 1'], ''],
  ['gone later', ['A: 1 → 2', '− A'], '(− A)'],
  ['new and gone', ['+ const A = 1', '− A'], ''],
  ['new and changed', ['+ const A = 1', 'A: 1 → 2'], '(A: 1 → 2)'],
  ['changed and new', ['A: 1 → 2', '+ const A = 5'], '(+ const A = 5)'],
  ['gone and new', ['− A', '+ const A = 5'], '(+ const A = 5)'],
  ['told twice', ['+ const A = 1', '+ const A = 2'], '(+ const A = 2)'],
  ['of two names', ['+ const A = 1', '+ const B = 2'], '(+ const A = 1; const B = 2)'],
  ['of long values', ['A: is it → so', 'A: so → not so'], '(A: is it → not so)'],
  ['a test', ['+ test “adds”', '− adds'], ''],
  ['another test', ['+ test “adds”', '− add'], '(+ test “adds”; − add)'],
  ['a test with more behind', ['+ test “adds” so', '− adds'], '(+ test “adds” so; − adds)'],
  ['a test in a name', ['+ a test “adds”', '− adds'], '(+ a test “adds”; − adds)'],
  ['a function', ['+ async function grow(a)', '− grow'], ''],
  ['a method', ['+ method (Pool) drain(a)', '− drain'], ''],
  ['a class', ['+ export class Pool extends Base', '− Pool'], ''],
  ['a class that implements', ['+ class Pool implements A', '− Pool'], ''],
  ['a type', ['+ type Pool<T>', '− Pool'], ''],
  ['a field', ['+ size: number', '− size'], ''],
  ['an interface', ['+ interface Pool {', '− Pool'], ''],
  ['a name alone', ['+ $store', '− $store'], ''],
  ['a name with more behind', ['+ Pool-size', '− Pool'], '(+ Pool-size; − Pool)'],
  ['a method of nothing', ['+ method () drain(a)', '− drain'], ''],
  ['a name with signs', ['+ method empty?(a)', '− empty?'], ''],
  ['a name behind five words', ['+ a b c d e Pool(x)', '− Pool'], ''],
  ['a name behind six', ['+ a b c d e f Pool(x)', '− Pool'], '(+ a b c d e f Pool(x); − Pool)'],
  ['a name behind a capital', ['+ A Pool(x)', '− Pool'], '(+ A Pool(x); − Pool)'],
  ['a class of two words', ['+ class Pool Base', '− Pool'], '(+ class Pool Base; − Pool)'],
  ['a class that extended', ['+ class Pool extendsX', '− Pool'], '(+ class Pool extendsX; − Pool)'],
  ['from nothing', ['A:  → 2', 'A: 2 → 3'], '(A: → 3)'],
  ['to nothing and on', ['A: 1 → 2', 'A: 2 → 4 → 5'], '(A: 1 → 4 → 5)'],
  ['of no name', [': 1 → 2', ': 2 → 3'], '(: 1 → 2; : 2 → 3)'],
  ['gone twice', ['− A', '− A'], '(− A)'],
  ['the order', ['− A', 'B: 1 → 2', '+ const C = 1'], '(+ const C = 1; B: 1 → 2; − A)'],
] as const)('of a file, %s is told as it came out', (_, items, list) => {
  const lines = items.map((item) => `changed a.ts (${item})`);
  const since = 'changed a.ts since e10';
  expect(told(...lines)).toEqual([list === '' ? since : `${since} ${list}`]);
});

test('lines tell since when, and a line that goes on tells more of the file', () => {
  expect(told('changed a.ts since e4 (+ const A = 1)', 'changed a.ts (+ const B = 1)')).toEqual([
    'changed a.ts since e4 (+ const A = 1; const B = 1)',
  ]);
  expect(told('changed a.ts', 'in a.ts: const A = 1; B: 1 → 2')).toEqual([
    'changed a.ts since e10 (+ const A = 1; B: 1 → 2)',
  ]);
  expect(told('changed a.ts (+ so in it: const A = 1)', 'changed a.ts')[0]).toContain('so in it: ');
  expect(told('changed a.ts')).toEqual([]);
});

test('a line of a function stands beside the function, and each beside the other', () => {
  const items = ['function load(id)', 'in load: open(id)', 'in load: shut(id) / open(it)'];
  expect(told(...items.map((item) => `changed a.ts (+ ${item})`))).toEqual([
    `changed a.ts since e10 (+ ${items.join('; ')})`,
  ]);
});

test('failures are counted by how often they failed, and told since the first', () => {
  const failed = (n: number, text: string): Line => {
    return { turn: 0, kind: 'failed', n, to: n, text, file: '', worth: 1, tokens: 4 };
  };
  const of = (...lines: readonly Line[]) => folded(lines);
  expect(
    of(failed(5, '`a` failed 2 times: no'), failed(9, '`a` failed 3 times since e4: no')),
  ).toEqual([['e9 `a` failed 5 times since e4: no']]);
  expect(of(failed(5, '`a` failed: no; worked in e6'), failed(9, '`a` failed: no'))).toEqual([
    ['e9 `a` failed 2 times since e5: no'],
  ]);
  expect(of(failed(5, '`a` failed: no'), failed(5, '`a` failed: no'))).toEqual([]);
  expect(of(failed(5, 'It failed'), failed(9, 'It failed'))).toEqual([]);
  expect(of(failed(5, '`a` failed: no'), { ...failed(9, '`a` failed: no'), kind: 'said' })).toEqual(
    [],
  );
});

test.each([
  ['in a.ts: const A = 1', '+ const A = 1'],
  ['so in a.ts: const A = 1', '+ so in a.ts: const A = 1'],
  [`in ${'x'.repeat(61)}: const A = 1`, '+ const A = 1'],
  [`in ${'x'.repeat(62)}: const A = 1`, `+ in ${'x'.repeat(62)}: const A = 1`],
  ['in a: b: const A = 1', '+ b: const A = 1'],
])('the line %j goes on with %j', (line, items) => {
  expect(told('changed a.ts', line)).toEqual([`changed a.ts since e10 (${items})`]);
});

test('a fold stands where the last line stood, and tells which are gone', () => {
  const failed = (n: number): Line => {
    return {
      turn: n - 1,
      kind: 'failed',
      n,
      to: n + 1,
      text: '`a` failed: no',
      file: '',
      worth: 1,
      tokens: 4,
    };
  };
  const lines = [failed(5), failed(9)];
  expect(foldsOf(lines, { root, count })).toMatchObject([
    { gone: lines, lines: [{ turn: 8, n: 9, to: 10, kind: 'failed', file: '' }] },
  ]);
});

const said = (n: number, text: string): Line => {
  return { turn: 0, kind: 'said', n, to: n, text, file: '', worth: 1, tokens: count(text) };
};

test('what was left to do is told as it stood last, where it is the same work', () => {
  const lefts = [
    said(3, 'Remaining: the importer of `carts.csv`; the page'),
    said(5, 'The importer of `carts.csv` reads half of a row.'),
    said(9, 'What is left is the page of `carts.csv`'),
    said(12, 'Next steps: ask Ann for the key of the shop'),
    said(14, 'Remaining: nothing but the docs'),
  ];
  const { gone, lines: kept } = foldsOf(lefts, { root: '', count })[0]!;
  // Nothing says that Ann was asked.
  expect(gone.map(({ n }) => n)).toEqual([3]);
  expect(kept).toEqual([]);
  expect(foldsOf(lefts.slice(1), { root: '', count })).toEqual([]);
});
