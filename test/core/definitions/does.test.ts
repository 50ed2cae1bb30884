import { expect, test } from 'vitest';
import fc from 'fast-check';
import { definitionsIn } from '../../../src/core/definitions/definitions.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

const does = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    definitionsIn(text).flatMap(({ name, does: told }) =>
      told === undefined ? [] : [[name, told]],
    ),
  );
const about = (text: string): string => definitionsIn(text).at(-1)?.about ?? '';

const body = (lines: string): string => `function run() {\n${lines}\n}\n`;

test('a function is told with what it calls under which condition, but for what any code calls', () => {
  expect(
    does(`class Pool {
  async acquire(id: string): Promise<Row> {
    const rows = this.rows.filter((row) => row.id === id);
    if (rows.length > limit) await this.evictOldest(rows);

    return openRow(id, this.acquire(parent));
  }
}
function load() {
  return 1 + 2;
}`),
  ).toEqual({ acquire: 'if rows.length > limit: evictOldest. openRow', load: '= 1 + 2' });
});

test.each([
  [
    'def run(self, name):\n    row = fetch_row(name)\n    return store_row(row)\n\nother_call()',
    'run',
  ],
  ['defp run(name) do\n  row = fetch_row(name)\n  store_row(row)\nend\nother_call()', 'run'],
  ['func run(name string) error {\n\trow := fetch_row(name)\n\tstore_row(row)\n}', 'run'],
])('in any language: %j', (text, name) => {
  expect(does(text)).toEqual({ [name]: 'fetch_row, store_row' });
});

test('what a text over several lines quotes is not done', () => {
  const text =
    'func TestRun(t *testing.T) {\n\twriteFile("a.go", `\nfunc Old() {\n\toldFunc(1)\n}\n`)\n\trunAll(t)\n}';
  expect(does(text)).toEqual({ TestRun: 'writeFile("a.go"), runAll' });
});

test('a condition of several stands in parentheses beside another', () => {
  const text =
    'func run() {\n\tif isOpen || isFull {\n\t\tif row != nil {\n\t\t\tprintRow(1)\n\t\t}\n\t\tshutRow(2)\n\t}\n}';
  expect(does(text)).toEqual({
    run: 'if (isOpen || isFull) && row != nil: printRow. if isOpen || isFull: shutRow',
  });
});

test('the cases of a match are no calls', () => {
  expect(
    does('fn run() {\n    match self {\n        Self::Shell(_) => spawnShell(1),\n    }\n}'),
  ).toEqual({
    run: 'spawnShell',
  });
});

test('of many calls those stand that the text has seldom', () => {
  const names = ['alpha', 'redraw', 'bravo', 'redraw', 'charlie', 'redraw', 'delta', 'redraw'];
  const text = body([...names, 'redraw', 'redraw'].map((name) => `  ${name}Row();`).join('\n'));
  expect(does(text)).toEqual({ run: 'alphaRow, bravoRow, charlieRow, deltaRow, …' });
});

test('that a failure is handed on is not told, what is wrong otherwise is', () => {
  const text =
    'func load() int64 {\n\trow, err := fetchRow()\n\tif err != nil {\n\t\tt.Fatalf("fetch a row: %v", err)\n\t}\n\tif row == "" {\n\t\tt.Fatalf("no row is left")\n\t}\n\treturn int64(row)\n}\n';
  expect(does(text)).toEqual({ load: 'fetchRow. if row == "": Fatalf “no row is left”' });
});

test('what holds functions does nothing itself', () => {
  expect(does('defmodule App do\n  def start(x) do\n    boot_all(x)\n  end\nend')).toEqual({
    start: 'boot_all',
  });
});

test.each([
  [
    '  if (busy) {\n    queueItem(x);\n  } else {\n    sendItem(x);\n  }',
    'if busy: queueItem. else: sendItem',
  ],
  ['  if (!x) {\n    return;\n  }\n  sendItem(x);', 'sendItem'],
  [
    '  if (a.ready && b) {\n    if (c.open) sendItem(x);\n  }',
    'if a.ready && b && c.open: sendItem',
  ],
  ['  unless done do\n    sendItem(x)\n  end', 'unless done: sendItem'],
  [
    '  if (!found) throw new Error("no such row: ${id} here");',
    'if !found: throw “no such row: … here”',
  ],
])('conditions and failures: %j', (lines, told) => {
  expect(does(body(lines))).toEqual({ run: told });
});

test.each([
  [
    '  ui.addPart(header);\n  ui.addPart(new Gap(1));\n  ui.addPart(this.list);\n  ui.addPart(footer);',
    'ui.addPart(header | list | footer)',
  ],
  [
    '  set_label("job.id", a)\n  set_label("job.at", b)\n  set_label("job.by", c)',
    'set_label("job.id" | "job.at" | "job.by")',
  ],
  [
    '  switch (kind) {\n    case "open":\n      openRow();\n    case "shut":\n    case "lost":\n  }',
    'case "open" | "shut" | "lost". "open": openRow',
  ],
  [
    '  if (text === "/a") x();\n  if (text === "/b") y();\n  if (text === "/c") z();',
    'text is "/a" | "/b" | "/c"',
  ],
  [
    '  storeRow({\n    id: row.id,\n    size: 4,\n    owner: who,\n  });',
    'storeRow, { id, size, owner }',
  ],
])('what stands in a row is a list: %j', (lines, told) => {
  expect(does(body(lines))).toEqual({ run: told });
});

test.each([
  [
    '  if err != nil {\n    return "no row: " + id\n  }\n  openRow(id)',
    'if err != nil: gives “no row:…”. openRow',
  ],
  ['  openRow(id);\n  return `row ${id} of all`;', 'openRow, gives “row … of all”'],
  ['  openRow(id)\n  return fmt.Sprintf("rows/%s", id)', 'openRow, gives “rows/%s”'],
  ['  openRow(id);\n  return readRow("rows.json");', 'openRow, readRow("rows.json")'],
  ['  if (a) {\n    return "one row";\n  }\n  return "two rows";', 'if a: gives “one row”'],
  [
    '  if (a) {\n    return stateIdle;\n  }\n  openRow(a);\n  return stateBusy, nil',
    'if a: gives stateIdle. openRow, gives stateBusy',
  ],
  ['  openRow(a);\n  if (!a) {\n    return nil, ErrNoRow\n  }', 'openRow. if !a: gives ErrNoRow'],
  [
    '  openRow(a);\n  if (a) {\n    return b === Phase.Idle;\n  }\n  return b !== Phase.Done;',
    'openRow',
  ],
  [
    '  if (a) {\n    return toRow(a, Phase.Idle);\n  }\n  return toRow(b, Phase.Done);',
    'if a: toRow',
  ],
  [
    '  openRow(a);\n  return isOpen ? Phase.Open : Phase.Shut;\n  return Phase.Shut;',
    'openRow, gives Phase.Open, gives Phase.Shut',
  ],
  ['  if (a) {\n    return Phase.Idle;\n  }\n  openRow(a);\n  return firstRow;', 'openRow'],
  ['  openRow(id);\n  return 42;', 'openRow'],
  ['  openRow(id);\n  return `${kind}_${id}`;', 'openRow'],
  ['  openRow(string(id));\n  return tuple(id);', 'openRow'],
  ['  return "rows of " + id;', '= "rows of " + id'],
  ['  return RowName("refs/rows/" + id)', 'RowName("refs/rows/"…)'],
])('a text that is given back is told: %j', (lines, told) => {
  expect(does(body(lines))).toEqual({ run: told });
});

test.each([
  ['"big": LargeRow,\n    "small": LargeRow,', '{ big: LargeRow, small: LargeRow }'],
  ['"big": big,\n    "small": 4,', '{ big, small: 4 }'],
  ['"row.size": size,\n    "row.big": 4,', '{ row.size, row.big: 4 }'],
  ['"shop.row.size": row_size,\n    "row.big": 4,', '{ shop.row.size, row.big: 4 }'],
  ['"big": row.big,\n    "small": sizeOf(row),', '{ big, small }, sizeOf'],
  ['"big": LargeRow,', undefined],
  ['big: LargeRow,\n    small: LargeRow,', undefined],
])('two keys in quotes are a list, with what they are given by name: %j', (lines, told) => {
  expect(does(body(`  return Sizes{\n    ${lines}\n  }`))['run']).toBe(told);
});

test('a comment is told without the name of what it is on', () => {
  expect(about('// run opens a row that is free.\nfunc run() {\n}')).toBe(
    'opens a row that is free',
  );
  expect(about('// run Opens of Rows\nfunc run() {\n}')).toBe('run Opens of Rows');
});

test('a head over several lines is no part of what a function does', () => {
  expect(
    does('function run(\n  id: string,\n  size: number,\n  at: number,\n) {\n  openRow(id);\n}'),
  ).toEqual({ run: 'openRow' });
});

test.each([
  [
    '/** Opens a row. Waits for a lock.\n *\n * Never fails. */\nfunction run() {\n}',
    'Opens a row. Waits for a lock',
  ],
  ['// opens a row that is free\nfunction run() {\n}', 'opens a row that is free'],
  [
    '// opens a row. Looks for it:\n//  1. Among the free ones\n//  2. In the queue\nfunction run() {\n}',
    'opens a row. Looks for it: 1. Among the free ones 2. In the queue',
  ],
  [
    '@doc """\n  Opens a row that is free.\n\n  More.\n"""\n@spec run() :: :ok\ndef run do\nend',
    'Opens a row that is free',
  ],
  ['def run(self):\n    """Opens a row that is free."""\n    pass', 'Opens a row that is free'],
  [
    'def run(self):\n    """Opens a row that is free and\n    waits for its lock.\n\n    Args: none\n    """\n    pass',
    'Opens a row that is free and waits for its lock',
  ],
  [
    "def run(self):\n    '''\n    Opens a row that is free.\n    '''\n    pass",
    'Opens a row that is free',
  ],
  ['# ------\ndef run(self):\n    pass', ''],
  ['const a = 1;\n\nfunction run() {\n}', ''],
  [
    '// Opens a row that is free.\n//nolint:gocyclo // it has to be so\nfunc run() {\n}',
    'Opens a row that is free',
  ],
])('the comment of %j says %j', (text, told) => {
  expect(about(text)).toBe(told);
});

test('of several heads of one function that stands which does most', () => {
  const text = 'def run(1) do\n  open_all(1)\nend\ndef run(_), do: nil\n';
  expect(does(text)).toEqual({ run: 'open_all' });
});

test('whatever a body holds, what it does is one line of bounded length', () => {
  const piece = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 40 }),
    fc.constantFrom(
      '  if (',
      '  case "a":',
      ' x: y,',
      '  fail("',
      'a('.repeat(5_000),
      '{'.repeat(5_000),
      '\n',
      '/** ',
      '*/',
      '"""',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      for (const one of definitionsIn(body(pieces.join(''))))
        for (const told of [one.does ?? '', one.about ?? ''])
          expect(told).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{0,240}$/);
    }),
    { numRuns: 60 },
  );
});

test('what stands in several branches is no list', () => {
  const text = [
    'def run(mode) do',
    '  if ready do',
    '    put(%{',
    '      first: 1,',
    '      second: 2,',
    '    })',
    '  else',
    '    put(%{',
    '      reason: "none",',
    '    })',
    '  end',
    'end',
  ].join('\n');
  expect(definitionsIn(text)[0]!.does ?? '').not.toContain('reason');
});
