import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byName, definitionsIn } from '../../../src/core/definitions/definitions.ts';
import { settingsIn } from '../../../src/core/definitions/settings.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

const defined = (text: string): readonly string[] => definitionsIn(text).map((one) => one.text);

test.each([
  [
    'export async function load(\n  id: string,\n  depth = 2,\n): Promise<Row> {',
    ['async function load(id: string, depth = 2): Promise<Row>'],
  ],
  ['interface Row {\n  id: string;\n  readonly at?: number;\n}', ['interface Row { id, at? }']],
  [
    'class Pool extends Base {\n  private rows: Map<string, Row> = new Map();\n  get size(): number {\n    return 1;\n  }\n}',
    ['class Pool extends Base', 'rows: Map<string, Row>', 'get size(): number'],
  ],
  ['const limit = 4;\n  const local = 5;', ['limit = 4']],
  ['def load(self, id: str) -> Row:\n    return id', ['def load(self, id: str) -> Row']],
  ['func (s *Store) Open(path string) error {', ['func Store.Open(path string) error']],
  ['  defp put(conn, %{"id" => id}) do', ['defp put(conn, %{"id" => id})']],
  ['type closer func() error', ['type closer func() error']],
  [
    'type Config struct {\n\tSource string\n\tTarget string\n@@\n\tOther string',
    ['type Config struct { Source, Target, … }'],
  ],
  ['type Config struct {\n\tSource string\n', ['type Config struct { Source, … }']],
  [
    'func newPair(\n\tt *testing.T,\n) (*FirstLoopbackAdapterOfAll, *loopbackProvider) {',
    ['func newPair(t *testing.T) (*FirstLoopbackAdapterOfAll, *loopbackProvider)'],
  ],
  [
    `CREATE TABLE IF NOT EXISTS pots (\n  id TEXT PRIMARY KEY,\n  made_at TEXT DEFAULT (datetime('now')),${'\n  size INT,'.repeat(12)}\n  UNIQUE (id)\n);`,
    [`CREATE TABLE IF NOT EXISTS pots { id, made_at${', size'.repeat(12)} }`],
  ],
  ['CREATE TABLE cups (id TEXT, n INT);', ['CREATE TABLE cups (id TEXT, n INT)']],
  ['pub mod keys;\nmod disk;\n#[cfg(test)]\nmod tests {\n    fn opens() {', ['fn opens()']],
  [
    'pub mod keys {\nmod testsuite {\nmod tests_of_disk {',
    ['mod keys', 'mod testsuite', 'mod tests_of_disk'],
  ],
  ["  test('a user logs in', async () => {", ['test “a user logs in”']],
  ['  if (load(id)) {\n  return load(id);\n  load(id);', []],
  ['const url = (given || own).replace(', ['url']],
  ['const load = (id: string,', ['load(id: string']],
  ['// function load() {}\n * class Row', []],
])('%j defines %j', (text, told) => {
  expect(defined(text)).toEqual(told);
});

test('whatever a text holds, a definition is one line of bounded length', () => {
  const piece = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 60 }),
    fc.constantFrom(
      'function a(',
      'class ',
      'x'.repeat(50_000),
      '('.repeat(9_000),
      ' '.repeat(50_000),
      'const a: '.repeat(50),
      'interface A {\n',
      '\n',
      'a: b\u2028',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      for (const one of [...definitionsIn(text), ...settingsIn(text)])
        expect(one.text).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,250}$/);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['const rows: Map<string, Row> = new Map();', ['rows: Map<string, Row>']],
  ['const rows = new Map();', ['rows = new Map()']],
  ['export const limit: number = 4;', ['limit: number = 4']],
  ['let mut total = 4;', ['total = 4']],
  ['const ab = 4;', []],
  ['const declared;', []],
  [`const text = '${'x'.repeat(46)}';`, [`text = '${'x'.repeat(46)}'`]],
  [`const text = '${'x'.repeat(47)}';`, ['text']],
  ['const list = [', ['list']],
  ['const make = (id) => {', ['make(id)']],
  ['MAX_ROWS = 4', ['MAX_ROWS = 4']],
  ['@timeout 4', []],
  ['@timeout = 4', ['@timeout = 4']],
  ['AB = 4', []],
  ['  private static rows;', ['rows']],
  ['  declare rows?: Row[];', ['rows: Row[]']],
  ['  rows: Row[];', []],
  ['load() {', ['load()']],
  ['load();', []],
  ['load(): Row {', ['load(): Row']],
  ['load(id) do', ['load(id)']],
  ['load(id) where', ['load(id)']],
  ['  load<T>(id: T) {', ['load<T>(id: T)']],
  ['it("adds a row", () => {', ['test “adds a row”']],
  ['test.only(`adds a row`, () => {', ['test “adds a row”']],
  ["describe 'rows of it' do", ['test “rows of it”']],
  ['context("it", () => {', []],
  ['pub(crate) fn open(path: &str) -> File {', ['fn open(path: &str) -> File']],
  ['create table if not exists rows (', ['create table if not exists rows']],
  ['defmodule Shop.Cart do', ['defmodule Shop.Cart']],
  ['struct Row { id: u8 }', ['struct Row']],
  ['#[derive] fn open() {', []],
  ['-- function load()', []],
  ['<!-- class Row', []],
])('%j is told as %j', (text, told) => {
  expect(defined(text)).toEqual(told);
});

test('a type has the members that stand deeper than it, up to its end', () => {
  const text =
    'enum Kind {\n  // none\n  First = 1,\n  case Second,\n\n  Third: number;\n}\n  Other: 1,';
  expect(defined(text)).toEqual(['enum Kind { First, Second, Third }']);
});

test.each([
  ['const limit = 4 ;', ['limit = 4']],
  ['if (ready) {', []],
  ['while (ready) {', []],
  ['assertRow(a) {', []],
  ['printRow(a) {', []],
  ['interface Row {\n  one: 1;\n \n  two: 2;\n}', ['interface Row { one, two }']],
  [
    'type Row struct {\n\tOne interface {\n\t\tInner int\n\t}\n\tTwo int\n}',
    ['type Row struct { One, Two }'],
  ],
])('%j is told line by line as %j', (text, told) => {
  expect(defined(text)).toEqual(told);
});

test.each([
  ['const prompt = `Write:\nfunc One() int\n`\nfunc Two() int {', ['prompt', 'func Two() int']],
  ['TEXT = """\ndef one():\n"""\ndef two():', ['TEXT', 'def two()']],
  ['// don`t\nfunc One() int {', ['func One() int']],
  ['`,\nfunc One() int {', ['func One() int']],
  ['const sql = `\nCREATE TABLE rows (\n  id int\n);`', ['sql', 'CREATE TABLE rows (id int)']],
  [`const open = \`a\n${'x\n'.repeat(400)}\`;\nfunc One() int {`, ['func One() int']],
])('a text over several lines defines nothing but tables: %j', (text, told) => {
  expect(defined(text).filter((one) => !one.startsWith('open'))).toEqual(told);
});

test.each([
  [
    'func (a *Disk) Name() string {\n\treturn "disk"\n}\nfunc (b Tape) Name() string {\n\treturn "tape"\n}\nfunc (b Tape) Wind() {}',
    ['func Disk.Name() string', 'func Tape.Name() string', 'func Tape.Wind()'],
  ],
  [
    'class Disk:\n    def name(self):\n        pass\nclass Tape:\n    def name(self):\n        pass\ndef name():',
    ['class Disk', 'def Disk.name(self)', 'class Tape', 'def Tape.name(self)', 'def name()'],
  ],
  [
    'impl<T> Show for Disk<T> {\n    pub fn name(&self) {}\n}\nimpl Tape {\n    fn name(&self) {}\n}',
    ['fn Disk.name(&self)', 'fn Tape.name(&self)'],
  ],
  [
    'class Disk {\n  load(id: string): Row;\n  load(id: number): Row {\n    open();\n  }\n}',
    ['class Disk', 'load(id: number): Row'],
  ],
  [
    'class Disk {\n  get size() {\n    return 1;\n  }\n  set size(n) {\n    this.n = n;\n  }\n}',
    ['class Disk', 'get size()', 'set size(n)'],
  ],
  [
    'class Store {\n  get get(): number {\n  }\n}\nclass Cache {\n  get get(): number {\n  }\n}',
    ['class Store', 'get Store.get(): number', 'class Cache', 'get Cache.get(): number'],
  ],
  [
    'class Store:\n    def e(self):\n        pass\n\nclass Cache:\n    def e(self):\n        pass',
    ['class Store', 'def Store.e(self)', 'class Cache', 'def Cache.e(self)'],
  ],
])('what several types define alike is known by its type: %j', (text, told) => {
  expect(defined(text).filter((one) => !one.startsWith('impl'))).toEqual(told);
});

test('a function has no value, and does what stands in its body', () => {
  expect(definitionsIn('load() {\n  fetchRow(1);\n \n  closeRow();\n}')).toEqual([
    { name: 'load', text: 'load()', value: '', does: 'fetchRow, closeRow' },
  ]);
  const doneBy = (head: string) => definitionsIn(`${head}\n  fetch_row(1)\nend`)[0]!.does;
  expect([doneBy('def load do'), doneBy('def doing'), doneBy('def load(a)')]).toEqual([
    'fetch_row',
    undefined,
    'fetch_row',
  ]);
  expect(doneBy('class Load(Base):')).toBe(undefined);
});

test.each([
  ['const sizes = {\n  small: 4,\n  large: 9,\n};', ['sizes = { small: 4, large: 9 }']],
  ['const kinds: readonly string[] = [\n  "a",\n  "b",\n];', ['kinds = ["a", "b"]']],
  ['SIZES = {\n    "small": 4,\n    "large": 9,\n}', ['SIZES = { "small": 4, "large": 9 }']],
  ['var prefixes = []string{\n\t"entry ",\n\t"frame ",\n}', ['prefixes = { "entry ", "frame " }']],
  ['  @kinds [\n    :a,\n    :b\n  ]', ['@kinds = [:a, :b]']],
  [
    'const levels = ["off", "minimal", "low", "medium", "high", "highest"] as const;',
    ['levels = ["off", "minimal", "low", "medium", "high", "highest"] as const'],
  ],
  ['ARGS=(\n  -s\n  --max-time 5\n  # why\n)', ['ARGS = (-s --max-time 5)']],
  [
    `const long = [\n${'  1,\n'.repeat(60)}];`,
    [`long = [${'1, '.repeat(39).trim()} …`.replace(', …', ' …')],
  ],
  ['JSON="$(jq -n \\\n  --arg id 1)"', ['JSON']],
  ['const acts = {\n  open: () => openRow(),\n  shut: 1,\n};', ['acts']],
  ['const one = {\n  a: 1,\n};', ['one']],
])('a table is told with its values: %j', (text, told) => {
  expect(defined(text)).toEqual(told);
});

test.each([
  ['IS_ERROR=false\nif x; then\n  IS_ERROR=true\nfi', 'IS_ERROR = false | true'],
  [
    'PORT=1100\n  PORT="$(cat "$FILE" | head -n 1 | tr -d x | tr -d yyyyyyyyyyyy)"',
    'PORT = 1100 | …',
  ],
  ['PORT=1100\nPORT=1100', 'PORT = 1100'],
  ['PORT=1\nPORT=2\nPORT=1', 'PORT = 1 | 2'],
  [
    'class A {\n  private size: number = 1;\n}\nclass B {\n  private size: number = 2;\n}',
    'size: number = 1 | 2',
  ],
])('a name that is given several values has all of them: %j', (text, told) => {
  const name = /\w+/.exec(told)![0];
  expect(byName(definitionsIn(text)).get(name)!.text).toBe(told);
});

test.each([
  [
    'Java',
    'public final class Store {\n    private static final int MAX_ROWS = 500;\n    @Override\n    public Row load(String id) throws IOException {\n        return rows.get(id);\n    }\n}',
    ['final class Store', 'MAX_ROWS = 500', 'Row load(String id) throws IOException'],
  ],
  [
    'C#',
    'public class Writer\n{\n    private const int MaxDigits = 12;\n    public async Task<string> WriteAsync(long number)\n    {\n        return await Send(number);\n    }\n    public string Name(int n) => names[n];\n}',
    [
      'class Writer',
      'MaxDigits = 12',
      'async Task<string> WriteAsync(long number)',
      'string Name(int n)',
    ],
  ],
  [
    'C',
    'static int load_rows(struct store *s)\n{\n\treturn read_rows(s);\n}',
    ['static int load_rows(struct store *s)'],
  ],
  [
    'Dart',
    '  Future<void> load(String id) async {\n    await send(id);\n  }',
    ['Future<void> load(String id) async'],
  ],
  [
    'Kotlin',
    '  override suspend fun load(id: String): Row {\n    return db.get(id)\n  }',
    ['override suspend fun load(id: String): Row'],
  ],
  [
    'PHP',
    '    public const MAX_ROWS = 500;\n    private int $limit = 20;',
    ['MAX_ROWS = 500', '$limit = 20'],
  ],
  [
    'Swift',
    'struct Row {\n  static let most = 500\n  let id: String\n  func load() {\n    return\n  }\n}',
    ['struct Row { most, id }', 'most = 500', 'func load()'],
  ],
  [
    'Go',
    'const (\n\tdefaultMost = 512 * 1024\n\tthresholdKB int64 = 1536\n)\n\tlocal = 1',
    ['defaultMost = 512 * 1024', 'thresholdKB = 1536'],
  ],
])('what %s defines without a word of its own', (_, text, told) => {
  expect(definitionsIn(text).map((one) => one.text)).toEqual(told);
});

test.each([
  ['var current string', ['current: string']],
  ['var most int = 40', ['most: int = 40']],
  ['const int most = 40;', []],
  [
    'var ErrNoRow = errors.New("no row of that id is left in the store")',
    ['ErrNoRow = errors.New("no row of that id is left in the store")'],
  ],
  [`var ErrLong = errors.New("no ${'x'.repeat(90)}")`, ['ErrLong']],
  ["readonly row_pattern='(old|new).*Row'", ["row_pattern = '(old|new).*Row'"]],
  ['declare -r row_limit=40', ['row_limit = 40']],
  ['row_limit=40', ['row_limit = 40']],
  ['row_count=0', []],
  ['row_files="$(ls rows)"', []],
  ['row_text=""', []],
  ['  row_limit=40', []],
  ['row_limit = 40', []],
  ['row_paths=(\n  src/rows\n  src/pots\n)', ['row_paths = (src/rows src/pots)']],
  ['\tdefer func() {', []],
])('a value of any language is told: %j', (text, told) => {
  expect(defined(text)).toEqual(told);
});

test.each([
  ['// So many rows fill a page.\nconst mostRows = 40;', 'So many rows fill a page'],
  ['const mostRows = 40; // so many rows fill a page', 'so many rows fill a page'],
  ['MOST_ROWS = 40  # so many rows fill a page', 'so many rows fill a page'],
  ['// mostRows is what fills a page.\nvar mostRows = 40', 'what fills a page'],
  ['const path = "a // all of these rows";', undefined],
  ['/** The rows by their ids. */\n  private rows: Map<string, Row>;', undefined],
  ['#!/bin/sh\n# Counts the rows of a store.\nmost=40', undefined],
  ['#!/bin/sh\n\n# Rows of a page.\nmost=40', 'Rows of a page'],
])('a value is told with what its comment says: %j', (text, about) => {
  expect(definitionsIn(text)[0]!.about).toBe(about);
});

test.each([
  '\tType string `json:"type"`',
  '\tProtocol rows.Mode',
  '\tmessage := rows[id]',
  '    return load(id);',
  '    throw new Failure(id);',
  '    else if (load(id)) {',
  '    Row row = load(id);',
  '    using var row = load(id) {',
  '    await store load(id)',
])('%j defines nothing', (line) => {
  expect(definitionsIn(line)).toEqual([]);
});

test('the names of one shape are told on, whatever their values call', () => {
  const python =
    'def row_dict(row):\n    return {\n        "id": row.id,\n        "made": row.made.isoformat(),\n        "kind": row.kind,\n        "link": row.link,\n    }';
  expect(definitionsIn(python)[0]?.does).toContain('{ id, made, kind, link }');
});

test.each(['  lock(id: string): void {', '  echo(text: string) {', '  using(row: Row) {'])(
  '%j is a method, though other languages have a statement of that name',
  (line) => expect(definitionsIn(`${line}\n    this.run();\n  }`)).toHaveLength(1),
);
