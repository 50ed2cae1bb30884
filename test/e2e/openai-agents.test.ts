import { Agent, OpenAIProvider, run, setTracingDisabled, tool, type Model } from '@openai/agents';
import { expect, test } from 'vitest';
import { openStore, type Session } from '../../src/index.ts';
import { flamestack } from '../../src/openai-agents.ts';
import { newLocation } from '../store/folder.ts';
import { expectAllSaid } from './agent.ts';
import {
  about,
  refuseChat,
  refuseResponses,
  said,
  signatureOf,
  startProvider,
  type Body,
  type Provider,
  type Route,
} from './provider.ts';

// A life in which the Agents SDK runs the loop: whole and in streams, over both APIs of OpenAI, with
// thinking, calls in parallel, images, an overflow, a stream that is stopped,
// and a host that is killed while a tool runs.

setTracingDisabled(true);
const turns = 24;
const data =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const error = (message: string) => ({
  error: { message, type: 'invalid_request_error', code: null },
});

/** Whether tools answered what the model is asked last. */
const isAnswered = (last: string): boolean => /file \d|images of read|<title>Part/.test(last);

/** A name and arguments for each call of an answer; a frame is entered once. */
const callsOf = (body: Body, n: number): readonly (readonly [string, object])[] => {
  const text = JSON.stringify(body);
  const isPushing = text.includes('enter a frame') && !text.includes('<title>Part');
  const frame = ['frame_push', { title: `Part ${n}`, criteria: 'It is read.' }] as const;
  const read = ['read', { path: 'a' }] as const;
  return [read, read, ...(isPushing ? [frame] : [])];
};

const responses: Route = {
  refuse: refuseResponses,
  error,
  answer(body, n) {
    const last = body['input'].at(-1);
    const isLoop = last.type === 'function_call_output' || isAnswered(JSON.stringify(last.content));
    const thought = {
      type: 'reasoning',
      id: `rs_${n}`,
      summary: [{ type: 'summary_text', text: `Thought ${n}.` }],
      encrypted_content: signatureOf(`rs_${n}`),
    };
    const calls = callsOf(body, n).map(([name, given], at) => ({
      type: 'function_call',
      id: `fc_${n}_${at}`,
      call_id: `call_${n}_${at}`,
      name,
      arguments: JSON.stringify(given),
      status: 'completed',
    }));
    const text = {
      type: 'message',
      id: `msg_${n}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: said(n), annotations: [] }],
    };
    return {
      id: `resp_${n}`,
      object: 'response',
      status: 'completed',
      output: isLoop ? [thought, text] : [thought, ...calls],
      usage: {
        input_tokens: about(body),
        output_tokens: 20,
        total_tokens: about(body) + 20,
        input_tokens_details: { cached_tokens: 7 },
        output_tokens_details: { reasoning_tokens: 5 },
      },
    };
  },
  events: (answer) => [
    { type: 'response.created', response: { ...answer, output: [] } },
    ...(answer['output'] as Body[]).flatMap((item, at): Body[] => [
      { type: 'response.output_item.added', output_index: at, item },
      ...(item['type'] !== 'message'
        ? []
        : item['content'][0].text.match(/[^]{1,40}/g).map((delta: string) => ({
            type: 'response.output_text.delta',
            output_index: at,
            item_id: item['id'],
            delta,
          }))),
      { type: 'response.output_item.done', output_index: at, item },
    ]),
    { type: 'response.completed', response: answer },
  ],
};

const chat: Route = {
  refuse: refuseChat,
  error,
  answer(body, n) {
    const last = body['messages'].at(-1);
    const isLoop = last.role === 'tool' || isAnswered(JSON.stringify(last.content));
    const calls = callsOf(body, n).map(([name, given], at) => ({
      id: `call_${n}_${at}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(given) },
    }));
    const message = isLoop ? { content: said(n) } : { content: null, tool_calls: calls };
    return {
      id: `c_${n}`,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', refusal: null, ...message },
          finish_reason: isLoop ? 'stop' : 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: about(body),
        completion_tokens: 20,
        total_tokens: about(body) + 20,
        prompt_tokens_details: { cached_tokens: 7 },
      },
    };
  },
  events(answer) {
    const [{ message, finish_reason }] = answer['choices'];
    const chunk = (delta: object, end: string | null = null) => ({
      id: answer['id'],
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: end }],
    });
    const texts: string[] = message.content?.match(/[^]{1,40}/g) ?? [];
    const calls: Body[] = message.tool_calls ?? [];
    return [
      ...texts.map((content) => chunk({ content })),
      ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
      chunk({}, finish_reason),
      { ...chunk({}), choices: [], usage: answer['usage'] },
    ];
  },
};

function newAgent(session: Session, model: Model) {
  let onHang: (() => void) | null = null;
  let turn = 0;
  const read = tool({
    name: 'read',
    description: 'Reads a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
    async execute() {
      onHang?.();
      if (onHang !== null) await new Promise(() => {});
      const text = `file ${turn}\n${'const line = 1; '.repeat(60)}`;
      if (turn !== 4) return text;
      return [
        { type: 'text', text },
        { type: 'image', image: { data, mediaType: 'image/png' } },
      ];
    },
  });
  const flame = flamestack(session, { sessionTools: 'all' });
  const agent = new Agent({
    name: 'Reader',
    instructions: 'You are careful.',
    model: flame.model(model),
    modelSettings: { store: false, parallelToolCalls: true },
    tools: [read, ...flame.tools],
  });
  return {
    agent,
    at: (now: number) => void (turn = now),
    /** Resolves when a tool runs, which then never ends. */
    hang: () => new Promise<void>((resolve) => void (onHang = resolve)),
  };
}

async function takeTurn(agent: Agent, turn: number, provider: Provider): Promise<void> {
  const stop = new AbortController();
  const text = `Turn ${turn}: read two files${turn === 9 ? ', enter a frame' : ''}.`;
  const seen = { type: 'input_image', image: `data:image/png;base64,${data}` } as const;
  const content = [{ type: 'input_text', text } as const, ...(turn === 2 ? [seen] : [])];
  const input = [{ role: 'user', content } as const];
  if (turn % 2 === 0) {
    await run(agent, turn === 0 ? text : input);
    return;
  }
  const stream = await run(agent, input, { stream: true, signal: stop.signal });
  let results = 0;
  for await (const event of stream) {
    if (turn !== 5) continue;
    if (event.type === 'run_item_stream_event' && event.name === 'tool_output') {
      results += 1;
      if (results === 2) provider.hang();
    }
    if (results < 2 || event.type !== 'raw_model_stream_event') continue;
    if (event.data.type !== 'output_text_delta') continue;
    stop.abort();
    break;
  }
  await stream.completed.catch((failure: unknown) => {
    if (turn !== 5) throw failure;
  });
}

test.each([
  { api: 'Responses', path: '/responses', route: responses },
  { api: 'chat completions', path: '/chat/completions', route: chat },
])('a life that agents of OpenAI live over $api is refused nowhere', async ({ path, route }) => {
  await using provider = await startProvider({ [path]: route });
  const useResponses = path === '/responses';
  const models = new OpenAIProvider({ baseURL: provider.url, apiKey: 'none', useResponses });
  const model = await models.getModel('gpt-5');
  const location = await newLocation();
  let compressions = 0;
  for (let turn = 0; turn < turns;) {
    await using store = await openStore(location);
    const session = await store.open('life', { window: 12_000, reserve: 1_000, model: 'gpt-5' });
    const { agent, at, hang } = newAgent(session, model);
    for (const end = turn + turns / 2; turn < end; turn += 1) {
      at(turn);
      if (turn === 3)
        provider.overflow(
          "This model's maximum context length is 10000 tokens. However, your messages resulted in 12012 tokens.",
        );
      await takeTurn(agent, turn, provider);
    }
    compressions = session.state.compressions;
    expect(session.state.usage?.cachedInputTokens).toBe(7);
    if (turn === turns) await expectAllSaid(session, turns);
    else expect(session.state.budget.window).toBe(10_000);
    // The host is killed while a tool runs.
    const hangs = hang();
    void run(agent, 'Read once more.').catch(() => {});
    await hangs;
  }
  expect(provider.refused).toEqual([]);
  expect(compressions).toBeGreaterThan(1);
  const sent = JSON.stringify(provider.taken);
  expect(sent).toContain(data);
  expect(sent).toContain('images of read');
  if (useResponses) expect(sent).toContain(signatureOf('rs_1'));
});
