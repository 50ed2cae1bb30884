import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileFact } from '../../../src/core/files/changed-lines.ts';
import { changesIn, type FileChange } from '../../../src/core/files/changes.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';
import { codePoint } from '../../../src/testing/fast-check/code-point.ts';

const call = (name: string, given: ToolCall['arguments']): ToolCall => ({ name, arguments: given });

const changesOf = (one: ToolCall, content?: string): readonly FileChange[] =>
  changesIn({
    call: one,
    result: content === undefined ? undefined : { role: 'tool', toolCallId: 'c', content },
  });

/** What a call changed: each file, and what it brought, with `…` where there is more. */
const changed = (name: string, given: ToolCall['arguments']): readonly string[] =>
  changesOf(call(name, given)).map(
    ({ path, facts, isCut }) =>
      `${path}: ${[...facts.map(told), ...(isCut ? ['…'] : [])].join(' · ')}`,
  );

const told = ({ name, was, now, inside }: FileFact): string =>
  `${inside === undefined ? '' : `in ${inside}: `}${now === '' ? `-${name}` : was === '' ? now : `${was} -> ${now}`}`;

const script = [
  '#!/bin/sh',
  '# Keeps the pots of a shelf where',
  '# they were. Runs once a day, after the last of the potters has gone home for the night.',
  '#',
  '# Nothing of this matters.',
  'set -eu',
  'if true; then',
  '  shelf="/srv/pots/shelf"',
  '  pots=[',
  '    "tea"',
  '    "ink"',
  '  ]',
  '  count=$((count + 1))',
  '  echo "a pot is missing" >&2',
  'fi',
].join('\n');

test('a new file that defines nothing is told by its first comment, by what it names and says', () => {
  expect(changed('Write', { file_path: 'bin/pots', content: script })).toEqual([
    'bin/pots: # Keeps the pots of a shelf where they were. Runs once a day, after the last of the potters has gone home for the night · shelf = "/srv/pots/shelf" · pots = ["tea" "ink"] · says “a pot is missing”',
  ]);
  const bare = 'set -eu\nmake pots\necho "a pot is missing"';
  expect(changed('Write', { file_path: 'bin/pots', content: bare })).toEqual([
    'bin/pots: set -eu · make pots · echo "a pot is missing"',
  ]);
  const part = {
    file_path: 'bin/pots',
    old_string: 'make pots',
    new_string: `make pots\n${script}`,
  };
  expect(changed('Edit', part)[0]).not.toContain('says');
  const long = `# Keeps ${'pots and '.repeat(30)}\n${'  potText = "pots of tea and ink, all in a row"\n'.replace('pot', 'one')}${Array.from({ length: 9 }, (_, at) => `  pot${at} = "${'tea '.repeat(20)}"`).join('\n')}`;
  const [told = ''] = changed('Write', { file_path: 'bin/pots', content: long });
  expect(told.length).toBeLessThan(280);
});

test.each([
  [
    'Write',
    {
      file_path: '/app/src/hash.ts',
      content: 'export function hashPassword(plain: string) {\n  return 1;\n}',
    },
    ['/app/src/hash.ts: function hashPassword(plain: string)'],
  ],
  [
    'Edit',
    {
      file_path: 'src/a.py',
      old_string: 'def load(id):\n    pass',
      new_string: 'def load(id):\n    pass\n\nclass Store:\n    def drop(self):\n        pass',
    },
    ['src/a.py: class Store · def drop(self)'],
  ],
  [
    'edit',
    { path: 'README.md', newText: '## Install\n\nRun it.\n\n## Usage\n\nCall it.', oldText: '' },
    ['README.md: Install'],
  ],
  [
    'MultiEdit',
    { file_path: 'a.ts', edits: [{ old_string: 'x', new_string: 'const limit = 4' }] },
    ['a.ts: limit = 4'],
  ],
  [
    'str_replace_editor',
    { command: 'create', path: 'b.go', file_text: 'func Open(path string) error {' },
    ['b.go: func Open(path string) error'],
  ],
  [
    'apply_patch',
    '*** Begin Patch\n*** Update File: src/c.rs\n@@\n-fn old() {\n+fn fresh(a: u8) {\n*** End Patch',
    ['src/c.rs: fn fresh(a: u8) · -old'],
  ],
  [
    'edit',
    {
      path: 'src/a.ts',
      oldText: 'const MAX_ROWS = 100;\nfunction load(id: string) {\n  return id;\n}',
      newText: 'const MAX_ROWS = 500;\nfunction load(id: string, n = 2) {\n  return id;\n}',
    },
    ['src/a.ts: 100 -> MAX_ROWS = 500 · function load(id: string, n = 2)'],
  ],
  [
    'edit',
    {
      path: 'config/app.yml',
      oldText: 'port: 8080\nhost: local',
      newText: 'port: 9090\nhost: local\nretries: 3',
    },
    ['config/app.yml: 8080 -> port: 9090 · retries: 3'],
  ],
  [
    'edit',
    {
      path: 'src/a.ts',
      oldText: 'function load() {\n  open();\n}',
      newText: 'function load() {\n  open(path);\n}',
    },
    ['src/a.ts: in load: open(path)'],
  ],
  [
    'edit',
    {
      path: 'docs/plan.md',
      oldText: '- [ ] Write it\n- [ ] Ship it',
      newText: '- [x] Write it\n- [ ] Ship it',
    },
    ['docs/plan.md: [x] Write it'],
  ],
  [
    'Write',
    { file_path: 'a.ts', content: ['const one = 1', 'const two = 2'] },
    ['a.ts: one = 1 · two = 2'],
  ],
  [
    'apply_patch',
    '*** Add File: a.ts\n+const one = 1\n+const two = 2\n*** Delete File: /dev/null\n*** Update File: b/b.ts\n-const old = 1\n-const odd = 2',
    ['a.ts: one = 1 · two = 2', 'b.ts: -old · -odd'],
  ],
  ['edit', { patch: '+++ b/a.ts\n+class A {' }, ['a.ts: class A']],
  ['bash', { command: "cat > a.ts <<'E'\nclass A {\nE" }, ['a.ts: class A']],
  [
    'edit',
    {
      path: 'mise.toml',
      old_string: '[tasks.unit]\nrun = "a"\n[tasks.all]\nrun = "b"',
      new_string: '[tasks.test]\nrun = "c"\n[tasks.ci]\nrun = "d"',
    },
    ['mise.toml: tasks.test.run: "c" · tasks.ci.run: "d"'],
  ],
  ['bash', { command: "sed -i 's/max = 1/max = 2/' a.toml" }, ['a.toml: 1 -> max: 2']],
  [
    'bash',
    {
      command: `cat > /tmp/p.py <<'E'\np='a.ts'\nt=open(p).read()\nt=t.replace("class A {", "class B {")\nopen(p,'w').write(t)\nE\npython3 /tmp/p.py`,
    },
    ['a.ts: class B · -A'],
  ],
  [
    'edit',
    { path: 'a.ts', oldText: 'function Rows() {', newText: 'const Rows = 5;' },
    ['a.ts: Rows = 5'],
  ],
  [
    'edit',
    { path: 'a.ts', oldText: 'const Rows = 5;', newText: 'function Rows() {' },
    ['a.ts: function Rows()'],
  ],
  ['edit', { path: 'a.yml', oldText: 'port: 80 ', newText: 'port:  80' }, ['a.yml: port: 80']],
  [
    'edit',
    { path: 'a.ts', oldText: '  port: 80,', newText: '  port: 81,' },
    ['a.ts: 80 -> port: 81'],
  ],
  ['edit', { path: 'a.ts', oldText: '  port: a,', newText: '  port: b,' }, ['a.ts: port: b']],
  ['edit', { path: 'a.ts', oldText: '  port: a,', newText: '  port: 81,' }, ['a.ts: port: 81']],
  ['edit', { path: 'a.ts', oldText: 'x', newText: '  port: 81,' }, ['a.ts: port: 81']],
  ['edit', { path: 'a.ts', oldText: 'abc()', newText: 'abcd' }, ['a.ts: -']],
  ['edit', { path: 'a.ts', oldText: 'x', newText: 'abcde' }, ['a.ts: abcde']],
  ['edit', { path: 'a.ts', oldText: 'open(path)', newText: '' }, ['a.ts: -']],
  ['edit', { path: 'a.ts', oldText: 'x', newText: '-- + - ++ --' }, ['a.ts: ']],
  [
    'edit',
    { path: 'a.ts', oldText: 'x', newText: 'one();\ntwo(); {\none();\nlots(\nmore()' },
    ['a.ts: one() · two() · lots · …'],
  ],
  [
    'edit',
    {
      path: 'a.md',
      oldText: '# Same',
      newText: '# Same\n## Other\n##### Deep one\n# Ab\n* [X] Done it\n1. [x] Not so',
    },
    ['a.md: Other · [X] Done it'],
  ],
])('%s tells the file and what is new in it', (name, given, told) => {
  expect(changed(name, given)).toEqual(told);
});

test.each([
  "'a'",
  '"a b"',
  '`a`',
  '12',
  '-1.5',
  '+4px',
  'true',
  'false',
  'null',
  'nil',
  'None',
  ':name',
])('%s is a value that is told where it changed', (value) => {
  const edited = (oldText: string, newText: string) =>
    changed('edit', { path: 'a.ts', oldText, newText });
  expect(edited(`  port: ${value},`, '  port: 99,')).toEqual([`a.ts: ${value} -> port: 99`]);
  expect(edited('  port: 99,', `  port: x${value},`)[0]).not.toContain('->');
});

test.each([
  'app.json',
  'a.jsonc',
  'a.yaml',
  'a.toml',
  'a.ini',
  'a.env',
  'a.cfg',
  'a.conf',
  'a.properties',
  '.env',
  'x/.env.local',
  '.eslintrc',
  'x/babelrc.js',
  'config/a.ts',
  'x/configs/a.ts',
  'vite.config.ts',
])('%s holds settings', (path) => {
  const [one] = changed('edit', { path, oldText: '', newText: 'port: a' });
  expect(one).toBe(`${path}: port: a`);
  const [other] = changed('edit', { path, oldText: 'port: a', newText: 'port: b' });
  expect(other).toBe(`${path}: a -> port: b`);
});

test.each([
  'a.jsons',
  'environment.ts',
  'rc.d/a.ts',
  'config.ts',
  'myconfig/a.ts',
  'a.config/b.ts',
])('%s holds none', (path) => {
  const [one] = changed('edit', { path, oldText: 'port: a', newText: 'port: b' });
  expect(one).toBe(`${path}: port: b`);
});

test.each([
  'const a = x(1)',
  'let ab = x(1)',
  "import a from 'a'",
  'alias Some.Name',
  'require some',
  'use some::name',
  'from a import b',
  '"crypto/sha256"',
  'reasoningv1 "example.com/gen/reasoning/v1"',
  'using Some',
  '#include <some>',
  'package some',
  'return some',
  '} some',
  ') some',
  '</some>',
  '// some',
  '/* some',
  '* some',
  '#!/bin/some',
  'for (some)',
  'else some',
  'try some',
  'end some',
])('a line that begins like %j says nothing of the file', (line) => {
  expect(changed('edit', { path: 'a.x', oldText: '', newText: `${line}\nsome.thing()` })).toEqual([
    'a.x: some.thing()',
  ]);
});

test.each([
  'description',
  'instructions',
  'cell_id',
  'edit_mode',
  'mode',
  'encoding',
  'old_text',
  'search',
])('the argument %s is no text of the file', (key) => {
  expect(changed('edit', { path: 'a.ts', [key]: 'class Some {' })[0]).not.toContain('class');
});

test.each([
  'The file /a/b.ts',
  'File created successfully at: /a/b.ts',
  'The file updated successfully to `/a/b.ts`',
  'Successfully wrote /a/b.ts',
  'Successfully replaced text in "/a/b.ts"',
  'so\nSuccessfully edited /a/b.ts',
])('a result names the file that was written: %j', (result) => {
  const edit = call('edit', { search: 'port = 80', replace: 'port = 8080' });
  expect(changesOf(edit, result)[0]?.path).toBe('/a/b.ts');
  expect(changesOf(edit, `and ${result.split('\n').at(-1)}`)).toEqual([]);
});

test.each([
  ['Read', { file_path: 'a.ts' }],
  ['Bash', { command: 'cat a.ts' }],
  ['Grep', { pattern: 'function', path: 'src' }],
  ['Edit', {}],
])('%s changes no file', (name, given) => {
  expect(changesOf(call(name, given))).toEqual([]);
});

test('an edit that defines nothing tells its first new lines, and no import or bracket', () => {
  const content = "import fs from 'node:fs';\n}\nport = 8080\nhost = local\n";
  expect(changed('Write', { file_path: 'app.list', content })).toEqual([
    'app.list: port = 8080 · host = local',
  ]);
});

test('an edit that names no file is of the one that its result names', () => {
  const edit = call('edit', { search: 'port = 80', replace: 'port = 8080' });
  const result =
    'Text replaced. Please review it.\n[File: /app/src/serve.conf (90 lines total)]\n1:port';
  const [one] = changesOf(edit, result);
  expect(one?.path).toBe('/app/src/serve.conf');
  expect(one?.facts.map(told)).toEqual(['80 -> port: 8080']);
  expect(changesOf(edit, 'Text replaced.')).toEqual([]);
  expect(changesOf(call('bash', {}), result)).toEqual([]);
});

test('of a document the new text is read, of code none', () => {
  const [page] = changesOf(
    call('Edit', { file_path: 'docs/a.md', old_string: 'One.', new_string: 'One.\nTwo is new.' }),
  );
  expect(page!.prose).toBe('Two is new.');
  const [source] = changesOf(call('Write', { file_path: 'a.ts', content: 'Two is new.' }));
  expect(source!.prose).toBe('');
});

test('whatever a call holds, a file and what is new in it are single lines of bounded length', () => {
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 200 }),
    fc.constantFrom('x'.repeat(100_000), 'function a('.repeat(9_000), '\n+'.repeat(50_000)),
    fc.constantFrom(
      '*** Update File: \u0000\u2028\n+class A',
      '+++ b/x\n+def y():',
      ' '.repeat(100_000),
    ),
  );
  const given = fc.oneof(
    text,
    fc.record({ file_path: text, old_string: text, new_string: text }),
    fc.record({ path: text, content: fc.oneof(text, fc.array(text, { maxLength: 3 })) }),
  );
  fc.assert(
    fc.property(given, (given) => {
      for (const { path, facts } of changesOf(call('Edit', given)))
        for (const line of [path, ...facts.flatMap(({ name, was, now }) => [name, was, now])])
          expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{0,300}$/);
    }),
    { numRuns: 60 },
  );
});

test.each<readonly [string, string, string, readonly FileFact[]]>([
  [
    'function a() {\n  fetchRow(1);\n}',
    'function a(b) {\n  fetchRow(1);\n}',
    'a.ts',
    [{ name: 'a', was: '', now: 'function a(b)', does: 'fetchRow' }],
  ],
  ['const limit = 4', 'const limit = 5', 'a.ts', [{ name: 'limit', was: '4', now: 'limit = 5' }]],
  [
    'const limit = 4',
    'const limit = 4\nconst most = 2',
    'a.ts',
    [{ name: 'most', was: '', now: 'most = 2' }],
  ],
  ['const limit = 4', 'open(limit)', 'a.ts', [{ name: '', was: '', now: 'open(limit)' }]],
  ['const limit = 4', 'opened(it)', 'a.ts', [{ name: 'limit', was: 'limit', now: '' }]],
  ['one(path)', '', 'a.ts', [{ name: '', was: 'one(path)', now: '' }]],
  ['# One', '# One\n# Two it is', 'a.md', [{ name: 'Two it is', was: '', now: 'Two it is' }]],
  [
    'port: 1\nhost: 2',
    'port: 3\nname: 4',
    'a.yml',
    [
      { name: '.port', was: '1', now: 'port: 3' },
      { name: '.name', was: '', now: 'name: 4' },
    ],
  ],
])('from %j to %j in %s', (...[oldText, newText, path, facts]) => {
  expect(changesOf(call('edit', { path, oldText, newText }))[0]!.facts).toEqual(facts);
});

test.each([
  ['abcde', 'abcde'],
  ['abcd', ''],
  [' abcd ', ''],
  ['a1 b2 c3', ''],
  ['a12 b c', 'a12 b c'],
  ['äöü so', 'äöü so'],
  ['const a = b()', ''],
  ['const abc = b()', 'abc = b()'],
  ['so import x', 'so import x'],
  ['important', 'important'],
  ['iffy (a)', 'iffy (a)'],
  ['forty (a)', 'forty (a)'],
  ['open({[;, (', 'open'],
  [`x${'y'.repeat(89)}`, `x${'y'.repeat(89)}`],
  [`x${'y'.repeat(90)}`, `x${'y'.repeat(88)}…`],
])('of the line %j is told %j', (line, told) => {
  expect(changed('edit', { path: 'a.x', oldText: '', newText: line })).toEqual([`a.x: ${told}`]);
});

test('three lines are told, of the first four hundred that are new, with a mark of more', () => {
  const lines = (blank: number) =>
    changed('edit', {
      path: 'a.x',
      oldText: 'none',
      newText: `${'}\n'.repeat(blank)}one()\ntwo()\nthree()\nfour()`,
    });
  expect(lines(0)).toEqual(['a.x: one() · two() · three() · …']);
  expect(lines(398)).toEqual(['a.x: one() · two()']);
  expect(lines(400)).toEqual(['a.x: ']);
});

test.each([
  ['- [x] Done it', ''],
  ['  * [~] Done it', ''],
  ['12. [ ] Done it', ''],
  ['1) [X] Done it', ''],
  ['1234. [x] Done it', '1234. [x] Done it'],
  ['- [y] Done it', '- [y] Done it'],
  ['-[x] Done it', '-[x] Done it'],
  ['- [x]Done it', '- [x]Done it'],
  ['so - [x] Done it', 'so - [x] Done it'],
  ['+ [x] One\nTwo', 'Two'],
])('of %j in a document is prose: %j', (newText, prose) => {
  expect(changesOf(call('edit', { path: 'a.md', oldText: '', newText }))[0]!.prose).toBe(prose);
});

test.each([
  'The file/a/b.ts',
  'Successfully wrote one of the many /a/b.ts',
  'Successfully read /a/b.ts',
  'File was at /a/b.ts',
  'The file /a/b',
  'The file /a/b.lengthiest',
  'x[File: /a/b.ts (9 lines total)]',
  '[File: /a/b.ts (9 lines)]',
  '[File: /a b.ts (9 lines total)]',
])('%j names no file', (result) => {
  expect(changesOf(call('edit', { search: 'port = 80', replace: 'port = 81' }), result)).toEqual(
    [],
  );
});

test('old and new texts of several edits are read in their order, others as new', () => {
  const edits = [
    { old_text: 'const one = 1', new_text: 'const one = 2' },
    'const two = 2',
    { search: 'const three = 3', replace: 'const three = 3', count: 7 },
  ];
  expect(changed('MultiEdit', { path: 'a.ts', edits })).toEqual(['a.ts: 1 -> one = 2 · two = 2']);
});

test('a long path is cut, and a patch of no path changes none', () => {
  const path = `${'x'.repeat(300)}.ts`;
  expect(changesOf(call('Write', { path, content: 'x' }))[0]!.path).toBe('x'.repeat(300));
  expect(changed('edit', `*** Update File: ${path}\n+const one = 1`)).toEqual([
    `${'x'.repeat(300)}: one = 1`,
  ]);
  expect(changed('edit', '*** Update File: \n+const one = 1')).toEqual([]);
  expect(changed('edit', '+const one = 1')).toEqual([]);
});

test.each([
  ['_ = read(row) // may fail', 'read(row)', 'a.x: read(row)'],
  ['open(row, index, limits)', 'open(\n  row,\n  index, limits)', 'a.x: '],
  ['readRow', 'readRows', 'a.x: readRows · -readRow'],
])('of an edit that keeps a part of %j it is told what stands: %j', (oldText, newText, told) => {
  expect(changed('edit', { path: 'a.x', oldText, newText })).toEqual([told]);
});

test('of an edit that defines nothing conditions are told, and comments that say something, over several lines as one', () => {
  const newText =
    '// wait for the lock of the row\n// so\nif (this.busy) {\n  this.queueItem(x);\n}';
  expect(changed('edit', { path: 'a.ts', oldText: '', newText })).toEqual([
    'a.ts: // wait for the lock of the row so · if (this.busy) · this.queueItem(x)',
  ]);
});

const insides = (patch: string): readonly string[] => changed('apply_patch', patch);

test('a line of a patch stands in the definition that its context shows', () => {
  expect(
    insides(
      '*** Update File: a.ts\n@@\n export function load(id: string) {\n   const row = read(id);\n-  check(row);\n+  check(row, limits);\n   return row;\n }',
    ),
  ).toEqual(['a.ts: in load: check(row, limits)']);
});

test('a line of a patch stands in the definition that the head of its part names', () => {
  expect(
    insides(
      '--- a/a.py\n+++ b/a.py\n@@ -10,3 +10,3 @@ def load(id):\n     row = read(id)\n-    check(row)\n+    check(row, limits)\n@@ -90,2 +90,2 @@\n-    close(row)\n+    close(row, limits)\n--- a/b.py\n+++ b/b.py\n@@ class Pool\n@@   def drop(self):\n-        self.end()\n+        self.end(limits)',
    ),
  ).toEqual([
    'a.py: in load: check(row, limits) · close(row, limits)',
    'b.py: in drop: self.end(limits)',
  ]);
});

test('what a patch shows beside its lines is no news, and no other part is what a line stands in', () => {
  expect(
    insides(
      '*** Update File: a.ts\n@@\n function load() {\n   open(row);\n+  check();\n@@ function drop() {\n   open();\n-  read(row);\n+  open(row);',
    ),
  ).toEqual(['a.ts: in load: check() · in drop: open(row)']);
});

test('a name that a patch takes away is gone from the definition that its context shows', () => {
  const [change] = changesOf(
    call(
      'apply_patch',
      '*** Update File: a.ts\n@@\n function load() {\n-  openFile();\n+  check();',
    ),
  );
  expect(change!.gone).toEqual([{ name: 'openFile', inside: 'load' }]);
});

test('a line of one of several edits stands in no definition of another', () => {
  const edits = [
    { oldText: 'function load() {\n  open();', newText: 'function load() {\n  open(row);' },
    { oldText: '  close();', newText: '  close(row);' },
  ];
  expect(changed('edit', { path: 'a.ts', edits })).toEqual([
    'a.ts: in load: open(row) · close(row)',
  ]);
});

test('of a document no code is read, wherever its fence was', () => {
  const code = (line: string): string => `It runs so:\n\n\`\`\`ts\n${line}\n\`\`\`\n`;
  const given = {
    path: 'docs/plan.md',
    oldText: code('const mode = openMode(one);'),
    newText: `${code('const mode = openMode(two);')}\nThe mode is opened once for each run.`,
  };
  const [change] = changesOf(call('edit', given));
  expect(change!.prose).toContain('The mode is opened once for each run.');
  expect(change!.prose).not.toContain('openMode');
});
