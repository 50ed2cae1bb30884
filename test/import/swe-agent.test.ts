import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore } from '../../src/index.ts';
import { memorySource } from '../../src/import/source/source.ts';
import { sweAgent } from '../../src/import/swe-agent.ts';
import { keysOf, stepsOf, told } from './told.ts';
import { draws } from '../draws.ts';

const entry = (role: string, content: unknown, rest: object = {}) => ({
  role,
  content,
  agent: 'main',
  ...rest,
});
const acts = (content: string, action: string) => entry('assistant', content, { action });
const prompts = [entry('system', 'Be careful.'), entry('user', 'Fix the bug.')];
const call = (id: string, name: string, given: string) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
});
const calls = (content: string, ...tool_calls: readonly object[]) =>
  entry('assistant', content, { action: 'ls', tool_calls, message_type: 'action' });
const result = (id: string, content: unknown) =>
  entry('tool', content, { tool_call_ids: [id], message_type: 'observation' });

const older = [
  ...prompts,
  acts('Let me look.\n```\nls -F\n```', 'ls -F\n'),
  entry('user', 'src/\nbash-$'),
  acts(
    'First this:\n```bash\nedit 1:2\n```python\nend\n```\nThen more.',
    'edit 1:2\n```python\nend',
  ),
  entry('user', 'edited'),
  acts('I am done.', ''),
  entry('user', 'Your answer had no command.'),
  acts('Handing in.\n```\nsubmit\n```', 'submit'),
];
const newer = [
  ...prompts,
  calls('Let me look.', call('c1', 'bash', '{"command":"ls"}')),
  result('c1', 'src'),
  calls('', call('c1', 'open', '{"path":"a"}'), call('c1', 'open', '{}')),
  result('c1', [{ type: 'text', text: 'A' }]),
];
const written = (history: readonly unknown[], rest: object = {}): string =>
  JSON.stringify({ environment: 'main', trajectory: [], history, info: {}, ...rest }, null, 2);

test('a trajectory of the older form tells commands as calls, and what they printed as results', async () => {
  expect(await told(sweAgent, written(older))).toEqual([
    'person: Fix the bug.',
    'assistant: Let me look. bash()',
    'result bash: src/\nbash-$',
    'assistant: First this:\n\nThen more. bash()',
    'result bash: edited',
    'assistant: I am done.',
    'machine: Your answer had no command.',
    'assistant: Handing in. bash()',
  ]);
  const steps = await stepsOf(sweAgent, written(older));
  expect(steps[0]).toEqual({
    type: 'session',
    id: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
    system: 'Be careful.',
  });
  expect(steps[2]).toMatchObject({
    message: { toolCalls: [{ name: 'bash', arguments: { command: 'ls -F\n' } }] },
  });
});

test('a trajectory of the newer form tells calls and results by their ids', async () => {
  expect(await told(sweAgent, written(newer))).toEqual([
    'person: Fix the bug.',
    'assistant: Let me look. bash(c1)',
    'result c1: src',
    'assistant: open(c1)',
    'result c1: A',
  ]);
});

test('a fence is cut out only where it holds the command and nothing else', async () => {
  const history = [
    ...prompts,
    acts('I ran ls.\n```\nls -a\n```', 'ls'),
    acts('<command>\nls\n</command>', 'ls'),
    acts('Use ls:\n```\nls\n```', 'ls'),
  ];
  expect(await told(sweAgent, written(history))).toEqual([
    'person: Fix the bug.',
    'assistant: I ran ls.\n```\nls -a\n``` bash()',
    'assistant: <command>\nls\n</command> bash()',
    'assistant: Use ls: bash()',
  ]);
});

test('a demonstration is machine text, and its answers call nothing', async () => {
  const isDemo = { is_demo: true };
  const history = [
    prompts[0],
    entry('user', 'Here is how', { message_type: 'demonstration' }),
    entry('user', 'A task', isDemo),
    entry('assistant', 'looking', { ...isDemo, action: 'ls' }),
    entry('tool', 'src', { ...isDemo, tool_call_ids: ['d'] }),
    prompts[1],
  ];
  expect(await told(sweAgent, written(history))).toEqual([
    'machine: Here is how',
    'machine: A task',
    'assistant: looking',
    'machine: src',
    'person: Fix the bug.',
  ]);
});

test('thoughts are kept, images are files, and a later prompt is machine text', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const history = [
    prompts[0],
    entry('system', 'Be brief.'),
    entry('user', [{ type: 'text', text: 'see' }, image]),
    entry('assistant', 'so', { thinking_blocks: [{ type: 'thinking', thinking: 'hm' }] }),
  ];
  expect(await told(sweAgent, written(history))).toEqual([
    'machine: Be brief.',
    'person: see',
    'assistant: <hm> so',
  ]);
  expect((await stepsOf(sweAgent, written(history)))[2]).toMatchObject({
    message: {
      content: [
        { type: 'text', text: 'see' },
        { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      ],
    },
  });
});

test('a call without a result stays open, and a result without its call is told', async () => {
  const history = [...newer.slice(0, 3), entry('assistant', 'well'), result('c9', 'late')];
  expect(await told(sweAgent, written(history))).toEqual([
    'person: Fix the bug.',
    'assistant: Let me look. bash(c1)',
    'assistant: well',
    'result c9: late',
  ]);
});

const steps = [
  {
    action: 'ls',
    observation: 'src',
    response: 'Look.\n```\nls\n```',
    query: [...prompts, entry('assistant', 'old')],
  },
  { action: '', observation: '', response: 'Done.', query: [...prompts, ...older] },
];

test('where a file has no history, its steps are told', async () => {
  const lines = [
    'person: Fix the bug.',
    'assistant: Look. bash()',
    'result bash: src',
    'assistant: Done.',
  ];
  const file = written([], { trajectory: steps });
  expect(await told(sweAgent, file)).toEqual(lines);
  expect((await stepsOf(sweAgent, file))[0]).toMatchObject({ system: 'Be careful.' });
  expect(keysOf(await stepsOf(sweAgent, file))).toEqual([
    expect.stringMatching(/^1-[0-9a-f]{12}:before 1$/),
    expect.stringMatching(/^1-[0-9a-f]{12}:0$/),
    expect.stringMatching(/^1-[0-9a-f]{12}:1$/),
    expect.stringMatching(/^2-[0-9a-f]{12}$/),
  ]);
  const both = written(newer, { trajectory: steps });
  expect(await told(sweAgent, both)).toEqual(await told(sweAgent, written(newer)));
});

test('of several attempts the chosen one is told, and the others are named', async () => {
  const attempt = { trajectory: [], history: newer, info: {} };
  const file = written(newer, {
    attempts: [attempt, attempt, { trajectory: [], history: prompts.slice(1) }],
    info: { best_attempt_idx: 1 },
  });
  expect((await told(sweAgent, file)).filter((line) => line.startsWith('skip'))).toEqual([
    expect.stringMatching(/^skip \d+: attempt 1, of 6 entries, was not chosen$/),
    expect.stringMatching(/^skip \d+: attempt 3, of 1 entry, was not chosen$/),
  ]);
});

test('runs at one task that begin alike are sessions of their own', async () => {
  const idOf = async (text: string): Promise<unknown> => (await stepsOf(sweAgent, text))[0];
  const other = [...newer.slice(0, -1), result('c1', 'B')];
  expect(await idOf(written(newer))).not.toEqual(await idOf(written(other)));
  expect(await idOf(written(newer))).toEqual(await idOf(JSON.stringify({ history: newer })));
});

test('a wrong entry or step is a skip with its line', async () => {
  const entries = [
    JSON.stringify(prompts[1]),
    '{"content":"x"}',
    '{"role":"wizard"}',
    '{"role":"user",oops}',
    '7',
  ];
  expect(await told(sweAgent, `{"history":[\n${entries.join(',\n')}]}`)).toEqual([
    'person: Fix the bug.',
    'skip 3: entry 2 has no "role"',
    'skip 4: entry 3 has the unknown role "wizard"',
    'skip 5: entry 4 is not JSON',
    'skip 6: entry 5 is not a JSON object',
  ]);
  expect(await told(sweAgent, '{"trajectory":[\n{"action":"ls"},\n7]}')).toEqual([
    'skip 2: step 1 has no "response"',
    'skip 3: step 2 is not a JSON object',
  ]);
});

test('a history that was cut short is read up to the cut', async () => {
  const whole = JSON.stringify({ history: newer }, null, 1);
  const lines = await told(sweAgent, whole);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (length) => {
      const cut = await told(sweAgent, whole.slice(0, length));
      expect(cut.at(-1)).toMatch(/^skip \d+: (cut off before its end|the array is not closed)$/);
      expect(lines.slice(0, cut.length - 1)).toEqual(cut.slice(0, -1));
    }),
  );
});

test('a trajectory becomes a session in which repeated ids keep their results', async () => {
  const store = await openStore(':memory:');
  const source = memorySource(written(newer));
  const { id, ...rest } = await store.import(source, { window: 8_000 });
  expect(rest).toEqual({ format: 'swe-agent', appended: 5, skipped: [] });
  expect((await store.import(source)).appended).toBe(0);
  expect((await (await store.open(id)).assemble()).openCalls).toEqual([]);
});

const value = fc.oneof(
  fc.constantFrom('a', 'b', '```\nls\n```', 'ls'),
  fc.jsonValue({ maxDepth: 2 }),
);
const strange = fc.record(
  {
    role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'toString', 3),
    content: value,
    action: value,
    thought: value,
    response: value,
    observation: value,
    is_demo: value,
    message_type: fc.constantFrom('action', 'observation', 'demonstration', 4),
    tool_calls: fc.oneof(value, fc.array(value)),
    tool_call_ids: value,
    thinking_blocks: fc.oneof(value, fc.array(value)),
    query: fc.oneof(value, fc.array(value)),
  },
  { requiredKeys: [] },
);

test.each(['history', 'trajectory'])(
  'whatever a %s holds, each line is told or skipped by its number',
  async (array) => {
    const items = fc.array(fc.oneof(strange, value), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(items, async (found) => {
        const lines = found.map((item) => JSON.stringify(item)).join(',\n');
        const [session, ...told] = await stepsOf(sweAgent, `{"${array}":[\n${lines}]}`);
        expect(new Set(keysOf(told)).size).toBe(keysOf(told).length);
        const named = new Set(told.map((step) => ('line' in step ? step.line : 0)));
        const missing = found.filter((_, index) => !named.has(index + 2));
        const hasPrompt = session?.type === 'session' && session.system !== undefined;
        expect(missing.length).toBeLessThanOrEqual(hasPrompt && array === 'history' ? 1 : 0);
      }),
      { numRuns: draws(1_000) },
    );
  },
);
