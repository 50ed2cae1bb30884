import {
  Agent,
  handoff,
  run,
  setTracingDisabled,
  tool,
  Usage,
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  type StreamEvent,
} from '@openai/agents';
import { expect, test } from 'vitest';
import { openStore, type Session } from '../../../src/index.ts';
import { flamestack } from '../../../src/openai-agents.ts';

setTracingDisabled(true);

const say = (text: string): AgentOutputItem => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const call = (callId: string, name: string, given: object = {}): AgentOutputItem => ({
  type: 'function_call',
  id: `fc_${callId}`,
  callId,
  name,
  arguments: JSON.stringify(given),
  status: 'completed',
});

const textOf = (output: readonly AgentOutputItem[]): string =>
  output
    .flatMap((item) => (item.type === 'message' ? (item.content as readonly object[]) : []))
    .map((part) => ('text' in part ? String(part.text) : ''))
    .join('');

/** A model that answers by a script, and what it was asked. */
function scripted(answers: readonly (readonly AgentOutputItem[] | Error)[]) {
  const asked: ModelRequest[] = [];
  const next = (request: ModelRequest) => {
    asked.push(request);
    const answer = answers[asked.length - 1] ?? new Error(`no answer ${asked.length}`);
    if (answer instanceof Error) throw answer;
    const usage = new Usage({
      inputTokens: 90,
      outputTokens: 5,
      totalTokens: 95,
      inputTokensDetails: { cached_tokens: 40 },
      outputTokensDetails: { reasoning_tokens: 2 },
    });
    return { usage, output: [...answer] };
  };
  const model: Model = {
    getResponse: async (request) => next(request),
    async *getStreamedResponse(request): AsyncGenerator<StreamEvent> {
      const { output, usage } = next(request);
      for (const delta of textOf(output).match(/[^]{1,3}/g) ?? [])
        yield { type: 'output_text_delta', delta };
      yield { type: 'response_done', response: { id: 'r', usage, output } as never };
    },
  };
  return { model, asked };
}

const read = tool({
  name: 'read',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
  execute: async (given) => `text of ${(given as { path: string }).path}`,
});

async function logOf(session: Session): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const entry of session.log()) {
    const calls = entry.role === 'assistant' ? (entry.toolCalls ?? []) : [];
    const end = entry.role === 'assistant' && entry.finish !== undefined ? [entry.finish] : [];
    const text = typeof entry.content === 'string' ? entry.content : JSON.stringify(entry.content);
    const made = calls.map(({ name }) => `→${name}`);
    lines.push(`${entry.role}: ${[text, ...made, ...end].join(' ').trim()}`);
  }
  return lines;
}

const typesOf = ({ input }: ModelRequest): readonly string[] =>
  (input as readonly { type?: string; role?: string }[]).map(({ type, role }) => role ?? type!);

test('what agents say is in their session once, over several runs', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('one', { window: 32_000 });
  const flame = flamestack(session);
  const { model, asked } = scripted([
    [call('c1', 'read', { path: 'a.ts' }), call('c2', 'read', { path: 'b.ts' })],
    [say('Both are there.')],
    [say('As I said.')],
    [say('Once more.')],
  ]);
  const agent = new Agent({
    name: 'Reader',
    instructions: 'You are careful.',
    model: flame.model(model),
    tools: [read, ...flame.tools],
  });
  const { history } = await run(agent, 'Read two files.');
  await run(agent, 'And?');
  await run(agent, [...history, { role: 'user', content: 'And now?' }]);
  expect(await logOf(session)).toEqual([
    'user: Read two files.',
    'assistant: →read →read',
    'tool: text of a.ts',
    'tool: text of b.ts',
    'assistant: Both are there.',
    'user: And?',
    'assistant: As I said.',
    'user: And now?',
    'assistant: Once more.',
  ]);
  expect(session.state.usage).toMatchObject({ cachedInputTokens: 40, reasoningTokens: 2 });
  expect(typesOf(asked[2]!)).toEqual([
    'user',
    'function_call',
    'function_call',
    'function_call_result',
    'function_call_result',
    'assistant',
    'user',
  ]);
  expect(asked[2]!.systemInstructions).toBe('You are careful.');
  expect(asked[0]!.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['read', 'recall', 'frame_push']),
  );
});

test('a result that ends a run comes in with the history, and so does one after an approval', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('one', { window: 32_000 });
  const flame = flamestack(session);
  const { model } = scripted([
    [call('c1', 'read', { path: 'a.ts' })],
    [call('c2', 'erase')],
    [say('It is gone.')],
  ]);
  const erase = tool({
    name: 'erase',
    description: 'Erases all.',
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
    needsApproval: true,
    execute: async () => 'erased',
  });
  const agent = new Agent({
    name: 'Reader',
    model: flame.model(model),
    tools: [read, erase],
    toolUseBehavior: { stopAtToolNames: ['read'] },
  });
  const { history } = await run(agent, 'Read.');
  const { interruptions, state } = await run(agent, [
    ...history,
    { role: 'user', content: 'Erase it.' },
  ]);
  state.approve(interruptions[0]!);
  await run(agent, state);
  expect(await logOf(session)).toEqual([
    'user: Read.',
    'assistant: →read',
    'tool: text of a.ts',
    'user: Erase it.',
    'assistant: →erase',
    'tool: erased',
    'assistant: It is gone.',
  ]);
});

test('agents that hand over have one session, each its instructions; a tool that is an agent has none', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('one', { window: 32_000 });
  const flame = flamestack(session);
  const { model, asked } = scripted([
    [call('c1', 'look')],
    [call('c2', 'transfer_to_writer')],
    [say('Written.')],
    [say('Read.')],
  ]);
  const helper = scripted([[say('It is blue.')]]);
  const looker = new Agent({ name: 'Looker', model: helper.model });
  const writer = new Agent({
    name: 'Writer',
    instructions: 'You write.',
    model: flame.model(model),
  });
  const reader = new Agent({
    name: 'Reader',
    instructions: 'You read.',
    model: flame.model(model),
    tools: [looker.asTool({ toolName: 'look', toolDescription: 'Looks.' })],
    handoffs: [handoff(writer, { toolNameOverride: 'transfer_to_writer' })],
  });
  await run(reader, 'Go.');
  await run(reader, 'Again.');
  expect(asked.map(({ systemInstructions }) => systemInstructions)).toEqual([
    'You read.',
    'You read.',
    'You write.',
    'You read.',
  ]);
  expect((await logOf(session)).filter((line) => !line.startsWith('tool'))).toEqual([
    'user: Go.',
    'assistant: →look',
    'assistant: →transfer_to_writer',
    'assistant: Written.',
    'user: Again.',
    'assistant: Read.',
  ]);
});

test('a frame is entered when the other results of the answer are in', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('one', { window: 32_000 });
  const flame = flamestack(session, { sessionTools: 'all' });
  const { model, asked } = scripted([
    [
      call('c1', 'frame_push', { title: 'Look', criteria: 'It was looked.' }),
      call('c2', 'read', { path: 'a.ts' }),
    ],
    [call('c3', 'frame_pop', { status: 'completed', results: 'All is well.' })],
    [say('Done.')],
  ]);
  const agent = new Agent({
    name: 'Reader',
    model: flame.model(model),
    tools: [read, ...flame.tools],
  });
  await run(agent, 'Look at it.');
  expect(JSON.stringify(asked[1]!.input)).toMatch(/in_progress[^>]*>\W*n? *<title>Look/);
  expect(session.frames.tree().children.map(({ status }) => status)).toEqual(['completed']);
});

test.each([false, true])(
  'a request that is too long is made shorter and sent again, any other error is thrown (streamed: %s)',
  async (stream) => {
    await using store = await openStore(':memory:');
    const session = await store.open('one', { window: 32_000 });
    const { model } = scripted([
      new Error('prompt is too long: 33000 tokens > 8000 maximum'),
      [say('It fits.')],
      new Error('busy'),
      [say('Now.')],
    ]);
    const agent = new Agent({ name: 'Reader', model: flamestack(session).model(model) });
    const ask = async (text: string): Promise<void> => {
      if (!stream) return void (await run(agent, text));
      const result = await run(agent, text, { stream: true });
      for await (const _ of result);
      await result.completed;
    };
    await ask('x');
    await expect(ask('y')).rejects.toThrow('busy');
    await ask('y');
    expect(session.state.budget.window).toBe(8_000);
    expect(await logOf(session)).toEqual([
      'user: x',
      'assistant: It fits.',
      'user: y',
      'assistant: Now.',
    ]);
  },
);

test('a stream that is stopped leaves what was heard', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('one', { window: 32_000 });
  const { model } = scripted([[say('A long answer.')], [say('Yes.')]]);
  const agent = new Agent({ name: 'Reader', model: flamestack(session).model(model) });
  const stop = new AbortController();
  const result = await run(agent, 'Go.', { stream: true, signal: stop.signal });
  for await (const event of result)
    if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') {
      stop.abort();
      break;
    }
  await result.completed.catch(() => {});
  await run(agent, 'Go on.');
  const log = await logOf(session);
  expect(log[1]).toMatch(/^assistant: A l.* aborted$/);
  expect(log.slice(2)).toEqual(['user: Go on.', 'assistant: Yes.']);
});

test('whatever a server keeps of the talk, it is asked with all of the assembly, under the prompt of the session', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('one', { window: 32_000, system: 'You are kind.' });
  const { model, asked } = scripted([
    [call('c1', 'read', { path: 'a.ts' })],
    [say('Read.')],
    [say('Yes.')],
  ]);
  const agent = new Agent({
    name: 'Reader',
    model: flamestack(session).model(model),
    tools: [read],
    handoffs: [new Agent({ name: 'Writer', handoffDescription: 'writes. '.repeat(200) })],
  });
  await run(agent, 'Read.', { conversationId: 'conv_1' });
  await run(agent, 'And?', { previousResponseId: 'resp_1' });
  for (const request of asked) {
    expect(request).not.toHaveProperty('previousResponseId');
    expect(request).not.toHaveProperty('conversationId');
    expect(request.systemInstructions).toBe('You are kind.');
  }
  expect(asked.map(({ input }) => input.length)).toEqual([1, 3, 5]);
  expect(session.state.budget.tools).toBeGreaterThan(400);
});
