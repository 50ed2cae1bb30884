import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { opencode } from '../../../src/import/opencode/opencode.ts';
import { memorySource } from '../../../src/import/source/source.ts';
import { keysOf, modelsOf, stepsOf, told } from '../told.ts';
import { draws } from '../../draws.ts';

const text = (said: string, rest: object = {}) => ({ type: 'text', text: said, ...rest });
const tool = (callID: string, state: object, name = 'bash') => ({
  type: 'tool',
  id: `prt_${callID}`,
  callID,
  tool: name,
  state,
});
const done = (output: string, rest: object = {}) => ({
  status: 'completed',
  input: { command: 'ls' },
  output,
  time: { start: 10, end: 20 },
  ...rest,
});
const message = (given: object, parts: readonly unknown[]) => ({
  info: { sessionID: 'ses_1', time: { created: 5 }, ...given },
  parts,
});
const user = (id: string, ...parts: readonly unknown[]) => message({ id, role: 'user' }, parts);
const assistant = (id: string, ...parts: readonly unknown[]) =>
  message({ id, role: 'assistant' }, parts);
const info = {
  id: 'ses_1',
  projectID: 'p',
  directory: '/w',
  title: 'A look',
  time: { created: 1, updated: 2 },
};
const written = (messages: readonly unknown[], rest: object = {}): string =>
  JSON.stringify({ info: { ...info, ...rest }, messages }, null, 2);

const start = { type: 'step-start', snapshot: 'a' };
const finish = (reason: string) => ({ type: 'step-finish', reason, cost: 0, tokens: {} });

const talk = [
  user('m1', text('look around')),
  assistant(
    'm2',
    start,
    { type: 'reasoning', text: 'hm' },
    text('looking'),
    tool('c1', done('src')),
    tool('c2', { status: 'error', input: { path: 'a' }, error: 'no such file' }, 'read'),
    { type: 'patch', hash: 'h', files: ['a'] },
    finish('tool-calls'),
    start,
    text('a folder'),
    { type: 'snapshot', snapshot: 'b' },
    finish('stop'),
  ),
];

test('an export is told step by step, and a call is parted from its result', async () => {
  const file = written(talk);
  expect(await told(opencode, file)).toEqual([
    'person: look around',
    'assistant: <hm> looking bash(c1) read(c2)',
    'result c1: src',
    'result c2!: no such file',
    'assistant: a folder',
  ]);
  expect(await told(opencode, JSON.stringify(talk))).toEqual(await told(opencode, file));
  expect((await stepsOf(opencode, file))[0]).toEqual({
    type: 'session',
    id: 'ses_1',
    folder: '/w',
    title: 'A look',
  });
});

test('a message keeps its arguments, why it ended, its line and its time', async () => {
  const steps = await stepsOf(opencode, written(talk));
  const line = written(talk).split('\n').indexOf('    {', 20) + 1;
  expect(steps[2]).toEqual({
    type: 'append',
    message: {
      role: 'assistant',
      content: 'looking',
      toolCalls: [
        { id: 'c1', name: 'bash', arguments: { command: 'ls' } },
        { id: 'c2', name: 'read', arguments: { path: 'a' } },
      ],
      thinking: 'hm',
      finish: 'tool-calls',
    },
    key: 'm2',
    line,
    at: 5,
  });
  expect(steps[3]).toMatchObject({ key: 'm2:result 0', at: 20 });
  expect(steps[5]).toMatchObject({ message: { finish: 'stop' } });
});

test('a call that still waits or runs has no result', async () => {
  const file = written([
    user('m1', text('go')),
    assistant(
      'm2',
      tool('a', { status: 'pending', input: {}, raw: '{"x"' }),
      tool('b', { status: 'running', input: { command: 'sleep' }, time: { start: 1 } }),
      tool('c', done('C')),
    ),
    assistant(
      'm3',
      tool('d', {
        status: 'error',
        input: {},
        error: 'aborted',
        metadata: { interrupted: true, output: 'half' },
      }),
    ),
  ]);
  expect(await told(opencode, file)).toEqual([
    'person: go',
    'assistant: bash(a) bash(b) bash(c)',
    'result c: C',
    'assistant: bash(d)',
    'result d!: half',
  ]);
});

test('a command that exits with another status than 0 failed, with what it printed', async () => {
  const file = written([
    assistant(
      'm',
      tool('a', { ...done('2 tests failed'), metadata: { exit: 1 } }),
      tool('b', { ...done('ok'), metadata: { exit: 0 } }),
      tool('c', { ...done('stopped'), metadata: { exit: null } }),
    ),
  ]);
  expect((await told(opencode, file)).slice(1)).toEqual([
    'result a!: 2 tests failed',
    'result b: ok',
    'result c: stopped',
  ]);
});

test('of a call that stands twice in one step the one that came further is told', async () => {
  const file = written([
    assistant('m', tool('a', { status: 'running', input: {} }), tool('a', done('A'))),
    assistant('n', tool('a', done('again'))),
  ]);
  expect(await told(opencode, file)).toEqual([
    'skip 13: message 1: repeats the call "a"',
    'assistant: bash(a)',
    'result a: A',
    'assistant: bash(a)',
    'result a: again',
  ]);
});

test('what OpenCode puts beside typed text is machine text', async () => {
  const file = written([
    user(
      'm',
      text('read @a.txt'),
      text('Called the Read tool', { synthetic: true }),
      text('content of a', { synthetic: true }),
      { type: 'file', mime: 'text/plain', filename: 'a.txt', url: 'file:///w/a.txt' },
      { type: 'agent', name: 'explore' },
      text('for your eyes', { ignored: true }),
    ),
    user('n', text('Continue if you have next steps', { synthetic: true })),
    user('o', text('<system-reminder>x</system-reminder>'), text('and on')),
  ]);
  expect(await told(opencode, file)).toEqual([
    'skip 13: message 1: part 6 was never sent to the model',
    'person: read @a.txt',
    'machine: Called the Read tool\ncontent of a',
    'machine: Continue if you have next steps',
    'machine: <system-reminder>x</system-reminder>',
    'person: and on',
  ]);
});

test('in the session of a subagent no person types', async () => {
  const file = written([user('m', text('find it')), assistant('n', text('found'))], {
    parentID: 'ses_0',
  });
  expect(await told(opencode, file)).toEqual(['machine: find it', 'assistant: found']);
});

test('the call of a subagent is a call with its result', async () => {
  const file = written([
    user('m', text('go'), { type: 'subtask', prompt: 'find it', description: 'd', agent: 'e' }),
    assistant('n', tool('t', done('found', { metadata: { sessionId: 'ses_2' } }), 'task')),
  ]);
  expect(await told(opencode, file)).toEqual([
    'person: go',
    'assistant: task(t)',
    'result t: found',
  ]);
});

test('images are files, typed or printed', async () => {
  const image = (url: string) => ({ type: 'file', mime: 'image/png', filename: 'a.png', url });
  const steps = await stepsOf(
    opencode,
    written([
      user('m', text('see'), image('data:image/png;base64,AAAA')),
      assistant(
        'n',
        tool('c', done('drawn', { attachments: [image('data:image/png;base64,BBBB')] })),
        image('file:///w/a.png'),
      ),
    ]),
  );
  const file = (data: string) => ({ type: 'file', mediaType: 'image/png', data, name: 'a.png' });
  expect(steps.slice(1).map((step) => step.type === 'append' && step.message.content)).toEqual([
    [text('see'), file('AAAA')],
    [text(''), file('file:///w/a.png')],
    [text('drawn'), file('BBBB')],
  ]);
});

test('a text file that is read out nowhere is told itself', async () => {
  const file = { type: 'file', mime: 'text/plain', url: 'file:///w/a.txt' };
  const steps = await stepsOf(opencode, written([user('m', text('see'), file)]));
  expect(steps[1]).toMatchObject({
    message: {
      content: [text('see'), { type: 'file', mediaType: 'text/plain', data: 'file:///w/a.txt' }],
    },
  });
});

test('a compaction takes nothing away, and its summary is not told', async () => {
  const file = written([
    ...talk,
    user('m3', { type: 'compaction', auto: true }),
    message({ id: 'm4', role: 'assistant', summary: true, mode: 'compaction' }, [text('so far')]),
    user('m5', text('go on')),
  ]);
  expect((await told(opencode, file)).slice(-2)).toEqual(['assistant: a folder', 'person: go on']);
});

test('what was reverted is one skip', async () => {
  const messages = [...talk, user('m3', text('no')), assistant('m4', text('yes'))];
  const lines = await told(opencode, written(messages, { revert: { messageID: 'm3' } }));
  expect(lines.slice(-2)).toEqual([
    'assistant: a folder',
    expect.stringMatching(/^skip \d+: abandoned branch of 2 messages$/),
  ]);
  const part = { messageID: 'm3', partID: 'prt' };
  expect((await told(opencode, written(messages, { revert: part }))).slice(-2)).toEqual([
    'person: no',
    expect.stringMatching(/^skip \d+: abandoned branch of 1 message$/),
  ]);
});

test('an answer that failed says so, and an old export carries its prompt', async () => {
  const file = written([
    user('m', text('go')),
    message(
      {
        id: 'n',
        role: 'assistant',
        system: ['Be careful.', 'Be brief.'],
        error: { name: 'MessageAbortedError' },
      },
      [text('well')],
    ),
    message({ id: 'o', role: 'assistant', error: { name: 'APIError' } }, [text('so')]),
    message({ id: 'p', role: 'assistant', finish: 'stop' }, [text('ok')]),
  ]);
  const steps = await stepsOf(opencode, file);
  expect(steps[0]).toMatchObject({ system: 'Be careful.\n\nBe brief.' });
  expect(
    steps.flatMap((step) =>
      step.type === 'append' && step.message.role === 'assistant' ? [step.message.finish] : [],
    ),
  ).toEqual(['aborted', 'error', 'stop']);
});

test('a wrong message or part is a skip', async () => {
  const messages = [
    '{"info":{"id":"a"},"parts":[]}',
    '{"parts":[]}',
    '{"info":{"role":"wizard"},"parts":[]}',
    '{"info":{"role":"user"}}',
    '{"info":{"id":"b","role":"user"},"parts":[{"type":"text","text":"hi"},{"type":"dance"},7]}',
    '{"info":{"id":"b","role":"user"},"parts":[]}',
    '{"info":oops}',
    '7',
  ];
  const file = `{"info":{"id":"ses_1","directory":"/"},"messages":[\n${messages.join(',\n')}\n]}\nmore`;
  expect(await told(opencode, file)).toEqual([
    'skip 2: message 1 has no "role"',
    'skip 3: message 2 has no "info"',
    'skip 4: message 3 has the unknown role "wizard"',
    'skip 5: message 4 has no "parts"',
    'skip 6: message 5: part 2 is of an unknown type',
    'skip 6: message 5: part 3 is of an unknown type',
    'person: hi',
    'skip 7: message 6 repeats message 5',
    'skip 8: message 7 is not JSON',
    'skip 9: message 8 is not a JSON object',
    'skip 11: stands after the end of the document',
  ]);
});

test('an export that was cut short is read up to the cut', async () => {
  const whole = written(talk);
  const lines = await told(opencode, whole);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (length) => {
      const cut = await told(opencode, whole.slice(0, length));
      expect(cut.at(-1)).toMatch(/^skip \d+: (cut off before its end|the array is not closed)$/);
      expect(lines.slice(0, cut.length - 1)).toEqual(cut.slice(0, -1));
    }),
  );
});

test('keys stay when the export grows, also in the middle of an answer', async () => {
  const running = assistant('m2', start, text('looking'), tool('c1', { status: 'running' }));
  const short = keysOf(await stepsOf(opencode, written([talk[0], running])));
  const long = keysOf(await stepsOf(opencode, written(talk)));
  expect(short).toEqual(['m1', 'm2']);
  expect(long).toEqual(['m1', 'm2', 'm2:result 0', 'm2:result 1', 'm2:1']);
});

test('an export becomes a session, and the same one again adds nothing', async () => {
  const store = await openStore(':memory:');
  const source = memorySource(written(talk));
  expect(await store.import(source, { window: 8_000 })).toEqual({
    id: 'ses_1',
    format: 'opencode',
    appended: 5,
    skipped: [],
  });
  expect((await store.import(source)).appended).toBe(0);
  expect((await (await store.open('ses_1')).assemble()).openCalls).toEqual([]);
});

const value = fc.oneof(fc.constantFrom('a', 'b', ''), fc.jsonValue({ maxDepth: 2 }));
const part = fc.record(
  {
    type: fc.constantFrom('text', 'reasoning', 'tool', 'file', 'step-start', 'step-finish', 'x', 3),
    text: value,
    synthetic: value,
    ignored: fc.boolean(),
    callID: value,
    tool: value,
    mime: value,
    url: value,
    filename: value,
    reason: value,
    state: fc.oneof(
      value,
      fc.record(
        {
          status: fc.constantFrom('pending', 'running', 'completed', 'error', 4),
          input: value,
          output: value,
          error: value,
          metadata: value,
          attachments: value,
          time: value,
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);
const strange = fc.record(
  {
    info: fc.oneof(
      value,
      fc.record(
        {
          id: fc.constantFrom('a', 'b', 'c', 5),
          role: fc.constantFrom('user', 'assistant', 'toString'),
          summary: value,
          error: value,
          finish: value,
          time: value,
          system: value,
        },
        { requiredKeys: [] },
      ),
    ),
    parts: fc.oneof(value, fc.array(fc.oneof(part, value), { maxLength: 6 })),
  },
  { requiredKeys: [] },
);

test('whatever its messages hold, each is told, skipped by its line, or says nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(strange, value), { minLength: 1, maxLength: 8 }),
      value,
      async (messages, revert) => {
        const lines = messages.map((message) => JSON.stringify(message));
        const file = `{"info":${JSON.stringify({ ...info, revert })},"messages":[\n${lines.join(',\n')}]}`;
        const steps = await stepsOf(opencode, file);
        expect(steps.map(({ type }) => type).lastIndexOf('session')).toBe(0);
        expect(new Set(keysOf(steps)).size).toBe(keysOf(steps).length);
        const named = new Set(steps.map((step) => ('line' in step ? step.line : 0)));
        for (const [index, content] of lines.entries()) {
          if (named.has(index + 2)) continue;
          const alone = `{"messages":[\n${content}]}`;
          expect((await stepsOf(opencode, alone)).length).toBe(1);
          expect(JSON.parse(content)).toMatchObject({
            info: {},
            parts: expect.anything() as unknown,
          });
        }
      },
    ),
    { numRuns: draws(1_000) },
  );
});

test('each step of an answer has its model', async () => {
  const [, { parts }] = talk as [unknown, { readonly parts: readonly unknown[] }];
  const by = { modelID: 'grok-4', providerID: 'xai' };
  const file = written([message({ id: 'm2', role: 'assistant', ...by }, parts)]);
  const named = { name: 'grok-4', provider: 'xai' };
  expect(await modelsOf(opencode, file)).toEqual([named, named]);
});
