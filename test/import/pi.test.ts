import { expect, test } from 'vitest';
import { pi } from '../../src/import/pi.ts';
import { jsonl, keysOf, modelsOf, stepsOf, told } from './told.ts';

const time = '2026-01-02T03:04:05.000Z';
const text = (value: string) => [{ type: 'text', text: value }];
const user = (content: string) => ({ role: 'user', content: text(content) });
const says = (content: string) => ({
  role: 'assistant',
  content: text(content),
  stopReason: 'stop',
});
const v1 = (message: unknown) => ({ type: 'message', timestamp: time, message });
const session = { type: 'session', id: 'ab12-cd', timestamp: time, cwd: '/w' };

test('a version 1 file is told line by line', async () => {
  const file = jsonl(
    session,
    v1(user('read it')),
    v1({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'reading' },
        { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' }, partialJson: '{' },
      ],
      stopReason: 'toolUse',
    }),
    v1({
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'read',
      content: text('A'),
      isError: false,
    }),
    { type: 'thinking_level_change', thinkingLevel: 'off' },
    { type: 'compaction', summary: 'so far', firstKeptEntryIndex: 1, tokensBefore: 9 },
    v1({ role: 'bashExecution', command: 'ls', output: 'a\nb', exitCode: 0 }),
    v1({ role: 'assistant', content: [], stopReason: 'aborted' }),
    v1({
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c2', name: 'bash', arguments: {} }],
      stopReason: 'aborted',
    }),
    v1({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'so' }],
      stopReason: 'aborted',
    }),
  );
  expect(await told(pi, file)).toEqual([
    'person: read it',
    'assistant: <hm> reading read(c1)',
    'result c1: A',
    'machine: Ran `ls` (exit 0)\na\nb',
    'assistant: bash(c2)',
    'assistant: <so>',
  ]);
  expect((await stepsOf(pi, file))[0]).toEqual({ type: 'session', id: 'ab12-cd', folder: '/w' });
});

test('a message keeps its arguments, its time and why it ended', async () => {
  const [, step] = await stepsOf(
    pi,
    jsonl(
      session,
      v1({
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a' } }],
        stopReason: 'toolUse',
      }),
    ),
  );
  expect(step).toEqual({
    type: 'append',
    message: {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'c', name: 'read', arguments: { path: 'a' } }],
      finish: 'toolUse',
    },
    key: expect.stringMatching(/^2-[0-9a-f]{12}$/) as string,
    line: 2,
    at: Date.parse(time),
  });
});

test('a version 2 file tells hook messages as machine text', async () => {
  const file = jsonl(
    { ...session, version: 2 },
    { ...v1(user('go')), id: 'a', parentId: null },
    {
      ...v1({ role: 'hookMessage', customType: 'x', content: 'lint failed' }),
      id: 'b',
      parentId: 'a',
    },
  );
  expect(await told(pi, file)).toEqual(['person: go', 'machine: lint failed']);
});

const entry = (id: string, parentId: string | null, rest: object) => ({
  id,
  parentId,
  timestamp: time,
  ...rest,
});
const said = (id: string, parentId: string | null, message: unknown) =>
  entry(id, parentId, { type: 'message', message });

const tree = jsonl(
  { ...session, version: 3 },
  said('s', null, { role: 'system', sections: ['You are careful.', { text: 'Work in /w.' }] }),
  said('a', 's', user('start')),
  said('b', 'a', says('left one')),
  said('c', 'b', user('left two')),
  said('d', 'c', says('left three')),
  entry('l', 'd', { type: 'label', label: 'x' }),
  said('e', 'b', user('other branch')),
  entry('m', 'a', { type: 'branch_summary', fromId: 'e', summary: 'tried' }),
  said('f', 'm', says('kept')),
  entry('g', 'f', { type: 'custom_message', customType: 'note', content: text('careful now') }),
  entry('h', 'g', { type: 'session_info', name: 'The plan' }),
  said('i', 'h', { role: 'system', content: 'Now be brief.' }),
);

test('a version 3 file is told along the branch in use', async () => {
  expect(await told(pi, tree)).toEqual([
    'person: start',
    'skip 4: abandoned branch of 4 messages',
    'assistant: kept',
    'machine: careful now',
    'machine: Now be brief.',
  ]);
  expect((await stepsOf(pi, tree))[0]).toEqual({
    type: 'session',
    id: 'ab12-cd',
    folder: '/w',
    system: 'You are careful.\n\nWork in /w.',
    title: 'The plan',
  });
});

test('the session has the newest of the titles that Oh My Pi gives it', async () => {
  const titleOf = async (...lines: readonly object[]) =>
    (await stepsOf(pi, jsonl(...lines)))[0] as { readonly title?: string };
  const first = { type: 'title', v: 1, title: 'Use x not y' };
  const talk = [session, said('a', null, user('start'))];
  expect(await titleOf(first, ...talk)).toMatchObject({ id: 'ab12-cd', title: 'Use x not y' });
  const renamed = { type: 'title', title: 'Use z' };
  expect(await titleOf(first, ...talk, renamed)).toMatchObject({ title: 'Use z' });
  const blank = { type: 'title', title: ' ' };
  expect(await titleOf(...talk, first, blank)).toMatchObject({ title: 'Use x not y' });
  expect(await titleOf({ type: 'note', title: 'No' }, ...talk)).not.toHaveProperty('title');
});

test('each branch that was left is one skip', async () => {
  const file = jsonl(
    session,
    said('a', null, user('start')),
    said('b', 'a', says('one')),
    said('c', 'a', says('two')),
    said('d', 'c', says('two more')),
    entry('e', 'a', { type: 'model_change', modelId: 'm' }),
    said('f', 'a', says('three')),
  );
  expect(await told(pi, file)).toEqual([
    'person: start',
    'skip 3: abandoned branch of 1 message',
    'skip 4: abandoned branch of 2 messages',
    'assistant: three',
  ]);
});

test('a broken line is a skip, and those after it go on from the one before it', async () => {
  const file = jsonl(
    session,
    said('a', null, user('start')),
    '{"type":"message","id":"b","parentId":"a","mess',
    said('c', 'b', says('on')),
    '[]',
    { type: 'message', id: 'd', parentId: 'c' },
    said('e', 'd', { role: 'wizard', content: '' }),
    said('f', 'e', { role: 'user' }),
    said('c', 'c', says('again')),
    '',
    said('g', 'f', user('end')),
  );
  expect(await told(pi, file)).toEqual([
    'person: start',
    'skip 3: not JSON',
    'assistant: on',
    'skip 5: not a JSON object',
    'skip 6: has no "message"',
    'skip 7: its message has the unknown role "wizard"',
    'skip 8: its message has no "content"',
    'skip 9: repeats line 4',
    'person: end',
  ]);
});

test('keys stay when the file grows', async () => {
  const short = keysOf(await stepsOf(pi, jsonl(session, v1(user('a')), v1(user('a')))));
  const long = keysOf(
    await stepsOf(pi, jsonl(session, v1(user('a')), v1(user('a')), v1(user('b')))),
  );
  expect(long.slice(0, 2)).toEqual(short);
  expect(new Set(long).size).toBe(3);
});

test('an image of a person is a file, and a reminder beside typed text is not typed', async () => {
  const content = [
    ...text('<system-reminder>x</system-reminder>'),
    ...text('look'),
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  ];
  const steps = await stepsOf(pi, jsonl(session, said('a', null, { role: 'user', content })));
  expect(steps.slice(1).map((step) => step.type === 'append' && [step.key, step.message])).toEqual([
    ['a:0', { role: 'user', content: '<system-reminder>x</system-reminder>', origin: 'machine' }],
    [
      'a:1',
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'file', mediaType: 'image/png', data: 'AAAA' },
        ],
      },
    ],
  ]);
});

test('an answer has the model that it names, and who serves it', async () => {
  const file = jsonl(
    session,
    v1({ ...says('yes'), model: 'claude-opus-4-5', provider: 'anthropic' }),
    v1(says('no')),
  );
  expect(await modelsOf(pi, file)).toEqual([
    { name: 'claude-opus-4-5', provider: 'anthropic' },
    undefined,
  ]);
});
