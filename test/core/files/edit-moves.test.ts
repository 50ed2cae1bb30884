import { expect, test } from 'vitest';
import { movesOfCall } from '../../../src/core/files/edit-moves.ts';
import type { ToolCall } from '../../../src/core/messages/message.ts';

const move = { from: 'src/a.ts', to: 'src/b.ts' };
const patch = '*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-x\n+y\n';

test.each<readonly [string, ToolCall['arguments']]>([
  ['apply_patch', patch],
  ['apply_patch', { input: patch.replaceAll('\n', '\r\n') }],
  ['shell', { command: ['apply_patch', `*** Begin Patch\n${patch}*** End Patch`] }],
  ['move_file', { source: './src/a.ts', destination: 'src/b.ts' }],
  ['mcp__files__rename', { old_path: 'src/a.ts', new_path: 'src/b.ts' }],
  ['renameFile', { path: 'src/a.ts', newPath: 'src/b.ts' }],
])('%s with %j moves a file', (name, args) => {
  expect(movesOfCall({ name, arguments: args })).toEqual([move]);
});

test.each<readonly [string, ToolCall['arguments']]>([
  ['apply_patch', '*** Update File: src/a.ts\n@@\n+*** Move to: src/b.ts\n'],
  ['apply_patch', '*** Add File: src/a.ts\n+x'],
  ['move_file', { source: 'src/a.ts' }],
  ['remove_file', { source: 'src/a.ts', destination: 'src/b.ts' }],
  ['rename_symbol', { path: 'src/a.ts', to: 'load' }],
  ['rename', { from: 'load', to: 'read' }],
  ['rename', { path: 'src/a.ts', to: 'load' }],
  ['move_file', { path: 'src/a.ts', destination: '' }],
])('%s with %j moves none', (name, args) => {
  expect(movesOfCall({ name, arguments: args })).toEqual([]);
});
