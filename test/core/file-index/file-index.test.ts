import { expect, test } from 'vitest';
import { holdingLabel } from '../../../src/core/file-index/holdings.ts';
import { fileEventsIn } from '../../../src/core/file-events/file-events.ts';
import { emptyIndex, withEvents, type FileIndex } from '../../../src/core/file-index/file-index.ts';
import { definedNames } from '../../../src/core/file-index/defined-names.ts';
import { changedFinder } from '../../../src/core/file-index/known-files.ts';
import { printIndex } from '../../../src/core/file-index/file-lines.ts';
import { rankingOf } from '../../../src/core/file-index/file-ranking.ts';
import { atOnce } from '../../../src/core/values/parts.ts';
import { lineMaker } from '../../../src/core/lines/line.ts';
import type { Message } from '../../../src/core/messages/message.ts';
import { frameId } from '../../../src/core/values/id.ts';

// The index of files, of messages that follow one another from e1.

const frame = frameId(0);
const title = 'Files and commands, the most used first; e… show or name them:';
const root = '/home/me/app';
const count = (text: string): number => Math.ceil(text.length / 4);

const person = (content: string): Message => ({ role: 'user', content });
const says = (content: string): Message => ({ role: 'assistant', content });
let calls = 0;
/** A call with its result. */
const call = (
  name: string,
  given: Readonly<Record<string, unknown>>,
  result = 'ok',
): readonly Message[] => {
  const id = `c${(calls += 1)}`;
  return [
    { role: 'assistant', content: '', toolCalls: [{ id, name, arguments: given }] },
    { role: 'tool', toolCallId: id, content: result },
  ];
};
const write = (file_path: string, content: string): readonly Message[] =>
  call('Write', { file_path, content });
const edit = (file_path: string, old_string: string, new_string: string): readonly Message[] =>
  call('Edit', { file_path, old_string, new_string });

/** The index of compressions, each of which takes some messages; what the model says makes a line. */
function indexOf(...compressions: readonly (readonly Message[])[]): FileIndex {
  let [index, n] = [emptyIndex, 0];
  for (const [at, messages] of compressions.entries()) {
    const entries = messages.map((message) => ({ n: (n += 1), message }));
    const lines = entries.flatMap(({ n: place, message }) =>
      message.role === 'assistant' && typeof message.content === 'string' && message.content !== ''
        ? [lineMaker(count)({ n: place, turn: 0, kind: 'said', text: message.content, worth: 1 })]
        : [],
    );
    const known = definedNames(index, frame);
    index = withEvents(
      index,
      fileEventsIn(entries, {
        lines,
        known,
        wasChanged: changedFinder(index, { frame, root }),
        count,
      }),
      { frame, root, at },
    );
  }
  return index;
}

const printed = (
  index: FileIndex,
  { room = 1_000, beside = '' }: { room?: number; beside?: string } = {},
): string => {
  const ranking = rankingOf(index, { beside, now: 3, part: atOnce });
  return printIndex(ranking, { room, count }).replace(`${title}\n`, '');
};

test('what an edit takes out is held no more, a local variable and a key are nothing of the file', () => {
  const text = 'const (\n\tdelayMost = 30\n)\n\nfunc count(rows int) int {\n\treturn 1\n}\n';
  const read = call('Read', { file_path: 'src/a.go' }, text);
  const held = (...changes: readonly (readonly Message[])[]): readonly string[] =>
    indexOf([...read, ...changes.flat()]).files[0]!.holds.map(({ name }) => name);
  expect(held()).toEqual(['delayMost', 'count']);
  expect(held(edit('src/a.go', '\tdelayMost = 30\n', ''))).toEqual(['count']);
  expect(held(edit('src/a.go', '\tcount = 4\n', ''))).toContain('count');
  expect(held(edit('src/a.go', '    delayMost: 3,\n', ''))).toContain('delayMost');
});

test('a plan that is read again says nothing new of a file that was changed since', () => {
  const text = 'plan.md: `src/hash.ts` - Add a limit to each of its rows';
  const remarks = (isChanged: boolean): number => {
    const entries = call('Read', { file_path: 'plan.md' }, text).map((message, at) => ({
      n: at + 1,
      message,
    }));
    const lines = [lineMaker(count)({ n: 2, turn: 0, kind: 'read', text, worth: 1 })];
    const given = { lines, known: [], wasChanged: () => isChanged, count };
    return fileEventsIn(entries, given).filter(({ type }) => type === 'remarked').length;
  };
  expect([remarks(false), remarks(true)]).toEqual([1, 0]);
  const changed = indexOf(edit(`${root}/src/hash.ts`, 'a', 'b'));
  const wasChanged = changedFinder(changed, { frame, root });
  expect([wasChanged('src/hash.ts'), wasChanged('src/salt.ts')]).toEqual([true, false]);
});

test('a page names no file of the work, a document of it does', () => {
  const paths = (name: string): readonly string[] => {
    const entries = call(name, { path: 'docs/plan.md' }, 'See `src/hash.ts` for it.').map(
      (message, at) => ({ n: at + 1, message }),
    );
    const text = 'plan.md: See `src/hash.ts` for it.';
    const lines = [lineMaker(count)({ n: 2, turn: 0, kind: 'read', text, worth: 1 })];
    return fileEventsIn(entries, { lines, known: [], wasChanged: () => false, count }).flatMap(
      (event) => (event.type === 'named' ? event.path : []),
    );
  };
  expect(paths('Read')).toEqual(['src/hash.ts']);
  expect(paths('WebFetch')).toEqual([]);
});

test('a file stands once, by its path from the root, with what edits brought and where', () => {
  const index = indexOf(
    write(`${root}/src/hash.ts`, 'export function hashPassword(plain: string) {\n}'),
    edit('src/hash.ts', 'x', 'export class Hasher {\n}'),
  );
  expect(printed(index)).toBe(
    '- src/hash.ts (new, changed e1 e3): hashPassword(plain: string); class Hasher',
  );
});

test('a head that is shown without its body takes away nothing of what the function does', () => {
  const head = 'func openRow(id string) {';
  const index = indexOf(
    write('src/rows.go', `${head}\n\treadRow(id)\n}\n`),
    call('Bash', { command: 'sed -n 1p src/rows.go' }, head),
  );
  expect(printed(index)).toBe('- src/rows.go (new e1, read e4): openRow(id string) (readRow)');
});

test('what a later edit takes away no longer stands, nor what a failed one would have brought', () => {
  const failed = call(
    'Edit',
    { file_path: 'src/a.ts', old_string: 'x', new_string: 'class Never {' },
    'Error: not found',
  );
  const index = indexOf([
    ...write('src/a.ts', 'function first(a) {\n}\nfunction second(b) {\n}'),
    ...edit('src/a.ts', 'function first(a) {\n}', ''),
    ...failed,
  ]);
  expect(printed(index)).toBe('- src/a.ts (new, changed e1 e3): second(b)');
});

test('a file that is written anew holds what was written, one that is changed what it has now', () => {
  const index = indexOf(write('src/a.ts', 'function first(a) {\n}'), [
    ...write('src/a.ts', 'function other() {\n}'),
    ...edit('src/a.ts', 'function other() {', 'function other(c) {'),
  ]);
  expect(printed(index)).toBe('- src/a.ts (new, changed e3 e5): other(c)');
});

test('a file that was read tells first what is spoken of', () => {
  const shown =
    '1\tclass Store {\n2\t  load(id: string): Row {\n3\t}\n4\tfunction closeStore(now: boolean) {';
  const index = indexOf([
    ...call('Read', { file_path: `${root}/src/store.ts` }, shown),
    says('The leak is in closeStore().'),
    person('then look at closeStore again'),
  ]);
  expect(printed(index, { room: 56 })).toBe(
    '- src/store.ts (read e2): closeStore(now: boolean); load(id: string): Row; also Store',
  );
});

test('two ways of telling a path are one file', () => {
  const index = indexOf([
    ...call('Read', { path: `${root}/src/a.ts` }, 'class A {'),
    ...edit('app/src/a.ts', 'x', 'class B {'),
    ...edit('./src/a.ts', 'x', 'class C {'),
  ]);
  expect(index.files.map(({ path }) => path)).toEqual(['src/a.ts']);
});

test('what a function does is told until an edit takes it out; what its comment says stays', () => {
  const load = (body: string): string =>
    `/** Loads a row by id. */\nfunction load(id) {\n${body}\n}\n`;
  const save = 'function save(row) {\n  openFile(row);\n}\n';
  const file = write('a.ts', `${load('  openFile(id);')}${save}`);
  const within = edit('a.ts', load('  openFile(id);'), load('  readRow(id);'));
  expect(printed(indexOf(file))).toBe(
    '- a.ts (new e1): save(row) (openFile); load(id) (Loads a row by id. openFile)',
  );
  expect(printed(indexOf(file, within))).toBe(
    '- a.ts (new, changed e1 e3): load(id) (Loads a row by id. readRow); save(row) (openFile)',
  );
  const anywhere = edit('a.ts', '  openFile(id);', '  readRow(id);');
  expect(printed(indexOf(file, anywhere))).toBe(
    '- a.ts (new, changed e1 e3): save(row); load(id) (Loads a row by id)',
  );
});

test('a file that is moved keeps what it holds, one that is taken away says so', () => {
  const index = indexOf([
    ...write('src/hash.ts', 'class Hasher {'),
    ...write('src/old/b.ts', 'class Old {'),
    ...call('Bash', { command: 'cd src && git mv hash.ts core/ && rm -rf old' }),
  ]);
  expect(printed(index).split('\n').sort()).toEqual([
    '- src/core/hash.ts (was src/hash.ts, new, changed e1 e5): class Hasher',
    '- src/old/b.ts (deleted e5)',
  ]);
});

test('what was said of a file before it was moved is told of it where it is, in the next compression, too', () => {
  const move = call('Bash', { command: 'git mv src/hash.ts src/core/hasher.ts' });
  const said = says('`src/hash.ts` — hashes each key with a salt');
  const told =
    '- src/core/hasher.ts (was src/hash.ts, new, changed e1 e4): hashes each key with a salt (e3); class Hasher';
  const index = indexOf([...write('src/hash.ts', 'class Hasher {'), said, ...move]);
  expect(printed(index)).toBe(told);
  const later = says('It was as `src/hash.ts` had it, and so are all the keys');
  const next = indexOf([...write('src/hash.ts', 'class Hasher {'), said, ...move], [later]);
  expect(printed(next)).toBe(told);
});

test('what was said of a file that was moved is of it, and not of what stands in its place; what is said of its path later is of that', () => {
  const [hash, salt] = [
    write('src/hash.ts', 'class Hasher {'),
    write('src/salt.ts', 'class Salt {'),
  ];
  const said = says('`src/hash.ts` — holds one key for each person');
  const bash = (command: string): readonly Message[] => call('Bash', { command });
  const swap = bash('mv src/hash.ts src/a.ts && mv src/salt.ts src/hash.ts');
  expect(
    printed(indexOf([...hash, ...salt, said, ...swap]))
      .split('\n')
      .sort(),
  ).toEqual([
    '- src/a.ts (was src/hash.ts, new, changed e1 e6): holds one key for each person (e5); class Hasher',
    '- src/hash.ts (was src/salt.ts, new, changed e3 e6): class Salt',
  ]);
  const anew = [...bash('rm src/hash.ts'), ...write('src/hash.ts', 'class Key {')];
  expect(printed(indexOf([...hash, said, ...anew]))).not.toContain('for each person');
  const move = bash('git mv src/hash.ts src/core.ts');
  const gone = says('`src/hash.ts` — is gone, since nothing needs its name');
  expect(printed(indexOf([...hash, ...move], [gone]))).not.toContain('is gone');
  expect(printed(indexOf([...hash, said, ...move, gone]))).toContain('for each person (e3)');
  const other = [
    ...write('src/hash.ts', 'class Key {'),
    says('`src/hash.ts` — names the keys alone'),
  ];
  expect(printed(indexOf([...hash, ...move, ...other]))).toContain(
    'src/hash.ts (new e5): names the',
  );
});

test('what was planned for a file that was moved may be done', () => {
  const plan = says('Files to move: `src/hash.ts` → src/core/, where all hashes are');
  const file = write('src/hash.ts', 'class Hasher {');
  expect(printed(indexOf([...file, plan]))).toContain('planned in e3');
  const move = call('Bash', { command: 'git mv src/hash.ts src/core/hash.ts' });
  expect(printed(indexOf([...file, plan], move))).not.toContain('planned');
});

test('an edit that moves a file, and a tool that does, move it', () => {
  const file = write('src/hash.ts', 'class Hasher {');
  const patch =
    '*** Begin Patch\n*** Update File: src/hash.ts\n*** Move to: src/core/hash.ts\n@@\n-class Hasher {\n+class Hash {\n*** End Patch';
  const moved = '- src/core/hash.ts (was src/hash.ts, new, changed';
  expect(printed(indexOf([...file, ...call('apply_patch', { input: patch })]))).toBe(
    `${moved} e1 e3): class Hash`,
  );
  const given = { source: `${root}/src/hash.ts`, destination: `${root}/src/core/hash.ts` };
  expect(printed(indexOf([...file, ...call('mcp__files__move_file', given)]))).toBe(
    `${moved} e1 e3): class Hasher`,
  );
  const [asked, result] = call('mcp__files__move_file', given) as [Message, Message];
  const failed = [asked, { ...result, isError: true } as Message];
  expect(printed(indexOf([...file, ...failed]))).toBe('- src/hash.ts (new e1): class Hasher');
});

test('a script that moves a file and edits it does both in their order', () => {
  const file = write('src/hash.ts', 'class Hasher {');
  const moveThenEdit =
    "git mv src/hash.ts src/core.ts && sed -i 's/class Hasher {/class Hash {/' src/core.ts";
  expect(printed(indexOf([...file, ...call('Bash', { command: moveThenEdit })]))).toMatch(
    /^- src\/core\.ts \(was src\/hash\.ts, new, changed e1 e3\)/,
  );
  const writeThenMove = "cat > draft.ts <<'E'\nclass Draft {\nE\nmv draft.ts src/draft.ts";
  expect(printed(indexOf(call('Bash', { command: writeThenMove })))).toBe(
    '- src/draft.ts (was draft.ts, new e1): class Draft',
  );
});

const commit = (...said: readonly string[]): readonly Message[] =>
  call(
    'Bash',
    { command: 'git add -A && git commit -m "Sort"' },
    `[main 1ef554d] Sort\n${said.join('\n')}`,
  );

test('a file is moved, taken away and made where git says so of a commit', () => {
  const index = indexOf([
    ...write('src/old/hash.ts', 'class Hasher {'),
    ...write('src/basket.ts', 'class Basket {'),
    ...write('src/pay.ts', 'class Pay {'),
    ...commit(
      ' rename src/{old => }/hash.ts (100%)',
      ' delete mode 100644 src/basket.ts',
      ' create mode 100644 src/gone.lock',
      ' create mode 100755 src/start.sh',
      ' create mode 100644 src/pay.ts',
      ' rename src/unknown.ts => src/known.ts (91%)',
    ),
  ]);
  expect(printed(index).split('\n').sort()).toEqual([
    '- src/basket.ts (deleted e8)',
    '- src/gone.lock new e8, src/start.sh new e8',
    '- src/hash.ts (was src/old/hash.ts, new, changed e1 e8): class Hasher',
    '- src/pay.ts (new e5): class Pay',
  ]);
});

test('what git says in the end of a commit that went on counts, too', () => {
  const index = indexOf([
    ...write('src/basket.ts', 'class Basket {'),
    ...call(
      'exec_command',
      { cmd: 'git commit -am "Sort"' },
      'Process running with session ID 7\n',
    ),
    ...call(
      'write_stdin',
      { session_id: 7 },
      '[main 1ef554d] Sort\n delete mode 100644 src/basket.ts',
    ),
  ]);
  expect(printed(index)).toBe('- src/basket.ts (deleted e6)');
});

test('what a file holds stays where git says later that it came from another', () => {
  const index = indexOf([
    ...write('src/old.ts', 'class Old {\nclass Hasher {'),
    ...write('src/hash.ts', 'class Hasher {'),
    ...call('Bash', { command: 'rm src/old.ts' }),
    ...commit(' rename src/old.ts => src/hash.ts (91%)', ' delete mode 100644 src/old.ts'),
  ]);
  expect(printed(index)).toBe('- src/hash.ts (was src/old.ts, new, changed e3 e8): class Hasher');
});

test('what was taken away is told once, and where git says that it is elsewhere, it is', () => {
  const index = indexOf([
    ...write('src/basket.ts', 'class Basket {'),
    ...write('src/old.ts', 'class Old {'),
    ...call('Bash', { command: 'rm src/basket.ts src/old.ts' }),
    ...commit(' delete mode 100644 src/basket.ts', ' rename src/old.ts => src/hash.ts (91%)'),
  ]);
  expect(printed(index).split('\n').sort()).toEqual([
    '- src/basket.ts (deleted e5)',
    '- src/hash.ts (was src/old.ts, moved e5 e8)',
  ]);
});

test('files of a commit that moved many stand where they are now, told from the root of the work', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const index = indexOf([
    ...call('Read', { file_path: `${root}/package.json` }, '{}'),
    ...names.flatMap((name) => write(`${root}/src/${name}.ts`, `export const ${name}Limit = 7;`)),
    ...call(
      'Bash',
      { command: 'git commit -m Move' },
      [
        '[main 1a2b3c4] Move',
        ...names.map((name) => ` rename app/{src => lib}/${name}.ts (100%)`),
      ].join('\n'),
    ),
  ]);
  expect(index.files.map(({ path, was }) => [path, was])).toEqual([
    ['package.json', ''],
    ...names.map((name) => [`lib/${name}.ts`, '']),
  ]);
});

test('what is said of a file stands with it; a file that is only listed does not', () => {
  const index = indexOf([
    ...write('src/hash.ts', 'x'),
    ...call('Bash', { command: 'ls src' }, 'src/hash.ts\nsrc/other.ts'),
    ...call('Grep', { pattern: 'x', path: 'src' }, 'src/third.ts:12: const x = 4'),
    says('`hash.ts` - password hashing with argon2id'),
  ]);
  expect(printed(index)).toBe('- src/hash.ts (new e1): password hashing with argon2id (e7)');
});

test('what is said of a file stands with the entry that says it, once', () => {
  const index = indexOf([
    says('`src/hash.ts` - password hashing with argon2id'),
    says('Nothing else uses src/hash.ts as yet, so it may go.'),
  ]);
  expect(printed(index)).toBe('- src/hash.ts (told in e1): password hashing with argon2id');
});

test('commands that check stand with what came out last, once they ran twice', () => {
  const index = indexOf([
    ...call('Bash', { command: 'npm run check 2>&1 | tail -5' }, 'Found 3 errors.'),
    ...call('Bash', { command: 'npm run check' }, 'Tests  12 passed (12)'),
    ...call('Bash', { command: 'npm run build' }),
    ...call('Bash', { command: 'ls test src' }),
    ...call('Bash', { command: 'ls test src' }),
  ]);
  expect(printed(index)).toBe('- `npm run check`: Tests 12 passed (12), e4');
});

test('what is told elsewhere is not told again, but that there is more, and of a file that is told nothing stands', () => {
  const index = indexOf([
    ...write('src/a.ts', 'class First {\n}\nclass Second {\n}'),
    ...write('src/b.ts', 'class Third {'),
  ]);
  const beside = 'e1 changed src/a.ts (+ class First)\ne3 changed src/b.ts (+ class Third)';
  expect(printed(index, { beside })).toBe('- src/a.ts (new e1): class Second; …');
});

test('files of which nothing is told stand by folder: what the work opened, what was named', () => {
  const index = indexOf([
    ...write('src/auth/hash.ts', 'x'),
    ...call('Read', { file_path: 'src/db/rows.ts' }, 'x'),
    ...call('Bash', { command: 'cat package.json' }, '{}'),
    person('please look at src/auth/salt.ts'),
    says('It goes from src/auth/hash.ts to src/db/pool.ts.'),
    ...call('Bash', { command: 'ls src/web' }, 'src/web/never.ts'),
  ]);
  expect(printed(index)).toBe(
    [
      '- src/: auth/hash.ts new e1, auth/salt.ts e7, db/rows.ts e4, db/pool.ts e8',
      '- package.json e6',
    ].join('\n'),
  );
});

test('a folder that most paths lie in is told once', () => {
  const far = '/home/me/other/packages/core';
  const index = indexOf(
    ['a', 'b', 'c'].flatMap((name) => write(`${far}/${name}.ts`, `class Some${name} {`)),
  );
  expect(printed(index)).toBe(
    [
      `Files and commands, the most used first; e… show or name them; …/ is ${far}/:`,
      '- …/a.ts (new e1): class Somea',
      '- …/b.ts (new e3): class Someb',
      '- …/c.ts (new e5): class Somec',
    ].join('\n'),
  );
});

test('a folder that one told path lies in is not told by itself', () => {
  const far = '/home/me/other/packages/core';
  const index = indexOf(
    ['a', 'b', 'c'].flatMap((name) => write(`${far}/${name}.ts`, `class Some${name} {`)),
  );
  const beside = `${far}/a.ts class Somea ${far}/b.ts class Someb`;
  expect(printed(index, { beside })).toBe(`- ${far}/c.ts (new e5): class Somec`);
  expect(printed(index, { beside: `${far}/a.ts class Somea` })).toContain(`…/ is ${far}/:`);
});

test('a field of a file that was only read stands behind its functions', () => {
  const shown =
    'class Chat {\n  private editorContainer: Container;\n  submitText(text: string) {\n';
  const index = indexOf([...call('Read', { file_path: 'src/chat.ts' }, shown)]);
  expect(printed(index)).toBe(
    '- src/chat.ts (read e2): submitText(text: string); class Chat; editorContainer: Container',
  );
});

test('the row of a table stands with a file where it states something', () => {
  const index = indexOf([
    says('`src/find.ts` | 27-46 | CreateFindCommand constant and overview'),
    says('`src/save.ts` | 12-20 | rows are written in one transaction'),
    says('Existing tables of sessions: the sessions table (src/table.sql)'),
  ]);
  expect(printed(index)).toBe(
    [
      '- src/save.ts (told in e2): rows are written in one transaction',
      '- src/find.ts e1, src/table.sql e3',
    ].join('\n'),
  );
});

test('what is printed fits the room', () => {
  const index = indexOf(
    Array.from({ length: 40 }, (_, file) =>
      write(`src/file-${file}.ts`, `class Name${file} {\n}\nfunction make${file}(value) {\n}`),
    ).flat(),
  );
  for (const room of [0, 30, 100, 400, 1_000])
    expect(count(printed(index, { room }))).toBeLessThanOrEqual(room);
});

test('files of another frame stay as they are', () => {
  const index = indexOf(write('src/a.ts', 'class A {'));
  const other = withEvents(index, [{ type: 'read', path: 'src/a.ts', n: 9, facts: [] }], {
    frame: frameId(1),
    root,
    at: 1,
  });
  expect(other.files.find((file) => file.frame === frame)).toEqual(index.files[0]);
  expect(other.files).toHaveLength(2);
});

test('what is spoken of are the names that files hold, in the order of the log', () => {
  const messages = [says('loadRows() calls openStore() and otherName().'), person('openStore()?')];
  const entries = messages.map((message, index) => ({ n: index + 1, message }));
  const known = ['openStore', 'neverSaid', 'loadRows', 'openStore'];
  const [spoken] = fileEventsIn(entries, { lines: [], known, wasChanged: () => false, count });
  expect(JSON.stringify(spoken)).toBe('{"type":"spoken","names":{"loadRows":1,"openStore":2}}');
});

test('a name is spoken of by people and by the model, not by what tools print', () => {
  const shown = 'function closeStore(now: boolean) {\nfunction openStore(now: boolean) {';
  const of = (...more: readonly Message[]): readonly string[] => {
    const index = indexOf([...call('Read', { input: '`src/store.ts`' }, shown), ...more]);
    return index.files[0]!.holds.map(({ name, score }) => `${name} ${score}`);
  };
  const told = ['closeStore 0.58', 'openStore 0.3'];
  expect(of(says('The leak is in closeStore().'))).toEqual(told);
  expect(of(person('The leak is in closeStore().'))).toEqual(told);
  expect(of(...call('Bash', { command: 'echo closeStore' }, 'closeStore()'))[0]).toBe(
    'closeStore 0.3',
  );
});

test('a name that every object has is counted as any other', () => {
  const shown = 'function toString(now: boolean) {';
  const { files } = indexOf([
    ...call('Read', { path: 'src/a.ts' }, shown),
    says('The leak is in toString().'),
  ]);
  expect(files[0]!.holds.map(({ name, score }) => `${name} ${score}`)).toEqual(['toString 0.58']);
});

test('of one text sixty definitions are taken, of which forty-eight stay', () => {
  const text = Array.from({ length: 70 }, (_, n) => `function step${n}(a) {`).join('\n');
  const names = ['step0', 'step59', 'step60'];
  const { holds } = indexOf(call('Read', { path: 'src/a.ts' }, text)).files[0]!;
  expect(holds).toHaveLength(48);
  const spoken = person(`${names.join('(), ')}()`);
  const index = indexOf([...call('Read', { path: 'src/a.ts' }, text), spoken]);
  const known = new Set(index.files[0]!.holds.map(({ name }) => name));
  expect(names.map((name) => known.has(name))).toEqual([true, false, false]);
});

test('a bare name is that of the only file known by it where that was used lately, and no file’s later', () => {
  const opened = call('Read', { file_path: `${root}/src/auth/config.ts` }, 'const limits = {}');
  const told = says('`config.ts` reads the limits from the environment because they differ.');
  const other = [call('Read', { file_path: `${root}/src/b.ts` }, 'const b = 1')].flat();
  expect(printed(indexOf(opened, other, [told]))).toContain('reads the limits from');
  expect(printed(indexOf(opened, other, other, other, [told]))).not.toContain('reads the limits');
  const rooted = call('Read', { file_path: `${root}/config.ts` }, 'const limits = {}');
  expect(printed(indexOf(rooted, other, other, other, [told]))).toContain('reads the limits from');
});

test('where there is little room a test gives way to what it tests', () => {
  const test = 'fn opens_twice() {\n    assert_eq!(open(1), open(2));\n}\n';
  const code = 'fn open(row: u8) -> bool {\n    readRow(row)\n}';
  const index = indexOf(write('src/a.rs', `${test}${code}`));
  expect(printed(index)).toContain('opens_twice');
  const short = printed(index, { room: 60 });
  expect(short).toContain('open(row: u8) -> bool');
  expect(short).not.toContain('assert');
});

test('a setting stands with its block, and has the value of an edit that does not show the block', () => {
  const text = 'zram:\n  enable: true\n  percent: 50\nswap:\n  enable: false\n';
  const read = call('Read', { file_path: 'host.yml' }, text);
  const whole = '- host.yml (read e2): zram.enable: true; .percent: 50; swap.enable: false';
  expect(printed(indexOf(read))).toBe(whole);
  const edited = indexOf([...read, ...edit('host.yml', '  percent: 50', '  percent: 60')]);
  expect(printed(edited)).toBe(
    '- host.yml (changed e3): zram.percent: 60; .enable: true; swap.enable: false',
  );
  // Two of them may be meant, and a reading shows which.
  const either = [...read, ...edit('host.yml', '  enable: true', '  enable: yes')];
  expect(printed(indexOf(either))).toContain('(changed e3): enable: yes; zram.enable: true;');
  expect(printed(indexOf([...either, ...read]))).not.toContain(': enable');
});

test.each([
  [
    'YAML',
    'jobs.yml',
    'load:\n  queue: memory\n  depth: 3\nsave:\n  queue: disk\n',
    '  queue: memory\n',
  ],
  [
    'JSON',
    'jobs.json',
    '{\n  "load": {\n    "queue": "memory",\n    "depth": 3\n  },\n  "save": {\n    "queue": "disk"\n  }\n}\n',
    '    "queue": "memory",\n',
  ],
  [
    'TOML',
    'jobs.toml',
    '[load]\nqueue = "memory"\ndepth = 3\n\n[save]\nqueue = "disk"\n',
    'queue = "memory"\n',
  ],
])(
  'a setting that an edit takes out is gone, one of its name in another block is not: %s',
  (_, path, ...[text, line]) => {
    const read = call('Read', { file_path: path }, text);
    const taken = printed(indexOf([...read, ...edit(path, line, '')])).replaceAll('"', '');
    expect(taken).toBe(`- ${path} (changed e3): load.depth: 3; save.queue: disk`);
  },
);

test('a setting that an edit takes out of another block leaves the one that is known', () => {
  const read = call('Read', { file_path: 'jobs.yml' }, 'save:\n  queue: disk\n');
  const edited = (old: string) => printed(indexOf([...read, ...edit('jobs.yml', old, '')]));
  expect(edited('  queue: memory\n')).toContain('save.queue: disk');
  expect(edited('load:\n  queue: disk\n')).toContain('save.queue: disk');
  // A block that is shown says which it is, whatever its value was.
  expect(edited('save:\n  queue: memory\n')).not.toContain('queue');
});

test('what a commit left says nothing of a file that was read', () => {
  const read = call('Read', { file_path: 'a.ts' }, 'export const pots = 3;');
  const show = (what: string): readonly Message[] =>
    call('Bash', { command: `git ${what}` }, '+++ b/a.ts\n@@ -1 +1 @@\n+export const pots = 2;\n');
  expect(printed(indexOf([...read, ...show('show 1a2b3c4')]))).toBe('- a.ts (read e2): pots = 3');
  expect(printed(indexOf([...read, ...show('diff')]))).toBe('- a.ts (read e4): pots = 2');
  expect(printed(indexOf(show('show 1a2b3c4')))).toBe('- a.ts (read e2): pots = 2');
});

test('the name of a setting is not told without its value', () => {
  const set = (at: number): string => `  retries${at}: "${'word '.repeat(8)}${at}"\n`;
  const text = `limits:\n${[1, 2, 3, 4, 5, 6].map(set).join('')}`;
  const index = indexOf(call('Read', { file_path: 'a.yml' }, text));
  for (let room = 60; room < 180; room += 10) expect(printed(index, { room })).not.toMatch(/also/);
  const code = indexOf(
    call('Read', { file_path: 'a.ts' }, text.replace(/^ +/gm, 'const ').replaceAll(':', ' =')),
  );
  expect(printed(code, { room: 100 })).toMatch(/also retries\d/);
});

test('a setting that is spoken of by its last name stands first, in the same compression and later', () => {
  const text = 'limits:\n  longestWait: 3\n  mostRetries: 4\n';
  const read = call('Read', { file_path: 'a.yml' }, text);
  const spoken = says('The value of `mostRetries` is too low.');
  const told = '- a.yml (read e2): limits.mostRetries: 4; .longestWait: 3';
  expect(printed(indexOf([...read, spoken]))).toBe(told);
  expect(printed(indexOf(read, [spoken]))).toBe(told);
});

test('a setting whose block is never shown costs no more each time', () => {
  const change = (to: number): readonly Message[] => edit('a.yml', '  port: 0', `  port: ${to}`);
  const cost = (...all: readonly (readonly Message[])[]): number =>
    indexOf(all.flat()).files[0]!.holds[0]!.tokens;
  expect(cost(change(1), change(2), change(3))).toBe(cost(change(1)));
});

test('a name in capitals in a file of settings stands once, with its block', () => {
  const read = call('Read', { file_path: 'a.yml' }, 'env:\n  PORT: 8080\n');
  expect(printed(indexOf(read))).toBe('- a.yml (read e2): env.PORT: 8080');
});

test('what was planned for a file is told until it is changed', () => {
  const plan = says('`src/a.ts` — Add a limit to each of its rows');
  const read = call('Read', { file_path: 'src/a.ts' }, 'class Pool {');
  expect(printed(indexOf([...read, plan]))).toContain('planned in e3: Add a limit');
  const done = [...read, plan, ...edit('src/a.ts', 'class Pool {', 'class Pool extends Rows {')];
  expect(printed(indexOf(done))).not.toContain('planned');
  const change = edit('src/a.ts', 'class Pool {', 'class Pool extends Rows {');
  expect(printed(indexOf([...read, plan], change))).not.toContain('planned');
  const atOnce = change.map((one) => (one.role === 'assistant' ? { ...one, ...plan } : one));
  expect(printed(indexOf([...read, ...atOnce]))).not.toContain('planned');
});

test('a plan that a person turned down says nothing of a file, a fact beside it does', () => {
  const read = call('Read', { file_path: 'src/a.ts' }, 'class Pool {');
  const plan = says('`src/a.ts` — Add a limit to each of its rows');
  const fact = says('`src/a.ts` — keeps all rows that are open');
  const refused = person('No, rows need no limit');
  expect(printed(indexOf([...read, plan, person('Fine')]))).toContain('planned in e3: Add');
  expect(printed(indexOf([...read, plan, refused]))).not.toContain('limit');
  expect(printed(indexOf([...read, fact, refused]))).toContain('keeps all rows');
  // It may have left the window before.
  expect(printed(indexOf([...read, plan], [refused]))).not.toContain('limit');
  expect(printed(indexOf([...read, fact], [refused]))).toContain('keeps all rows');
  const before = [...read, person('No, rows need no limit'), plan];
  expect(printed(indexOf(before))).toContain('planned in e4: Add');
});

test('what the report of a planner says of a file is planned, of another it is so', () => {
  const reported = (subagent_type: string): string => {
    const messages = [
      ...call('Read', { file_path: 'src/a.ts' }, 'class Pool {'),
      ...call('Task', { subagent_type, prompt: 'Look' }, '`src/a.ts` — limits for all its rows'),
    ];
    const entries = messages.map((message, at) => ({ n: at + 1, message }));
    const text = '`src/a.ts` — limits for all its rows';
    const lines = [lineMaker(count)({ n: 4, turn: 0, kind: 'read', text, worth: 1 })];
    const given = { lines, known: [], wasChanged: () => false, count };
    return fileEventsIn(entries, given)
      .flatMap((event) => (event.type === 'remarked' ? [event.fact.text] : []))
      .join();
  };
  expect(reported('Plan')).toBe('planned in e4: limits for all its rows');
  expect(reported('Explore')).toBe('limits for all its rows');
});

test('a name that says its value stands without it', () => {
  const values = ['roleUser = "user"', 'mostRows = 2_000', 'isOpen = false'].map(
    (one) => `export const ${one};`,
  );
  const index = indexOf([...write('src/a.ts', values.join('\n'))]);
  const holding = (name: string) => index.files[0]!.holds.find((one) => one.name === name)!;
  expect(holdingLabel(holding('roleUser'))).toBe('roleUser');
  expect(holdingLabel(holding('isOpen'))).toBe('isOpen');
  expect(holdingLabel(holding('mostRows'))).toBe('mostRows = 2_000');
});

test('what was made and taken away again, and shown by nothing, leaves no trace', () => {
  const made = [
    ...write('src/pay.ts', 'class Pay {'),
    ...commit(' create mode 100644 log/run.txt'),
  ];
  expect(printed(indexOf(made))).toContain('log/run.txt');
  const index = indexOf([
    ...made,
    ...commit(' delete mode 100644 log/run.txt', ' delete mode 100644 src/pay.ts'),
  ]);
  expect(printed(index)).toBe('- src/pay.ts (deleted e6)');
});

test('of a file outside the work less is told than of one inside', () => {
  const read = (file_path: string): readonly Message[] =>
    call('Read', { file_path }, 'export function sortRows(rows: Row[]): Row[] {\n');
  const index = indexOf([...read(`${root}/src/rows.ts`), ...read('/opt/lib/rows.ts')]);
  const scores = index.files.map(({ path, holds }) => [path, holds[0]!.score]);
  expect(scores).toEqual([
    ['src/rows.ts', 0.3],
    ['/opt/lib/rows.ts', 0.06],
  ]);
});
