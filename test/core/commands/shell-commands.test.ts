import { expect, test } from 'vitest';
import { commandsIn, leavesOf, shellText } from '../../../src/core/commands/shell-commands.ts';
import { isEdit, pathArgument } from '../../../src/core/commands/edit-calls.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';

const call = (name: string, args: ToolCall['arguments']): ToolCall => ({
  id: 'k',
  name,
  arguments: args,
});
const commands = (command: string) => commandsIn(call('bash', { command }));

test.each([
  [
    'npm test && npm run lint; cargo build | tee log.txt',
    ['npm test', 'npm run lint', 'cargo build', 'tee log.txt'],
  ],
  ['npm run lint 2>&1 > out.txt', ['npm run lint']],
  ['npm run lint >> out.txt 2> err.txt', ['npm run lint']],
  ['cd src && echo "a b c d" && sleep 100 && grep -n foo', []],
  [`npm run "a && b" 'c; d'`, [`npm run "a && b" 'c; d'`]],
  ['npm run a\\;b', ['npm run a\\;b']],
  [`npm run "open && still`, [`npm run "open && still`]],
  ['npm run first\nnpm run second', ['npm run first', 'npm run second']],
  ['  # build it\nnpm run first', ['npm run first']],
  ['npm run first\n  # npm run no', ['npm run first']],
  ["npm run first\ncat <<'E'\nnpm run no\nE", ['npm run first']],
  ['npm-test', []],
  ['npm run a & npm run b', ['npm run a & npm run b']],
  ['make it', []],
  ['npm run a || npm run b', ['npm run a', 'npm run b']],
  [`npm run "it's; a" b`, [`npm run "it's; a" b`]],
  [`npm run 'a' && npm run "b"`, [`npm run 'a'`, 'npm run "b"']],
  ['npm run a;; npm run b', ['npm run a', 'npm run b']],
  ['npm run first\rnpm run second', ['npm run first', 'npm run second']],
  ['\n npm run first\n', ['npm run first']],
  ['> out.txt npm run lint', ['npm run lint']],
  ['npm run lint >out.txt', ['npm run lint']],
  ['npm run lint &> out.txt', ['npm run lint']],
  ['npm run lint 1> out.txt b', ['npm run lint b']],
  ['npm run lint 3> out.txt', ['npm run lint 3> out.txt']],
  ['npm run cat all', ['npm run cat all']],
  ['category of all', ['category of all']],
  ['grep -v foobar && grep foobar a.ts', ['grep foobar a.ts']],
  ['grep -nv foobar', []],
  ['make all', ['make all']],
])('the commands of %j', (text, expected) => {
  expect(commands(text)).toEqual(expected);
});

test('a command has 8 to 160 characters', () => {
  expect(commands(`npm ${'x'.repeat(156)}`)).toHaveLength(1);
  expect(commands(`npm ${'x'.repeat(157)}`)).toEqual([]);
  expect(commands('npm run')).toEqual([]);
});

test('a part of at most 400 characters is read, and of a line 4,000', () => {
  const part = (length: number): string => `npm run lint > ${'x'.repeat(length - 15)}`;
  expect(commands(part(400))).toEqual(['npm run lint']);
  expect(commands(part(401))).toEqual([]);
  const line = (length: number): string => `${'x'.repeat(length - 15)}; npm run lint!`;
  expect(commands(line(4_000))).toEqual(['npm run lint!']);
  expect(commands(line(4_001))).toEqual(['npm run lint']);
});

test.each(['rebash', 'a_run', 'bash_x', 'runs', 'x:shell'])('%s runs none', (name) =>
  expect(shellText(call(name, 'npm test'))).toBe(''),
);

test.each([
  [['bash', 'x-c', 'npm test'], `bash x-c 'npm test'`],
  [['bash', '-cx', 'npm test'], `bash -cx 'npm test'`],
  [['bash', '-c', 'npm test', 'more'], 'npm test'],
  [['echo', 'a"b', 'a b', 'a\tb', 'ab'], `echo 'a"b' 'a b' 'a\tb' ab`],
  [[4, '-c', 'npm test'], 'npm test'],
  [['ls'], 'ls'],
  [[], ''],
])('the shell text of the words %j', (command, expected) => {
  expect(shellText(call('bash', { command }))).toBe(expected);
});

test('of several fields the command comes before the cmd, and that before the script', () => {
  const [command, cmd, script] = ['a', 'b', 'c'];
  expect(shellText(call('bash', { script, cmd, command }))).toBe('a');
  expect(shellText(call('bash', { script, cmd }))).toBe('b');
});

test.each(['bash', 'Shell', 'mcp__x__run_command', 'functions.exec_command', 'run_terminal_cmd'])(
  '%s runs a shell text',
  (name) => expect(shellText(call(name, { cmd: 'npm test' }))).toBe('npm test'),
);

test('a shell text is a string, a field of several names, or words as a shell is given them', () => {
  expect(shellText(call('bash', 'npm test'))).toBe('npm test');
  expect(shellText(call('bash', { script: 'npm test' }))).toBe('npm test');
  expect(shellText(call('bash', { command: ['bash', '-lc', 'npm test'] }))).toBe('npm test');
  expect(shellText(call('bash', { command: ['sh', '-c', 'npm test'] }))).toBe('npm test');
  expect(shellText(call('bash', { command: ['git', 'commit', '-m', "it's done", 3] }))).toBe(
    `git commit -m 'it'\\''s done'`,
  );
  expect(shellText(call('bashful', { command: 'npm test' }))).toBe('');
  expect(shellText(call('bash', {}))).toBe('');
});

test('leaves are lines without keys, as many as there is room for', () => {
  expect(leavesOf({ a: 'one', b: [2, { c: true, d: null }], e: undefined }, 100)).toBe(
    'one\n2\ntrue',
  );
  expect(leavesOf(['abc', 'def'], 5)).toBe('abc\nd');
  expect(leavesOf(['abc', 'def'], 4)).toBe('abc');
  expect(leavesOf('abc', 0)).toBe('');
  const deep = (depth: number): unknown => (depth === 0 ? 'x' : [deep(depth - 1)]);
  expect(leavesOf(deep(16), 9)).toBe('x');
  expect(leavesOf(deep(17), 9)).toBe('');
});

test.each([
  ['Edit', {}, true],
  ['multi_edit', {}, true],
  ['MultiEdit', {}, true],
  ['apply_patch', '*** Begin Patch', true],
  ['write_file', {}, true],
  ['editor', { command: 'view' }, true],
  ['text_tool', { command: 'str_replace' }, true],
  ['text_tool', { command: 'str_replaced' }, false],
  ['text_tool', { command: 'view' }, false],
  ['read', {}, false],
  ['rewrite', 'create', false],
  ['text_tool', { command: 'create' }, true],
  ['text_tool', { command: 'insert' }, true],
  ['text_tool', { command: 'recreate' }, false],
  ['text_tool', { command: 4 }, false],
  ['text_tool', 'insert', false],
  ['ApplyPatch', '', true],
  ['NotebookEdit', {}, true],
  ['notebook_edit', {}, true],
  ['search_replace', {}, true],
  ['do_insert', {}, false],
])('whether %s with %j changes a file: %s', (name, args, expected) => {
  expect(isEdit(call(name, args))).toBe(expected);
});

test.each(['file_path', 'filePath', 'path', 'filename', 'target_file', 'notebook_path', 'file'])(
  'a file is named by %s',
  (key) => expect(pathArgument(call('edit', { other: 'x', [key]: 'a.ts' }))).toBe('a.ts'),
);

test('no file is named by a patch, nor by what is no text', () => {
  expect(pathArgument(call('apply_patch', '*** Add File: a.ts'))).toBeUndefined();
  expect(pathArgument(call('edit', { path: 3, file: 'a.ts' }))).toBe('a.ts');
  expect(pathArgument(call('edit', {}))).toBeUndefined();
});
