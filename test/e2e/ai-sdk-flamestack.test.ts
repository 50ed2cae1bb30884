import { createAnthropic } from '@ai-sdk/anthropic';
import * as six from 'ai';
import * as five from 'ai5';
import { expect, test } from 'vitest';
import { flamestack } from '../../src/ai-sdk.ts';
import { openStore, type Session } from '../../src/index.ts';
import { newLocation } from '../store/folder.ts';
import { expectAllSaid } from './agent.ts';
import {
  about,
  messageEvents,
  refuseMessages,
  said,
  signatureOf,
  startProvider,
  type Body,
  type Provider,
} from './provider.ts';

// A life in which the SDK runs the loop: whole and in streams, with thinking and tools, an image, an
// overflow, a stream that is stopped, and a host that is killed while a tool runs.

type Sdk = typeof six;
type Flame = ReturnType<typeof newFlame>;

const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const turns = 32;

function answer(body: Body, n: number): object {
  const last = body['messages'].at(-1).content;
  const isEntered = /<title>Part/.test(JSON.stringify(body['messages']));
  const asksFrame = /enter a frame/.test(JSON.stringify(body['messages'])) && !isEntered;
  const isLoop =
    last.at(-1).type === 'tool_result' || /<title>Part/.test(JSON.stringify(last.at(-1)));
  const thought = `Thought ${n}.`;
  const thinking = { type: 'thinking', thinking: thought, signature: signatureOf(thought) };
  const use = (at: number, name = 'read', input: object = { path: `${n}.${at}` }) => ({
    type: 'tool_use',
    id: `toolu_${n}_${at}`,
    name,
    input,
  });
  const frame = use(2, 'frame_push', { title: `Part ${n}`, criteria: 'It is read.' });
  const content = isLoop
    ? [thinking, { type: 'text', text: said(n) }]
    : [thinking, use(0), use(1), ...(asksFrame ? [frame] : [])];
  return {
    id: `msg_${n}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: isLoop ? 'end_turn' : 'tool_use',
    usage: { input_tokens: about(body), output_tokens: 20 },
  };
}

/** The models of version 3 of the specification as those of version 2, which version 5 of the SDK takes. */
function asVersion2(model: object): object {
  const flat = (end: Body): Body => ({
    ...end,
    finishReason: end['finishReason'].unified,
    usage: {
      inputTokens: end['usage'].inputTokens.total,
      outputTokens: end['usage'].outputTokens.total,
      totalTokens: undefined,
    },
  });
  const third = model as Body;
  return {
    specificationVersion: 'v2',
    provider: third['provider'],
    modelId: third['modelId'],
    supportedUrls: third['supportedUrls'],
    doGenerate: async (params: Body) => flat(await third['doGenerate'](params)),
    async doStream(params: Body) {
      const given = await third['doStream'](params);
      const flatten = new TransformStream<Body, Body>({
        transform: (part, controller) =>
          controller.enqueue(part['type'] === 'finish' ? flat(part) : part),
      });
      return { ...given, stream: given.stream.pipeThrough(flatten) };
    },
  };
}

function newFlame(sdk: Sdk, session: Session) {
  let onHang: (() => void) | null = null;
  const read = sdk.tool({
    description: 'Reads a file.',
    inputSchema: sdk.jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
    }),
    async execute({ path }) {
      onHang?.();
      if (onHang !== null) await new Promise(() => {});
      return `file ${path}\n${'const line = 1; '.repeat(60)}`;
    },
  });
  return {
    ...flamestack(session, { tools: { read }, sessionTools: 'all' }),
    /** Resolves when a tool runs, which then never ends. */
    hang: () => new Promise<void>((resolve) => void (onHang = resolve)),
  };
}

async function takeTurn(
  { sdk, model, flame, provider }: { sdk: Sdk; model: never; flame: Flame; provider: Provider },
  turn: number,
): Promise<void> {
  const stop = new AbortController();
  const text = `Turn ${turn}: read two files${turn === 9 ? ', enter a frame' : ''}.`;
  const seen = { type: 'file', data: image, mediaType: 'image/png' } as const;
  const content = [{ type: 'text', text } as const, ...(turn === 2 ? [seen] : [])];
  const request = {
    model,
    ...flame.options,
    stopWhen: sdk.stepCountIs(6),
    maxRetries: 0,
    abortSignal: stop.signal,
    providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } } },
    messages: [{ role: 'user', content } as const],
  };
  if (turn % 2 === 0) {
    await sdk.generateText(request);
    return;
  }
  const failures: unknown[] = [];
  const result = sdk.streamText({ ...request, onError: ({ error }) => void failures.push(error) });
  if (turn !== 5) {
    await result.consumeStream();
    expect(failures).toEqual([]);
    return;
  }
  for await (const part of result.fullStream) {
    if (part.type === 'tool-result') provider.hang();
    if (part.type !== 'text-delta') continue;
    stop.abort();
    break;
  }
  await result.consumeStream();
}

test.each([
  { name: '5', sdk: five as unknown as Sdk, asVersion: asVersion2 },
  { name: '6', sdk: six, asVersion: (model: object) => model },
])('a life that the AI SDK $name runs itself is refused nowhere', async ({ sdk, asVersion }) => {
  await using provider = await startProvider({
    '/messages': {
      refuse: refuseMessages,
      answer,
      events: messageEvents,
      error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
    },
  });
  const anthropic = createAnthropic({ baseURL: provider.url, apiKey: 'none' });
  const model = asVersion(anthropic('claude-sonnet-4-5')) as never;
  const location = await newLocation();
  let compressions = 0;
  for (let turn = 0; turn < turns;) {
    await using store = await openStore(location);
    const session = await store.open('life', {
      window: 12_000,
      reserve: 1_000,
      model: 'claude-sonnet-4-5',
      system: 'You are careful.',
    });
    const flame = newFlame(sdk, session);
    for (const end = turn + turns / 2; turn < end; turn += 1) {
      if (turn === 3) provider.overflow('prompt is too long: 12012 tokens > 10000 maximum');
      await takeTurn({ sdk, model, flame, provider }, turn);
    }
    compressions = session.state.compressions;
    if (turn === turns) await expectAllSaid(session, turns);
    else expect(session.state.budget.window).toBe(10_000);
    // The host is killed while a tool runs.
    const hangs = flame.hang();
    void sdk
      .generateText({ model, ...flame.options, maxRetries: 0, prompt: 'Read once more.' })
      .catch(() => {});
    await hangs;
  }
  expect(provider.refused).toEqual([]);
  expect(compressions).toBeGreaterThan(1);
  const sent = JSON.stringify(provider.taken);
  expect(sent).toContain('"type":"image"');
  expect(sent).toContain(signatureOf('Thought 1.'));
  // The reserve, and what may be thought; without thinking for the call that was killed.
  expect(provider.taken[0]!['max_tokens']).toBe(2_024);
});
