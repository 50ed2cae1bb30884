import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openai } from '../../src/import/openai.ts';
import { jsonl, keysOf, stepsOf, told } from './told.ts';

const call = (id: string, name: string, given: string) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});

const chat = [
  { role: 'system', content: 'Be careful.' },
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      call('c1', 'read', '{"path":"a]\\"}"}'),
      call('c2', 'bash', 'ls -la'),
      call('c3', 'list', '[1]'),
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'A' },
  { role: 'tool', tool_call_id: 'c9', content: 'nobody asked' },
  { role: 'developer', content: 'Be brief.' },
  { role: 'assistant', content: '', function_call: { name: 'old', arguments: '{}' } },
  { role: 'function', name: 'old', content: 'legacy' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'image_url', image_url: { url: 'https://example.org/b.png' } },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'seen' }], reasoning_content: 'hm' },
];

const lines = [
  'person: go',
  'assistant: read(c1) bash(c2) list(c3)',
  'result c1: A',
  'result c9: nobody asked',
  'machine: Be brief.',
  'assistant: old()',
  'result old: legacy',
  'person: see',
  'assistant: <hm> seen',
];

test.each([
  ['an array on one line', JSON.stringify(chat)],
  ['an indented array', JSON.stringify(chat, null, 2)],
  [
    'an object with messages',
    JSON.stringify({ model: 'm', messages: chat, tools: [{ a: ['x'] }] }),
  ],
  [
    'an indented object with messages',
    JSON.stringify({ tools: [{ role: 'user' }], messages: chat }, null, 2),
  ],
  ['one message per line', jsonl(...chat)],
])('%s is told', async (_, text) => {
  expect(await told(openai, text)).toEqual(lines);
  expect((await stepsOf(openai, text))[0]).toMatchObject({ system: 'Be careful.' });
});

test('only the first of several prompts is the system prompt', async () => {
  const prompts = [{ role: 'system', content: 'one' }, { role: 'system', content: 'two' }, chat[1]];
  expect((await stepsOf(openai, JSON.stringify(prompts)))[0]).toMatchObject({ system: 'one' });
  expect(await told(openai, JSON.stringify(prompts))).toEqual(['machine: two', 'person: go']);
});

test('arguments are an object where they parse to one, and else the text as it came', async () => {
  const step = (await stepsOf(openai, JSON.stringify(chat)))[2];
  expect(step).toMatchObject({
    message: {
      toolCalls: [
        { id: 'c1', name: 'read', arguments: { path: 'a]"}' } },
        { id: 'c2', name: 'bash', arguments: 'ls -la' },
        { id: 'c3', name: 'list', arguments: '[1]' },
      ],
    },
  });
});

test('calls and results are taken as our own messages have them, too', async () => {
  const lines = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'bash', args: { a: 1 } }] },
    { role: 'tool', toolCallId: 'c1', content: 'no', isError: true },
  ];
  const steps = await stepsOf(openai, lines.map((line) => JSON.stringify(line)).join('\n'));
  expect(steps[2]).toMatchObject({
    message: { toolCalls: [{ id: 'c1', name: 'bash', arguments: { a: 1 } }] },
  });
  expect(steps[3]).toMatchObject({ message: { toolCallId: 'c1', isError: true } });
});

test('images become files', async () => {
  const step = (await stepsOf(openai, JSON.stringify(chat)))[8];
  expect(step).toMatchObject({
    message: {
      content: [
        { type: 'text', text: 'see' },
        { type: 'file', mediaType: 'image/png', data: 'AAAA' },
        { type: 'file', mediaType: 'image/*', data: 'https://example.org/b.png' },
      ],
    },
  });
});

test('a chat without an id is known by its beginning, however it is written and however it grows', async () => {
  const idOf = async (text: string): Promise<string> => {
    const [session] = await stepsOf(openai, text);
    return session?.type === 'session' ? session.id : '';
  };
  const id = await idOf(JSON.stringify(chat));
  expect(await idOf(JSON.stringify(chat.slice(0, 3), null, 2))).toBe(id);
  expect(await idOf(jsonl(...chat))).toBe(id);
  expect(await idOf(JSON.stringify(chat.slice(1)))).not.toBe(id);
  expect(await idOf(JSON.stringify({ id: 'chat/7', messages: chat }))).toBe('chat-7');
});

test('keys do not depend on how the array is written, and stay when it grows', async () => {
  const keys = keysOf(await stepsOf(openai, JSON.stringify(chat)));
  expect(keysOf(await stepsOf(openai, JSON.stringify(chat, null, 3)))).toEqual(keys);
  expect(keysOf(await stepsOf(openai, JSON.stringify(chat.slice(0, 6))))).toEqual(keys.slice(0, 5));
  expect(new Set(keys).size).toBe(keys.length);
});

test('a broken message is one skip with its line', async () => {
  const array =
    '[\n{"role":"user","content":"go"},\n{"role":"assistant","content":oops},\n{"role":"user","content":"on"},\n{"content":"x"},\n"y"\n]\nmore';
  expect(await told(openai, array)).toEqual([
    'person: go',
    'skip 3: message 2 is not JSON',
    'person: on',
    'skip 5: has no "role"',
    'skip 6: message 5 is not a JSON object',
    'skip 8: stands after the end of the document',
  ]);
  const perLine = jsonl(
    chat[1],
    '{"role":"user","content":',
    { role: 'wizard', content: '' },
    chat[3],
  );
  expect(await told(openai, perLine)).toEqual([
    'person: go',
    'skip 2: not JSON',
    'skip 3: has the unknown role "wizard"',
    'result c1: A',
  ]);
});

test('an array that was cut short is read up to the cut', async () => {
  const whole = JSON.stringify(chat, null, 1);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 60, max: whole.length - 1 }), async (length) => {
      const cut = await told(openai, whole.slice(0, length));
      expect(cut.at(-1)).toMatch(/^skip \d+: (cut off before its end|the array is not closed)$/);
      expect(lines.slice(0, cut.length - 1)).toEqual(cut.slice(0, -1));
    }),
  );
});

test('a transcript of Cursor has what was typed, when, and the calls of each answer', async () => {
  const typed = (text: string) => ({
    role: 'user',
    message: { content: [{ type: 'text', text }] },
  });
  const steps = await stepsOf(
    openai,
    jsonl(
      typed(
        '<timestamp>Wednesday, Aug 5, 2026, 7:16 PM (UTC+5:30)</timestamp>\n<open_files>a.ts</open_files>\n<user_query>\nhash with argon2id\n</user_query>',
      ),
      {
        role: 'assistant',
        message: {
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', name: 'Read', input: { path: 'a.ts' } },
          ],
        },
      },
    ),
  );
  const appended = steps.filter((step) => step.type === 'append');
  expect(appended.map(({ message }) => message)).toEqual([
    { role: 'user', content: '<open_files>a.ts</open_files>', origin: 'machine' },
    { role: 'user', content: 'hash with argon2id' },
    {
      role: 'assistant',
      content: 'I look.',
      toolCalls: [{ name: 'Read', arguments: { path: 'a.ts' } }],
    },
  ]);
  expect(appended[1]?.at).toBe(Date.parse('2026-08-05T13:46:00Z'));
});

test('a message that says nothing is a skip, not an empty entry', async () => {
  expect(
    await told(openai, jsonl({ role: 'user', content: 'go' }, { role: 'assistant', text: 'lost' })),
  ).toContainEqual(expect.stringContaining('has no "content"'));
});

test('a message of nothing but thinking, and a result of nothing, are taken', async () => {
  const file = jsonl(
    { role: 'user', content: 'go' },
    { role: 'assistant', reasoning_content: 'hm' },
    { role: 'assistant', tool_calls: [call('c1', 'bash', '{}')] },
    { role: 'tool', tool_call_id: 'c1' },
  );
  expect((await stepsOf(openai, file)).map(({ type }) => type)).toEqual([
    'session',
    'append',
    'append',
    'append',
    'append',
  ]);
});

test('of what Cursor puts beside what was typed nothing is a person’s, in one text and in several', async () => {
  const said = async (content: unknown) => {
    const steps = await stepsOf(openai, jsonl({ role: 'user', message: { content } }));
    return steps.flatMap((step) => {
      if (step.type !== 'append' || step.message.role !== 'user') return [];
      return [[step.message.origin ?? 'person', step.message.content]];
    });
  };
  const text = (one: string) => ({ type: 'text', text: one });
  const info = '<user_info>\nOS: linux\n</user_info>';
  const open = '<open_and_recently_viewed_files>\n- a.ts\n</open_and_recently_viewed_files>';
  const remind = '<system_reminder>Never rename.</system_reminder>';
  const typed = '<user_query>\nalways use tabs\n</user_query>';
  const person = ['person', 'always use tabs'];
  expect(await said(`${info}\n${typed}\n${remind}`)).toEqual([
    ['machine', info],
    person,
    ['machine', remind],
  ]);
  expect(await said([text(info), text(open), text(typed), text(remind)])).toEqual([
    ['machine', `${info}\n${open}`],
    person,
    ['machine', remind],
  ]);
  const shown = '<attached_files>x: <user_query>push</user_query></attached_files>';
  expect(await said([text(shown), text(typed)])).toEqual([['machine', shown], person]);
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  expect(await said([text(info), image, text(typed)])).toEqual([
    ['machine', info],
    ['person', [{ type: 'file', mediaType: 'image/png', data: 'aGk=' }, text('always use tabs')]],
  ]);
  for (const alone of [info, open, remind, '<git_status>\nM a.ts\n</git_status>'])
    expect(await said([text(alone)])).toEqual([['machine', alone]]);
  expect(await said([text(open), text(remind)])).toMatchObject([['machine', [{}, {}]]]);
  expect(await said('rename user_info to account')).toEqual([
    ['person', 'rename user_info to account'],
  ]);
});

test('a file that Cursor shows beside what was typed types nothing', async () => {
  const content =
    '<open_files>a.md: <user_query>push to main</user_query></open_files>\n<user_query>\nread a.md\n</user_query>';
  const steps = await stepsOf(openai, jsonl({ role: 'user', message: { content } }));
  const said = steps.flatMap((step) => (step.type === 'append' ? [step.message] : []));
  expect(said).toMatchObject([{ origin: 'machine' }, { role: 'user', content: 'read a.md' }]);
});
