import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { codex } from '../../../src/import/codex/codex.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { isUnit, outlineOf } from '../../../src/import/codex/outline.ts';
import { itemKindOf, rolloutOf } from '../../../src/import/codex/record.ts';
import type { Json } from '../../../src/import/source/record.ts';
import { memorySource } from '../../../src/import/source/source.ts';
import { jsonl, keysOf, modelsOf, stepsOf, told } from '../told.ts';
import { draws } from '../../draws.ts';

const time = '2026-01-02T03:04:05.000Z';
const line = (type: string, payload: unknown) => ({ timestamp: time, type, payload });
const item = (payload: object) => line('response_item', payload);
const event = (type: string, rest: object = {}) => line('event_msg', { type, ...rest });
const input = (text: string) => ({ type: 'input_text', text });
const message = (role: string, ...content: readonly unknown[]) => ({
  type: 'message',
  role,
  content: content.map((block) =>
    typeof block === 'string'
      ? { type: role === 'user' ? 'input_text' : 'output_text', text: block }
      : block,
  ),
});
const user = (...content: readonly unknown[]) => item(message('user', ...content));
const says = (text: string) => item(message('assistant', text));
const hook = (text: string) => item(message('developer', text));
const call = (id: string, name = 'shell', given = '{"command":["ls"]}') =>
  item({ type: 'function_call', name, arguments: given, call_id: id });
const output = (id: string, text: unknown) =>
  item({ type: 'function_call_output', call_id: id, output: text });
const meta = line('session_meta', {
  id: 'r-1',
  timestamp: time,
  cwd: '/w',
  base_instructions: { text: 'Be careful.' },
});

const rollout = jsonl(
  meta,
  hook('<permissions instructions>all</permissions instructions>'),
  user('<environment_context>\n<cwd>/w</cwd>\n</environment_context>'),
  line('turn_context', { cwd: '/w' }),
  event('user_message', { message: 'look around' }),
  user('look around'),
  item({
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'hm' }],
    encrypted_content: 'x',
  }),
  event('agent_reasoning', { text: 'hm' }),
  says('looking'),
  event('agent_message', { message: 'looking' }),
  call('c1'),
  call('c2', 'read', 'not json'),
  event('token_count', { info: null }),
  output('c1', 'src'),
  output('c2', [{ type: 'input_text', text: 'R' }]),
  says('a folder'),
  event('thread_name_updated', { thread_name: 'A look' }),
);

test('a rollout is told item by item, and its events are not', async () => {
  expect(await told(codex, rollout)).toEqual([
    'machine: <permissions instructions>all</permissions instructions>',
    'machine: <environment_context>\n<cwd>/w</cwd>\n</environment_context>',
    'person: look around',
    'assistant: <hm> looking shell(c1) read(c2)',
    'result c1: src',
    'result c2: R',
    'assistant: a folder',
  ]);
  expect((await stepsOf(codex, rollout))[0]).toEqual({
    type: 'session',
    id: 'r-1',
    folder: '/w',
    system: 'Be careful.',
    title: 'A look',
  });
});

test('a message keeps its arguments, its line and its time', async () => {
  const steps = await stepsOf(codex, rollout);
  expect(steps[4]).toEqual({
    type: 'append',
    message: {
      role: 'assistant',
      content: 'looking',
      toolCalls: [
        { id: 'c1', name: 'shell', arguments: { command: ['ls'] } },
        { id: 'c2', name: 'read', arguments: 'not json' },
      ],
      thinking: 'hm',
    },
    key: expect.stringMatching(/^7-[0-9a-f]{12}$/) as string,
    line: 7,
    at: Date.parse(time),
    isJoined: true,
  });
});

test('a rollout of the old form holds bare items after a header', async () => {
  const file = jsonl(
    { id: 'old-1', timestamp: time, instructions: 'from AGENTS.md', git: {} },
    { record_type: 'state' },
    message('user', '<user_instructions>\n\nfrom AGENTS.md\n\n</user_instructions>'),
    message('user', 'go'),
    { type: 'reasoning', id: 'rs', summary: [], content: [{ type: 'reasoning_text', text: 'so' }] },
    {
      type: 'local_shell_call',
      call_id: 's1',
      status: 'completed',
      action: { type: 'exec', command: ['ls'] },
    },
    { record_type: 'state' },
    { type: 'function_call_output', call_id: 's1', output: '{"output":"a"}' },
    message('assistant', 'done'),
  );
  expect(await told(codex, file)).toEqual([
    'machine: <user_instructions>\n\nfrom AGENTS.md\n\n</user_instructions>',
    'person: go',
    'assistant: <so> local_shell(s1)',
    'result s1: {"output":"a"}',
    'assistant: done',
  ]);
  expect((await stepsOf(codex, file))[0]).toEqual({ type: 'session', id: 'old-1' });
});

test('without instructions in its header, the first prompt among the items is the system prompt', async () => {
  const file = jsonl(
    line('session_meta', { id: 'r' }),
    hook('Be careful.'),
    hook('Be brief.'),
    user('go'),
  );
  expect(await told(codex, file)).toEqual(['machine: Be brief.', 'person: go']);
  expect((await stepsOf(codex, file))[0]).toMatchObject({ system: 'Be careful.' });
});

test('each kind of call is told with its result, also one that the server ran itself', async () => {
  const file = jsonl(
    meta,
    user('go'),
    item({ type: 'custom_tool_call', call_id: 'p', name: 'apply_patch', input: '*** Begin' }),
    item({ type: 'custom_tool_call_output', call_id: 'p', output: 'ok' }),
    item({ type: 'tool_search_call', call_id: 't', arguments: { query: 'q' } }),
    item({ type: 'tool_search_output', call_id: 't', tools: [{ name: 'mail' }] }),
    item({
      type: 'web_search_call',
      id: 'w',
      status: 'completed',
      action: { type: 'search', query: 'q' },
    }),
    says('found'),
    item({
      type: 'image_generation_call',
      id: 'i',
      status: 'failed',
      revised_prompt: 'a cat',
    }),
    item({ type: 'function_call', call_id: 'm', namespace: 'mcp', name: 'list', arguments: '{}' }),
    output('m', { content: 'no such server', success: false }),
  );
  expect(await told(codex, file)).toEqual([
    'person: go',
    'assistant: apply_patch(p)',
    'result p: ok',
    'assistant: tool_search(t)',
    'result t: {"name":"mail"}',
    'assistant: found web_search(w) image_generation(i) mcp.list(m)',
    'result w: completed',
    'result i!: failed',
    'result m!: no such server',
  ]);
});

test('an image of a person or of a tool is a file', async () => {
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
  const steps = await stepsOf(
    codex,
    jsonl(
      meta,
      user('see', image),
      call('c'),
      output('c', [input('drawn'), image]),
      item({ type: 'image_generation_call', id: 'i', status: 'completed', result: 'BBBB' }),
    ),
  );
  const file = (data: string) => ({ type: 'file', mediaType: 'image/png', data });
  const contents = steps.map((step) => step.type === 'append' && step.message.content);
  expect(contents[1]).toEqual([{ type: 'text', text: 'see' }, file('AAAA')]);
  expect(contents[3]).toEqual([{ type: 'text', text: 'drawn' }, file('AAAA')]);
  expect(contents.at(-1)).toEqual([file('BBBB')]);
});

test.each([
  '# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>',
  '<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>',
  '<skill>\n<name>x</name>\n</skill>',
  '<subagent_notification>{}</subagent_notification>',
  '<codex_internal_context source="goal">\ngo on\n</codex_internal_context>',
  '<hook_prompt hook_run_id="h">stop</hook_prompt>',
  '<turn_aborted>\nThe user interrupted\n</turn_aborted>',
  'Another language model started to solve this problem and produced a summary of it: x',
])('%j is machine text', async (text) => {
  expect(await told(codex, jsonl(meta, user(text, 'go on')))).toEqual([
    `machine: ${text}`,
    'person: go on',
  ]);
});

test('who speaks of such a tag is still a person', async () => {
  for (const text of ['<skill> is what I want', 'Warning: it rains', '# AGENTS.md instructions'])
    expect(await told(codex, jsonl(meta, user(text)))).toEqual([`person: ${text}`]);
});

test('what only the server can read is left out', async () => {
  const blocks = [{ type: 'encrypted_content', encrypted_content: 'x' }, { type: 'input_image' }];
  expect(await told(codex, jsonl(meta, user('go', ...blocks)))).toEqual(['person: go']);
});

test('what another agent sends is machine text', async () => {
  const mail = { author: 'a', recipient: 'b', content: [input('done')] };
  const file = jsonl(
    meta,
    item({ type: 'agent_message', ...mail }),
    line('inter_agent_communication', { ...mail, content: 'too' }),
    line('inter_agent_communication_metadata', { trigger_turn: false }),
  );
  expect(await told(codex, file)).toEqual(['machine: done', 'machine: too']);
});

test('in the rollout of a subagent no person types, unless it was forked from a person’s', async () => {
  const child = line('session_meta', { id: 'r-2', source: { subagent: 'review' } });
  expect(await told(codex, jsonl(child, user('find it'), says('found')))).toEqual([
    'machine: find it',
    'assistant: found',
  ]);
  const steps = await stepsOf(codex, jsonl(child, meta, user('go')));
  expect(steps[0]).toMatchObject({ id: 'r-2' });
  expect(steps[1]).toMatchObject({ message: { role: 'user', content: 'go' } });
  expect(steps[1]).not.toHaveProperty('message.origin');
  expect(await told(codex, jsonl(child, child, user('go')))).toEqual(['machine: go']);
});

test('a hook that speaks between calls and results parts no call from its result', async () => {
  const file = jsonl(
    meta,
    user('go'),
    call('a'),
    hook('a begins'),
    call('b'),
    hook('a ended'),
    output('a', 'A'),
    output('b', 'B'),
    says('done'),
  );
  expect(await told(codex, file)).toEqual([
    'person: go',
    'assistant: shell(a) shell(b)',
    'result a: A',
    'result b: B',
    'machine: a begins',
    'machine: a ended',
    'assistant: done',
  ]);
});

test('a call without a result stays open, and a late one is told where it stands', async () => {
  const file = jsonl(meta, call('a'), user('stop'), output('a', 'aborted'), output('a', 'again'));
  expect(await told(codex, file)).toEqual([
    'assistant: shell(a)',
    'person: stop',
    'result a: aborted',
    'result a: again',
  ]);
});

test('an id that comes again in one answer is a skip, and in another one a call', async () => {
  const file = jsonl(meta, call('a'), call('a'), output('a', '1'), call('a'), output('a', '2'));
  expect(await told(codex, file)).toEqual([
    'assistant: shell(a)',
    'result a: 1',
    'skip 3: repeats the call of line 2',
    'assistant: shell(a)',
    'result a: 2',
  ]);
});

const summary = message(
  'user',
  'Another language model started to solve this problem and produced a summary: …',
);
const compacted = line('compacted', {
  message: '',
  replacement_history: [message('user', 'go'), summary, 7, { type: 'compaction' }, { type: 'x' }],
});

test('a compaction takes nothing away and adds nothing', async () => {
  const file = jsonl(meta, user('go'), says('one'), compacted, says('two'));
  expect(await told(codex, file)).toEqual(['person: go', 'assistant: one', 'assistant: two']);
});

test('a compaction before anything else stands for what the file does not have', async () => {
  expect(await told(codex, jsonl(meta, compacted, says('two')))).toEqual([
    'person: go',
    'machine: Another language model started to solve this problem and produced a summary: …',
    'skip 2: item 4 of its history holds an item of the unknown type "x"',
    'assistant: two',
  ]);
  const old = line('compacted', { message: 'so far' });
  expect(await told(codex, jsonl(meta, old, says('two')))).toEqual([
    'machine: so far',
    'assistant: two',
  ]);
});

test('turns that were rolled back are one skip, compactions among them or not', async () => {
  const file = jsonl(
    meta,
    user('one'),
    says('1'),
    user('two'),
    call('c'),
    '{ broken',
    compacted,
    output('c', 'C'),
    user('<environment_context>x</environment_context>'),
    user('three'),
    event('thread_rolled_back', { num_turns: 2 }),
    user('four'),
    event('thread_rolled_back', { num_turns: 1 }),
    event('thread_rolled_back', {}),
    user('five'),
  );
  expect(await told(codex, file)).toEqual([
    'person: one',
    'assistant: 1',
    'skip 4: abandoned branch of 5 messages',
    'skip 6: not JSON',
    'skip 12: abandoned branch of 1 message',
    'skip 14: rolls back no "num_turns"',
    'person: five',
  ]);
});

test('a wrong line is a skip with its number', async () => {
  const file = jsonl(
    meta,
    '{"timestamp":',
    '[]',
    { type: 7 },
    { a: 1 },
    line('dream', {}),
    { type: 'response_item' },
    item({ type: 'dance' }),
    item({}),
    item({ type: 'message', content: [] }),
    item({ type: 'message', role: 'wizard', content: [] }),
    item({ type: 'message', role: 'user' }),
    line('event_msg', {}),
    user('go'),
  );
  expect(await told(codex, file)).toEqual([
    'skip 2: not JSON',
    'skip 3: not a JSON object',
    'skip 4: has no "type"',
    'skip 5: has no "type"',
    'skip 6: has the unknown type "dream"',
    'skip 7: has no "payload"',
    'skip 8: holds an item of the unknown type "dance"',
    'skip 9: its item has no "type"',
    'skip 10: its message has no "role"',
    'skip 11: its message has the unknown role "wizard"',
    'skip 12: its message has no "content"',
    'skip 13: its event has no "type"',
    'person: go',
  ]);
});

test('keys stay when the file grows, also in the middle of an answer', async () => {
  const lines = rollout.split('\n');
  const whole = keysOf(await stepsOf(codex, rollout));
  expect(new Set(whole).size).toBe(whole.length);
  for (let length = 1; length < lines.length; length += 1) {
    const keys = keysOf(await stepsOf(codex, lines.slice(0, length).join('\n')));
    expect(whole.slice(0, keys.length)).toEqual(keys);
  }
});

test('a rollout becomes a session in which every result found its call', async () => {
  const store = await openStore(':memory:');
  const result = await store.import(memorySource(rollout), { window: 8_000 });
  expect(result).toEqual({ id: 'r-1', format: 'codex', appended: 7, skipped: [] });
  const session = await store.open('r-1');
  expect((await session.assemble()).openCalls).toEqual([]);
  expect(await session.entry('e3')).toMatchObject({ role: 'user', at: Date.parse(time) });
  expect((await store.import(memorySource(rollout))).appended).toBe(0);
});

const value = fc.oneof(fc.constantFrom('a', 'b', ''), fc.jsonValue({ maxDepth: 2 }));
const strange = fc.record(
  {
    type: fc.constantFrom(
      'message',
      'reasoning',
      'function_call',
      'function_call_output',
      'custom_tool_call',
      'local_shell_call',
      'web_search_call',
      'tool_search_output',
      'image_generation_call',
      'agent_message',
      'compaction',
      'thread_rolled_back',
      'thread_name_updated',
      'dance',
      'constructor',
      9,
    ),
    role: fc.constantFrom('user', 'assistant', 'developer', 'toString', null),
    content: fc.oneof(value, fc.array(fc.oneof(value, fc.record({ type: value, text: value })))),
    summary: value,
    call_id: fc.constantFrom('a', 'b', '', 1),
    id: fc.constantFrom('a', 'b', 1),
    name: value,
    arguments: value,
    input: value,
    action: value,
    output: value,
    result: value,
    status: value,
    num_turns: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.double(), value),
    thread_name: value,
    replacement_history: value,
    message: value,
  },
  { requiredKeys: ['type'] },
);
const strangeLine = fc.oneof(
  fc.json({ maxDepth: 3 }),
  strange.map((record) => JSON.stringify(record)),
  fc
    .tuple(
      fc.constantFrom(
        'session_meta',
        'response_item',
        'event_msg',
        'compacted',
        'turn_context',
        'world_state',
        'dream',
      ),
      fc.oneof(strange, value),
    )
    .map(([type, payload]) => JSON.stringify({ timestamp: time, type, payload })),
);

const strangeLines = fc.array(strangeLine, { minLength: 1, maxLength: 12 });

test('no line makes the importer throw, and no key comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(strangeLines, async (lines) => {
      const [session, ...steps] = await stepsOf(codex, lines.join('\n'));
      expect(session?.type).toBe('session');
      expect(steps.every(({ type }) => type === 'append' || type === 'skip')).toBe(true);
      expect(new Set(keysOf(steps)).size).toBe(keysOf(steps).length);
    }),
    { numRuns: draws(1_000) },
  );
});

/** Whether a line is bookkeeping, by its type alone. */
function isNote(content: string): boolean {
  const rollout = rolloutOf(JSON.parse(content) as Json);
  if (typeof rollout === 'string') return false;
  if (rollout.kind !== 'item') return true;
  const made = itemKindOf(rollout.payload);
  return typeof made !== 'string' && made.making === 'nothing';
}

test('each line is told at one place, skipped by its number, or bookkeeping', async () => {
  const without = strangeLines.filter((lines) => !lines.join().includes('thread_rolled_back'));
  await fc.assert(
    fc.asyncProperty(without, async (lines) => {
      const { spots, system } = await outlineOf(memorySource(lines.join('\n')));
      const told = spots.flatMap((spot) => (isUnit(spot) ? spot.lines : [spot.line]));
      expect(new Set(told).size).toBe(told.length);
      const missing = lines.filter(
        (content, index) => !told.includes(index + 1) && !isNote(content),
      );
      expect(missing.length).toBeLessThanOrEqual(system === undefined ? 0 : 1);
    }),
    { numRuns: draws(1_000) },
  );
});

test('what a command printed is read where it came within JSON, behind how it ended', async () => {
  const file = jsonl(
    meta,
    user('go'),
    item({
      type: 'custom_tool_call',
      name: 'exec',
      call_id: 'c1',
      input: 'text(await tools.exec_command({cmd:"ls"}))',
    }),
    item({
      type: 'custom_tool_call_output',
      call_id: 'c1',
      output: [
        input('Script completed\nWall time 0.1 seconds\nOutput:\n'),
        input('{"chunk_id":"1f","wall_time_seconds":0.5,"exit_code":1,"output":"no\\nsuch"}'),
      ],
    }),
    call('c2'),
    output('c2', '{"output":"Success","metadata":{"exit_code":0,"duration_seconds":0.1}}'),
    call('c3'),
    output('c3', '{"rows":3,"output":"what a tool of somebody else says"}'),
  );
  const steps = await stepsOf(codex, file);
  expect(
    steps.flatMap((step) =>
      step.type === 'append' && step.message.role === 'tool' ? [textOf(step.message.content)] : [],
    ),
  ).toEqual([
    'Script completed\nWall time 0.1 seconds\nOutput:\n\nChunk ID: 1f\nWall time: 0.5 seconds\nProcess exited with code 1\nOutput:\nno\nsuch',
    'Process exited with code 0\nWall time: 0.1 seconds\nOutput:\nSuccess',
    '{"rows":3,"output":"what a tool of somebody else says"}',
  ]);
});

test('an answer has the model that its turn was set to, of whom the header names', async () => {
  const turn = (model?: string) => line('turn_context', { cwd: '/w', model });
  const header = line('session_meta', { id: 'r-1', timestamp: time, model_provider: 'openai' });
  const file = jsonl(
    header,
    says('before'),
    turn('gpt-5.5'),
    user('go'),
    says('one'),
    call('c1'),
    output('c1', 'ok'),
    turn(),
    says('two'),
    turn('gpt-6'),
    says('three'),
  );
  const [old, next] = ['gpt-5.5', 'gpt-6'].map((name) => ({ name, provider: 'openai' }));
  expect(await modelsOf(codex, file)).toEqual([undefined, old, old, next]);
});
