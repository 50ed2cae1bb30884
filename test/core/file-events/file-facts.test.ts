import { expect, test } from 'vitest';
import { editsOf, factText, shownIn } from '../../../src/core/file-events/file-facts.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';

const edits = (name: string, given: ToolCall['arguments']) =>
  editsOf({ call: { name, arguments: given }, result: undefined });

test.each([
  ['Write', { file_path: 'a.ts', content: 'class A {' }, 'whole'],
  ['create_file', { path: 'a.ts', content: 'class A {' }, 'whole'],
  ['str_replace_editor', { command: 'create', path: 'a.ts', file_text: 'class A {' }, 'whole'],
  ['str_replace_editor', { command: 'insert', path: 'a.ts', new_str: 'class A {' }, 'part'],
  ['Write', { path: 'a.ts', old_string: 'x', new_string: 'class A {' }, 'part'],
  ['write', { path: 'a.ts', oldText: 'x', newText: 'class A {' }, 'part'],
  ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'class A {' }, 'part'],
  ['insert', { path: 'a.ts', text: 'class A {' }, 'part'],
  ['apply_patch', '*** Add File: a.ts\n+class A {', 'whole'],
  ['apply_patch', '*** Update File: a.ts\n+class A {', 'part'],
  ['apply_patch', { input: '*** Delete File: a.ts\n' }, 'none'],
  ['Bash', { command: "cat > a.ts <<'E'\nclass A {\nE" }, 'whole'],
  ['Bash', { command: "cat >> a.ts <<'E'\nclass A {\nE" }, 'part'],
])('%s with %j makes of a file %s', (name, given, extent) => {
  expect(edits(name, given).map((one) => [one.path, one.extent])).toEqual([['a.ts', extent]]);
});

const holds = (text: string, path = 'a.ts') => shownIn(path, text).map(factText);

test.each([
  ['  private async load(id: string): Promise<void> {', 'load(id: string)'],
  ['  protected get size(): number {', 'size(): number'],
  ['export async function load(id: string) {', 'load(id: string)'],
  ['func (s *Store) Open(path string) error {', 'Store.Open(path string) error'],
  ['pub fn open(path: &str) -> () {', 'open(path: &str)'],
  ['def put(self, row) -> None:', 'put(self, row)'],
  ['  defp put(conn, id) do', 'put(conn, id)'],
  ['const limit = 4;', 'limit = 4'],
  ['class Row {', 'class Row'],
])('%j shows that a file holds %j', (line, told) => {
  expect(holds(`${line}\n`)).toEqual([told]);
});

test('a function is told with what it does, and known by its name', () => {
  const text = 'function load(id) {\n  return parseRow(readFile(id));\n}\n';
  const fact = { name: 'load', now: 'load(id)', about: '', does: 'parseRow, readFile' };
  expect(shownIn('a.ts', text)).toEqual([fact]);
  expect(edits('Write', { file_path: 'a.ts', content: text })[0]!.facts).toEqual([fact]);
  expect(factText(fact)).toBe('load(id) (parseRow, readFile)');
});

test('a manifest holds what it describes, whole and where an edit brings more of it', () => {
  const thing = (name: string): string =>
    `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\nspec:\n  port: 80\n`;
  expect(holds(thing('one'), 'shop.yaml')).toEqual(['Service one']);
  const given = {
    path: 'shop.yaml',
    oldText: thing('one'),
    newText: `${thing('one')}---\n${thing('two')}`,
  };
  expect(edits('edit', given)[0]!.facts.map(factText)).toEqual(['Service two']);
});

test('what is gone stands as gone', () => {
  const [edit] = edits('Edit', { file_path: 'a.ts', old_string: 'class Row {', new_string: '' });
  expect(edit!.facts).toMatchObject([{ name: 'Row', now: '' }]);
});

test('a line that defines nothing is nothing that a file holds', () => {
  const given = { file_path: 'a.ts', old_string: '  open();', new_string: '  reopen(path);' };
  const [edit] = edits('Edit', given);
  expect(edit!.facts).toEqual([]);
});

test('what an edit takes out of a function is gone from it; where no head is shown, what is called', () => {
  const gone = (old_string: string, new_string: string) =>
    edits('Edit', { file_path: 'a.ts', old_string, new_string })[0]!.gone;
  const head = 'function load(path) {\n';
  expect(gone(`${head}  openFile(path, mode);\n}`, `${head}  reopenFile(path);\n}`)).toEqual([
    { name: 'openFile', inside: 'load' },
    { name: 'mode', inside: 'load' },
  ]);
  expect(gone('  openFile(path, mode);', '  openFiles(path);')).toEqual([
    { name: 'openFile', inside: '' },
  ]);
  const many = Array.from({ length: 50 }, (_, at) => `  call${at}();`).join('\n');
  expect(gone(many, '')).toHaveLength(40);
});

test('of a document its headings are told, three deep, and no item that was ticked off', () => {
  const text =
    '# The plan\n## The store\n### The rows\n#### Too deep\n# ab\n#Tag here\n- [x] Done it\n```\n# in code\n```\n';
  expect(holds(text, 'docs/plan.md')).toEqual(['# The plan', '## The store', '### The rows']);
  const silent = '# Overview\n## 1. Introduction\n## Usage:\n## Usage of keys\n### **Notes**\n';
  expect(holds(silent, 'docs/plan.md')).toEqual(['## Usage of keys']);
  expect(shownIn('docs/plan.md', '# The plan')).toEqual([
    { name: '# The plan', now: '# The plan', about: '', does: '' },
  ]);
  expect(holds(`# ${'x'.repeat(200)}`, 'docs/plan.md')[0]).toHaveLength(90);
});

test('a function is told with its comment, a long head of it with the names of its parameters alone', () => {
  const head =
    'function load(id: string, options: { depth: number; name: string }, done: () => void) {';
  expect(holds(`/** Loads a row with all below. */\n${head}\n  readRow(id);\n}`)).toEqual([
    'load(id, options, done) (Loads a row with all below. readRow)',
  ]);
});

test('what a script works out in each run is not what its file holds, a default and a value are', () => {
  const script = `INPUT="$(cat)"\nDIR=$HOME/x\nPORT=\${PORT:-1100}\nLIMIT=3\n  LIMIT="$1"\nread_port() {\n  cat "$DIR"\n}`;
  expect(holds(script, 'a.sh')).toEqual([
    'PORT = ${PORT:-1100}',
    'LIMIT = 3 | "$1"',
    'read_port()',
  ]);
});

test('of a file of settings is told what is set, of one with the words of an interface nothing', () => {
  expect(
    holds(
      '{\n  "scripts": {\n    "lint": "oxlint --fix src",\n    "tea": "^1.2.0"\n  }\n}',
      'package.json',
    ),
  ).toEqual(['scripts.lint: "oxlint --fix src"', 'scripts.tea: "^1.2.0"']);
  expect(holds('- run: npm ci\n- run: npm test\non: push', '.github/workflows/ci.yml')).toEqual([
    'on: push',
  ]);
  expect(holds('{\n  "open": "Open the lid",\n  "pots": "Pots"\n}', 'messages/en.json')).toEqual(
    [],
  );
});
