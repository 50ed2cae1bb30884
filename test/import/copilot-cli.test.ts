import { expect, test } from 'vitest';
import { copilotCli } from '../../src/import/copilot-cli.ts';
import { jsonl, keysOf, modelsOf, stepsOf, told } from './told.ts';

const start = {
  type: 'session.start',
  data: { sessionId: 'cafe-1', version: 1, context: { cwd: '/home/ada/shop', branch: 'main' } },
  id: 'a',
  timestamp: '2026-03-01T09:00:00.000Z',
  parentId: null,
};
let n = 0;
const event = (type: string, data: object) => ({
  type,
  data,
  id: `id-${(n += 1)}`,
  timestamp: '2026-03-01T09:00:01.000Z',
  parentId: 'a',
});

test('a log has what was typed, each answer with its calls, and what came of them', async () => {
  const file = jsonl(
    start,
    event('session.info', { infoType: 'folder_trust', message: 'trusted' }),
    event('user.message', { content: 'fix the parser', transformedContent: '<x>fix</x>' }),
    event('assistant.turn_start', { turnId: '0' }),
    event('assistant.message', {
      content: 'I look.',
      reasoningText: 'Where is it?',
      toolRequests: [
        { toolCallId: 'c1', name: 'bash', arguments: { command: 'ls' } },
        { toolCallId: 'c2', name: 'view', arguments: { path: 'no.ts' } },
      ],
    }),
    event('tool.execution_start', { toolCallId: 'c1', toolName: 'bash' }),
    event('tool.execution_complete', {
      toolCallId: 'c1',
      success: true,
      result: { content: 'parse.ts', detailedContent: 'parse.ts\nmore' },
    }),
    event('tool.execution_complete', {
      toolCallId: 'c2',
      success: false,
      error: { message: 'Path does not exist' },
    }),
    event('assistant.message', { content: '', toolRequests: [] }),
    event('session.title_changed', { title: 'Mend the parser' }),
    'no json',
  );
  expect(await told(copilotCli, file)).toEqual([
    'person: fix the parser',
    'assistant: <Where is it?> I look. bash(c1) view(c2)',
    'result c1: parse.ts',
    'result c2!: Path does not exist',
    'skip 11: not JSON',
  ]);
  const [session, typed] = await stepsOf(copilotCli, file);
  expect(session).toEqual({
    type: 'session',
    id: 'cafe-1',
    folder: '/home/ada/shop',
    branch: 'main',
    title: 'Mend the parser',
  });
  expect(typed).toMatchObject({ at: Date.parse('2026-03-01T09:00:01Z') });
});

test('a command that exits with another status than 0 failed, and a compaction leaves its summary', async () => {
  const ended = (id: string, content: string) =>
    event('tool.execution_complete', { toolCallId: id, success: true, result: { content } });
  const file = jsonl(
    start,
    event('assistant.message', {
      content: 'I run it.',
      toolRequests: ['c1', 'c2'].map((toolCallId) => ({ toolCallId, name: 'bash', arguments: {} })),
    }),
    ended('c1', 'no such unit\n<shellId: 1 completed with exit code 4>'),
    ended('c2', 'all fine\n<shellId: 2 completed with exit code 0>'),
    event('session.compaction_complete', { success: true, summaryContent: 'The pool leaked.' }),
    event('session.compaction_complete', { success: false }),
  );
  expect((await told(copilotCli, file)).slice(1)).toEqual([
    'result c1!: no such unit\n<shellId: 1 completed with exit code 4>',
    'result c2: all fine\n<shellId: 2 completed with exit code 0>',
    expect.stringMatching(/^machine: <conversation_summary>\nThe pool leaked\./),
  ]);
});

test('a log that has grown keeps its keys', async () => {
  const lines = [start, event('user.message', { content: 'a' })];
  const before = keysOf(await stepsOf(copilotCli, jsonl(...lines)));
  const after = keysOf(
    await stepsOf(copilotCli, jsonl(...lines, event('user.message', { content: 'b' }))),
  );
  expect(before).toHaveLength(1);
  expect(after.slice(0, 1)).toEqual(before);
});

test('an answer has the model that it names', async () => {
  const file = jsonl(start, event('assistant.message', { content: 'yes', model: 'gpt-5' }));
  expect(await modelsOf(copilotCli, file)).toEqual([{ name: 'gpt-5' }]);
});

test('what the host says in the user role, by where it says that it comes from, is no person’s', async () => {
  const skill =
    '<skill-context name="deploy">\nBase directory for this skill: /opt/skills/deploy\n\nNever push tags.\n</skill-context>';
  const file = jsonl(
    start,
    event('user.message', { content: 'ship it', source: 'user' }),
    event('user.message', { content: skill, source: 'skill-deploy' }),
    event('user.message', { content: '', source: 'system' }),
    event('user.message', { content: 'Never push tags.', source: 'instruction-discovery' }),
  );
  expect(await told(copilotCli, file)).toEqual([
    'person: ship it',
    `machine: ${skill}`,
    'machine: Never push tags.',
  ]);
});
