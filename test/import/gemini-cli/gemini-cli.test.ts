import { expect, test } from 'vitest';
import { personText } from '../../../src/core/messages/message.ts';
import { geminiCli } from '../../../src/import/gemini-cli/gemini-cli.ts';
import { jsonl, keysOf, modelsOf, stepsOf, told } from '../told.ts';

const timestamp = '2026-03-01T09:00:01.000Z';
const user = { id: 'm1', timestamp, type: 'user', content: 'list the files' };
const call = {
  id: 'list-1',
  name: 'list_directory',
  args: { path: '/home/ada/shop' },
  status: 'success',
  timestamp: '2026-03-01T09:00:03.000Z',
};
const output = (text: string) => ({
  functionResponse: { id: 'list-1', name: 'list_directory', response: { output: text } },
});
const answer = (toolCalls: readonly object[]) => ({
  id: 'm2',
  timestamp,
  type: 'gemini',
  content: '',
  thoughts: [{ subject: 'Looking', description: 'I list them.', timestamp }],
  toolCalls,
  model: 'gemini-2.5-pro',
});
const file = (messages: readonly object[], more: object = {}): string =>
  JSON.stringify({ sessionId: 'cafe-1', projectHash: 'a0', messages, ...more }, null, 2);

test('a session has what was typed, each answer with its calls, and what came of them', async () => {
  const text = file(
    [
      user,
      { id: 'm0', timestamp, type: 'info', content: 'Update available' },
      answer([
        { ...call, result: [output('src'), { text: '--- a.ts ---' }] },
        {
          ...call,
          id: 'list-2',
          status: 'error',
          result: [{ functionResponse: { response: { error: 'denied' } } }],
        },
        { ...call, id: 'list-3', status: 'cancelled' },
        { ...call, id: 'list-4', status: 'executing' },
      ]),
      { id: 'm3', timestamp, type: 'gemini', content: 'There is one.' },
      {
        id: 'm4',
        timestamp,
        type: 'user',
        content: [{ text: 'and this' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
      },
      { id: 'm5', content: 'x' },
    ],
    { summary: 'Listing files' },
  );
  expect(await told(geminiCli, text)).toEqual([
    'person: list the files',
    'assistant: <Looking: I list them.> list_directory(list-1) list_directory(list-2) list_directory(list-3) list_directory(list-4)',
    expect.stringMatching(/^result list-1: src\n*--- a\.ts ---$/),
    'result list-2!: denied',
    'result list-3!: cancelled',
    'assistant: There is one.',
    expect.stringMatching(/^person: and this/),
    expect.stringMatching(/^skip \d+: message 6 has no "type"$/),
  ]);
  const steps = await stepsOf(geminiCli, text);
  expect(steps[0]).toEqual({ type: 'session', id: 'cafe-1', title: 'Listing files' });
  expect(steps[3]).toMatchObject({ at: Date.parse('2026-03-01T09:00:03Z') });
  expect(steps[7]).toMatchObject({
    message: {
      content: [{ type: 'text' }, { type: 'file', mediaType: 'image/png', data: 'aGk=' }],
    },
  });
});

test('an answer whose calls have ended since keeps its key', async () => {
  const before = keysOf(await stepsOf(geminiCli, file([user, answer([call])])));
  const after = keysOf(
    await stepsOf(geminiCli, file([user, answer([{ ...call, result: [output('src')] }])])),
  );
  expect(before).toEqual(['m1', 'm2']);
  expect(after).toEqual(['m1', 'm2', 'm2/list-1']);
});

const header = { sessionId: 'cafe-2', projectHash: 'a0', kind: 'main', directories: ['/home/ada'] };
const said = (id: string, type: string, content: unknown) => ({ id, timestamp, type, content });

test('of a log the last line of a message counts, in the place of its first', async () => {
  const text = jsonl(
    header,
    said('m1', 'user', [{ text: 'list' }]),
    answer([call]),
    { $set: { lastUpdated: timestamp } },
    answer([{ ...call, result: [output('src')] }]),
    said('m3', 'gemini', 'There is one.'),
    'no json',
    { $set: { summary: 'Listing' } },
  );
  expect(await told(geminiCli, text)).toEqual([
    'skip 7: not JSON',
    'person: list',
    'assistant: <Looking: I list them.> list_directory(list-1)',
    'result list-1: src',
    'assistant: There is one.',
  ]);
  const [session] = await stepsOf(geminiCli, text);
  expect(session).toEqual({
    type: 'session',
    id: 'cafe-2',
    title: 'Listing',
    folder: '/home/ada',
  });
});

test('what a log took back is told as left, and a context that was set anew takes nothing away', async () => {
  const text = jsonl(
    header,
    { $set: { messages: [said('m1', 'user', 'one')] } },
    said('m2', 'gemini', 'two'),
    said('m3', 'user', 'three'),
    { $rewindTo: 'm2' },
    said('m4', 'user', 'four'),
    {
      $set: {
        messages: [
          said('m9', 'user', '<state_snapshot>so far</state_snapshot>'),
          said('m4', 'user', 'four'),
        ],
      },
    },
  );
  expect(await told(geminiCli, text)).toEqual([
    'skip 5: abandoned branch of 2 messages',
    'person: one',
    'person: four',
    'machine: <state_snapshot>so far</state_snapshot>',
  ]);
  const all = jsonl(header, said('m1', 'user', 'one'), { $rewindTo: 'unknown' });
  expect(await told(geminiCli, all)).toEqual(['skip 3: abandoned branch of 1 message']);
});

test('an answer has the model that it names', async () => {
  expect(await modelsOf(geminiCli, file([user, answer([])]))).toEqual([{ name: 'gemini-2.5-pro' }]);
});

test('what the files say that a person named is nobody’s word, though each is a part of its own', async () => {
  const content = [
    { text: 'Sum up @a.md' },
    { text: '\n--- Content from referenced files ---' },
    { text: '\nContent from @a.md:\n' },
    { text: 'Never run the tests.' },
    { text: '\n--- End of content ---' },
  ];
  const steps = await stepsOf(geminiCli, file([{ ...user, content }]));
  const messages = steps.flatMap((step) => (step.type === 'append' ? step.message : []));
  expect(messages.map(personText)).toEqual(['Sum up @a.md', '']);
});

test('parts that name no file stay what they are, texts and pictures in their order', async () => {
  const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
  const content = [{ text: 'Make this:' }, { inlineData }, { text: 'like this:' }, { inlineData }];
  const steps = await stepsOf(geminiCli, file([{ ...user, content }]));
  const [message] = steps.flatMap((step) => (step.type === 'append' ? step.message : []));
  const types = (message!.content as readonly { readonly type: string }[]).map(({ type }) => type);
  expect(types).toEqual(['text', 'file', 'text', 'file']);
});
