import { expect, test } from 'vitest';
import { commandsIn, leavesOf, shellText } from '../../../src/core/commands/shell-commands.ts';
import { isEdit, pathGiven } from '../../../src/core/commands/edit-calls.ts';
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
  ['npm run first\nnpm run second', ['npm run first']],
  ['npm-test', []],
  ['npm run a & npm run b', ['npm run a & npm run b']],
  ['make it', []],
  ['make all', ['make all']],
])('the commands of %j', (text, expected) => {
  expect(commands(text)).toEqual(expected);
});

test('a command has 8 to 160 characters', () => {
  expect(commands(`npm ${'x'.repeat(156)}`)).toHaveLength(1);
  expect(commands(`npm ${'x'.repeat(157)}`)).toEqual([]);
  expect(commands('npm run')).toEqual([]);
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
])('whether %s with %j changes a file: %s', (name, args, expected) => {
  expect(isEdit(call(name, args))).toBe(expected);
});

test.each(['file_path', 'filePath', 'path', 'filename', 'target_file', 'notebook_path', 'file'])(
  'a file is named by %s',
  (key) => expect(pathGiven(call('edit', { other: 'x', [key]: 'a.ts' }))).toBe('a.ts'),
);

test('no file is named by a patch, nor by what is no text', () => {
  expect(pathGiven(call('apply_patch', '*** Add File: a.ts'))).toBeUndefined();
  expect(pathGiven(call('edit', { path: 3, file: 'a.ts' }))).toBe('a.ts');
  expect(pathGiven(call('edit', {}))).toBeUndefined();
});
