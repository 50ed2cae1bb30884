import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readHistory } from '../../../tools/eval/history.ts';
import { normalScript } from '../../../tools/eval/normal.ts';
import { newFolder } from '../../store/folder.ts';

const call = { id: 'c1', name: 'read', args: { path: 'src/tree.ts' } };

const session = [
  { id: 's:0', role: 'user', content: 'Read the tree.' },
  { id: 's:1', role: 'assistant', content: 'I read.', toolCalls: [call] },
  { id: 's:2', role: 'tool', toolCallId: 'c1', toolName: 'read', content: 'No.', isError: true },
  { id: 's:3', role: 'user', origin: 'command', content: 'Ran `ls`' },
  { id: 's:4', role: 'user', content: '<task-notification>done</task-notification>' },
  { id: 's:5', role: 'assistant', content: 'It is not there.' },
];

async function fileOf(lines: readonly object[], name = 'session.jsonl'): Promise<string> {
  const path = join(await newFolder(), name);
  await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  return path;
}

test('a file in normal form is read message by message, with who said what', async () => {
  const { format, entries, skipped } = await readHistory(await fileOf(session));
  expect([format, skipped]).toEqual(['normal', 0]);
  expect(entries.map(({ role, place, isHuman }) => [role, place, isHuman])).toEqual([
    ['user', 0, true],
    ['assistant', 1, false],
    ['tool', 2, false],
    ['user', 3, false],
    ['user', 4, false],
    ['assistant', 5, false],
  ]);
  expect(entries[1]!.calls).toEqual([
    { id: 'c1', name: 'read', arguments: { path: 'src/tree.ts' } },
  ]);
  expect(entries[2]).toMatchObject({ answers: 'c1', tool: 'read', isError: true });
});

test.each([
  ['chat messages', [{ role: 'user', content: 'Go' }], 'a.jsonl'],
  ['a script of our own', [{ type: 'flamestack', version: 1 }, session[0]!], 'a.jsonl'],
  ['a line that is none', [...session, { type: 'summary' }], 'a.jsonl'],
  ['another kind of file', session, 'a.json'],
])('%s is for the importers', async (_name, lines, name) => {
  expect(await normalScript(await fileOf(lines, name))).toBeNull();
});
