import { expect, test } from 'vitest';
import { readHistory } from '../../../tools/eval/history.ts';
import { assistant, call, fileOf, historyOf, pop, push, result, user } from './session.ts';

test('a file is read as its importer reads it: messages, frames and goal in their order', async () => {
  const history = await historyOf(
    [
      user('Go'),
      { type: 'goal', description: 'Build the app' },
      push('Login'),
      assistant('I read.', call('c1', 'read', { path: 'a.ts' })),
      result('c1', 'text'),
      pop('Login works.'),
      { type: 'plan', title: 'Docs', criteria: 'written', name: 'docs' },
      user('a note', 'machine'),
    ],
    { system: 'Be careful.' },
  );
  expect(history).toMatchObject({ format: 'flamestack', title: 'A test', frames: 2, skipped: 0 });
  expect(
    history.steps.map((step) =>
      step.type === 'move'
        ? step.move.type
        : `${step.entry.place} ${step.entry.role} ${step.entry.frame}${step.entry.isHuman ? ' human' : ''}`,
    ),
  ).toEqual([
    '0 system ',
    '1 user f0 human',
    'goal.set',
    'frame.pushed',
    '2 assistant f1',
    '3 tool f1',
    'frame.popped',
    'frame.planned',
    '4 user f0',
  ]);
  expect(history.entries[2]).toMatchObject({
    content: 'I read.',
    text: 'I read.\nread {"path":"a.ts"}',
    calls: [{ id: 'c1', name: 'read' }],
  });
});

test('what follows the last move is read to its end', async () => {
  const history = await historyOf([user('Go'), assistant('', call('c1', 'read')), user('Stop')]);
  expect(history.entries.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('ids that a file leaves out are filled in, and the message stays as it was', async () => {
  const history = await historyOf([
    user('Go'),
    {
      type: 'append',
      message: { role: 'assistant', content: '', toolCalls: [{ name: 'read', arguments: {} }] },
    },
    { type: 'append', message: { role: 'tool', name: 'read', content: 'text' } },
  ]);
  const [, asked, answer] = history.entries;
  expect(asked!.calls[0]!.id).toBeDefined();
  expect(answer!.answers).toBe(asked!.calls[0]!.id);
  expect(answer!.message).toEqual({ role: 'tool', name: 'read', content: 'text' });
});

test('a message costs its text, its calls and 4, 8 and 1,000 for itself, each call and each file', async () => {
  const image = { type: 'file', data: 'AAAA', mediaType: 'image/png' };
  const history = await historyOf([
    user('one two'),
    assistant('', call('c1', 'read', { path: 'a' })),
    {
      type: 'append',
      message: { role: 'user', content: [{ type: 'text', text: 'one two' }, image] },
    },
  ]);
  // read {"path":"a"} has 6 tokens.
  expect(history.entries.map(({ tokens }) => tokens)).toEqual([6, 18, 1_006]);
});

test('goal markers of the file are left to the method', async () => {
  const history = await historyOf([user('Go'), assistant('[GOAL] Build the app')]);
  expect(history.steps.every(({ type }) => type === 'entry')).toBe(true);
});

test('a file that is none is refused as an import would', async () => {
  await expect(readHistory('/nowhere/at/all')).rejects.toMatchObject({
    code: 'IMPORT_SOURCE_UNREADABLE',
  });
  const stop = AbortSignal.abort(new Error('enough'));
  await expect(readHistory(await fileOf([user('Go')]), { signal: stop })).rejects.toThrow('enough');
});
