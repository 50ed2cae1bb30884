import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromAnswer, fromItems } from '../../../src/adapters/openai-agents/from-items.ts';
import { sayTheSame, type AnyItem } from '../../../src/adapters/openai-agents/item.ts';
import { toItems } from '../../../src/adapters/openai-agents/to-items.ts';
import type { Message } from '../../../src/index.ts';

const label = { kind: 'entry', section: 'working', tokens: 0 } as const;

/** What a model is asked where all of these stand whole. */
const asked = (messages: readonly Message[]): readonly object[] =>
  toItems({ messages: messages.map((message) => ({ ...message, ...label })) }).input;

const image = 'data:image/png;base64,AQID';
const message = (text: string, added: object = {}) => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, providerData: { annotations: [] } }],
  ...added,
});
const call = (callId: string, added: object = {}) => ({
  type: 'function_call',
  callId,
  name: 'read',
  arguments: '{"path":"a"}',
  status: 'completed',
  ...added,
});
const result = (callId: string, output: unknown = { type: 'text', text: 'ok' }) => ({
  type: 'function_call_result',
  callId,
  name: 'read',
  status: 'completed',
  output,
});
const thought = (id: string) => ({
  type: 'reasoning',
  id,
  content: [{ type: 'input_text', text: `I think ${id}.` }],
  providerData: { encryptedContent: `signed ${id}` },
});
const shell = (callId: string) => ({
  type: 'shell_call',
  id: `sh_${callId}`,
  callId,
  status: 'completed',
  action: { commands: ['ls'] },
});
const shellOutput = (callId: string) => ({
  type: 'shell_call_output',
  callId,
  output: [{ stdout: 'a.ts', stderr: 'odd', outcome: { type: 'exit', exitCode: 2 } }],
});

/** A turn with every type of item that is followed by what it needs. */
const aTurn = fc
  .tuple(
    fc.constantFrom<object>(
      { role: 'user', content: 'Go on.' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
      { role: 'user', content: [{ type: 'input_image', image, detail: 'high' }] },
      { role: 'user', content: [{ type: 'input_image', image: { id: 'file_1' } }] },
      { role: 'user', content: [{ type: 'audio', audio: 'AQID', format: 'wav' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Read it.' },
          { type: 'input_file', file: 'data:application/pdf;base64,AQID', filename: 'a.pdf' },
        ],
      },
      { role: 'user', content: 'Cached.', providerData: { promptCacheBreakpoint: {} } },
    ),
    fc.constantFrom<readonly ((id: string) => object)[]>(
      [],
      [(id) => call(id), (id) => result(id)],
      [(id) => call(id, { id: 'fc_1', providerData: { id: 'fc_1' } }), (id) => result(id, 'text')],
      [(id) => call(id, { providerData: { thoughtSignature: 'EuYB' } }), (id) => result(id)],
      [(id) => thought(id), (id) => call(id, { id: 'fc_1' }), (id) => result(id)],
      [(id) => shell(id), (id) => shellOutput(id)],
      [(id) => thought(id), (id) => shell(id), (id) => shellOutput(id)],
      [
        (callId) => ({
          type: 'apply_patch_call',
          callId,
          status: 'completed',
          operation: { type: 'delete_file', path: 'a.ts' },
        }),
        (callId) => ({ type: 'apply_patch_call_output', callId, status: 'failed', output: 'no' }),
      ],
      [
        (callId) => ({
          type: 'computer_call',
          callId,
          status: 'completed',
          action: { type: 'screenshot' },
        }),
        (callId) => ({
          type: 'computer_call_result',
          callId,
          output: { type: 'computer_screenshot', data: image },
        }),
      ],
      [
        (id) => ({
          type: 'hosted_tool_call',
          name: 'mcp_approval_request',
          id,
          providerData: { type: 'mcp_approval_request', id, name: 'roll', arguments: '{}' },
        }),
        (id) => ({
          type: 'hosted_tool_call',
          name: 'mcp_approval_response',
          providerData: { type: 'mcp_approval_response', approval_request_id: id, approve: true },
        }),
      ],
    ),
    fc.constantFrom<readonly object[]>(
      [message('Done.')],
      [message('Done.', { id: 'msg_1', phase: 'final_answer' })],
      [thought('rs_9'), message('Done.', { id: 'msg_1' })],
      [message('Look.'), message('Done.')],
      [{ ...message(''), content: [{ type: 'refusal', refusal: 'No.' }] }],
      [
        { type: 'hosted_tool_call', id: 'ws_1', name: 'web_search_call', status: 'completed' },
        message('Found.', { id: 'msg_2' }),
      ],
      [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'x' }, message('On.')],
    ),
  )
  .map(([user, calls, answer]) => ({ user, calls, answer }));

test('whatever an agent has in its list goes back as it came', () => {
  fc.assert(
    fc.property(fc.array(aTurn, { maxLength: 5 }), (turns) => {
      const items = turns.flatMap(({ user, calls, answer }, n) => [
        user,
        ...calls.map((make) => make(`call_${n}`)),
        ...answer,
      ]);
      const back = asked(fromItems(items));
      expect(back).toHaveLength(items.length);
      for (const [at, item] of items.entries())
        expect([item, sayTheSame([item], [back[at]!])]).toEqual([item, true]);
    }),
  );
});

test('what was thought goes back with its calls, byte for byte; ids alone are not kept', () => {
  const thinking = [thought('rs_1'), call('c1', { id: 'fc_1' }), call('c2', { id: 'fc_2' })];
  const answer = fromAnswer(thinking);
  expect(answer).toMatchObject({
    thinking: 'I think rs_1.',
    toolCalls: [{ id: 'c1' }, { id: 'c2' }],
  });
  const back = asked([answer, ...fromItems([result('c1'), result('c2')])]);
  expect(JSON.stringify(back.slice(0, 3))).toBe(JSON.stringify(thinking));
  expect(
    fromAnswer([message('Yes.', { id: 'msg_1', providerData: {} }), call('c3', { id: 'fc_3' })]),
  ).toEqual({
    role: 'assistant',
    content: 'Yes.',
    toolCalls: [{ id: 'c3', name: 'read', arguments: { path: 'a' } }],
  });
});

test('a call of a type of its own goes back with its result, or both are told as a function', () => {
  const answer = fromAnswer([thought('rs_1'), shell('c1')]);
  const [output] = fromItems([shellOutput('c1')]) as [Extract<Message, { role: 'tool' }>];
  expect(output).toMatchObject({ toolCallId: 'c1', content: 'a.ts\nodd\n[exit 2]' });
  expect(asked([answer, output])).toEqual([thought('rs_1'), shell('c1'), shellOutput('c1')]);
  const { provider: _, ...shortened } = output;
  const { provider: __, ...plain } = answer;
  for (const pair of [
    [answer, shortened],
    [plain, output],
  ] as const)
    expect((asked(pair) as readonly AnyItem[]).map(({ type, callId }) => [type, callId])).toEqual([
      ['function_call', 'c1'],
      ['function_call_result', 'c1'],
    ]);
});

test('a thought that nothing came of does not go back, nor does a text that says nothing', () => {
  expect(asked([fromAnswer([thought('rs_1')])])).toEqual([
    expect.objectContaining({ role: 'assistant' }),
  ]);
  expect(fromAnswer([message(' '), call('c1')])).not.toHaveProperty('provider');
  expect(fromAnswer([])).toEqual({ role: 'assistant', content: '' });
});

test('images of results follow them, since not every model takes them there', () => {
  const messages = fromItems([
    call('c1'),
    call('c2'),
    result('c1', [{ type: 'input_image', image }]),
    result('c2', [
      { type: 'input_text', text: 'a dot' },
      { type: 'input_image', image, detail: 'auto' },
    ]),
  ]);
  const back = asked(messages) as readonly AnyItem[];
  expect(back.map((item) => item.type)).toEqual([
    'function_call',
    'function_call',
    'function_call_result',
    'function_call_result',
    'message',
  ]);
  expect(JSON.stringify(back[4]).split(image)).toHaveLength(3);
  expect(JSON.stringify(back[2])).not.toContain(image);
});

test('what a server ran itself is named, and no call of it is open', () => {
  const output = [shell('c1'), shellOutput('c1'), message('Listed.', { id: 'msg_1' })];
  const answer = fromAnswer(output);
  expect(answer).not.toHaveProperty('toolCalls');
  expect(JSON.stringify(answer.content)).toContain('[shell call output');
  expect(asked([answer])).toEqual(output);
  const drawn = {
    type: 'hosted_tool_call',
    name: 'image_generation_call',
    id: 'ig_1',
    output: 'AQID',
  };
  expect(fromAnswer([drawn]).content).toEqual([
    { type: 'file', mediaType: 'image/png', data: 'AQID' },
  ]);
});

test('what a host says to the model beside its instructions is text of a machine', () => {
  const items = [{ role: 'system', content: 'It is May.' }];
  expect(fromItems(items)).toMatchObject([
    { role: 'user', origin: 'machine', content: '[system It is May.]' },
  ]);
  expect(asked(fromItems(items))).toEqual(items);
  expect(fromItems('Hello.')).toEqual([{ role: 'user', content: 'Hello.' }]);
});
