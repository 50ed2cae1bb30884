import * as six from 'ai';
import * as five from 'ai5';
import { expect, test } from 'vitest';
import { flamestack } from '../../../src/ai-sdk.ts';
import { openStore, type Session } from '../../../src/index.ts';
import { call, say, scriptedModel, type Answer } from './scripted-model.ts';

// The same life over each version of the SDK, asked whole and in a stream.

type Sdk = typeof six;

const ways = [
  { name: '5, whole', sdk: five as unknown as Sdk, version: 'v2', way: 'generate' },
  { name: '5, streamed', sdk: five as unknown as Sdk, version: 'v2', way: 'stream' },
  { name: '6, whole', sdk: six, version: 'v3', way: 'generate' },
  { name: '6, streamed', sdk: six, version: 'v3', way: 'stream' },
] as const;

/** A turn by one of the two ways; gives the text. */
async function turn(
  sdk: Sdk,
  way: 'generate' | 'stream',
  request: Parameters<Sdk['generateText']>[0],
): Promise<string> {
  const given = { maxRetries: 0, stopWhen: sdk.stepCountIs(9), ...request };
  if (way === 'generate') return (await sdk.generateText(given)).text;
  let failure: unknown = null;
  const result = sdk.streamText({
    ...(given as object),
    onError: ({ error }: { error: unknown }) => void (failure = error),
  } as never);
  await result.consumeStream();
  if (failure !== null) throw failure;
  return result.text;
}

async function withSession(
  work: (session: Session) => Promise<void>,
  window = 32_000,
): Promise<void> {
  await using store = await openStore(':memory:');
  await work(await store.open('life', { window, system: 'You are careful.' }));
}

async function logOf(session: Session): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const entry of session.log()) {
    const calls = entry.role === 'assistant' ? (entry.toolCalls ?? []) : [];
    const text = typeof entry.content === 'string' ? entry.content : JSON.stringify(entry.content);
    lines.push([`${entry.role}:`, text, ...calls.map(({ name }) => `→${name}`)].join(' ').trim());
  }
  return lines;
}

const read = (sdk: Sdk) =>
  sdk.tool({
    description: 'Reads a file.',
    inputSchema: sdk.jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
    }),
    execute: async ({ path }) => `text of ${path}`,
  });

test.each(ways)(
  'what is said over version $name is in the log, once',
  async ({ sdk, version, way }) => {
    await withSession(async (session) => {
      const { model, calls } = scriptedModel(version, [
        [
          {
            type: 'reasoning',
            text: 'I look.',
            providerMetadata: { anthropic: { signature: 'EuYB' } },
          },
          call('c1', 'read', { path: 'a.ts' }),
          call('c2', 'read', { path: 'b.ts' }),
        ],
        [say('Both are there.')],
        [say('As I said.')],
      ]);
      const flame = flamestack(session, { tools: { read: read(sdk) } });
      expect(await turn(sdk, way, { model, ...flame.options, prompt: 'Read two files.' })).toBe(
        'Both are there.',
      );
      expect(await turn(sdk, way, { model, ...flame.options, prompt: 'And?' })).toBe('As I said.');
      expect(await logOf(session)).toEqual([
        'user: Read two files.',
        'assistant:  →read →read',
        'tool: text of a.ts',
        'tool: text of b.ts',
        'assistant: Both are there.',
        'user: And?',
        'assistant: As I said.',
      ]);
      expect(calls[1]!['prompt'].map(({ role }: { role: string }) => role)).toEqual([
        'system',
        'user',
        'assistant',
        'tool',
      ]);
      expect(calls[1]!['prompt'][2].content[0].providerOptions).toEqual({
        anthropic: { signature: 'EuYB' },
      });
      expect(calls[2]!['prompt']).toHaveLength(6);
      expect(calls[0]!['maxOutputTokens']).toBe(4_800);
      expect(calls[0]!['tools'].map(({ name }: { name: string }) => name)).toContain('frame_push');
      expect(session.state.usage?.cachedInputTokens).toBe(3);
    });
  },
);

test.each([
  ...ways.map((way) => ({ ...way, own: {} })),
  ...ways.map((way) => ({
    ...way,
    name: `${way.name}, results late`,
    own: { onStepFinish: () => {} },
  })),
])(
  'over version $name, a frame is entered when the other results of the answer are in',
  async ({ sdk, version, way, own }) => {
    await withSession(async (session) => {
      const { model, calls } = scriptedModel(version, [
        [
          call('c1', 'frame_push', { title: 'Look', criteria: 'It was looked.' }),
          call('c2', 'read', { path: 'a.ts' }),
        ],
        [call('c3', 'frame_pop', { status: 'completed', results: 'All is well.' })],
        [say('Done.')],
      ]);
      const flame = flamestack(session, { tools: { read: read(sdk) } });
      await turn(sdk, way, { model, ...flame.options, ...own, prompt: 'Look at it.' });
      expect(JSON.stringify(calls[1]!['prompt'])).toMatch(/in_progress[^>]*>\\n *<title>Look/);
      const [root] = [session.frames.tree()];
      expect(root.children.map(({ title, status }) => `${title} ${status}`)).toEqual([
        'Look completed',
      ]);
      const results: string[] = [];
      for await (const { frame, role } of session.log()) if (role === 'tool') results.push(frame);
      expect(results.slice(0, 2)).toEqual([root.id, root.id]);
    });
  },
);

test.each(ways)(
  'over version $name, a prompt that is too long is made shorter and sent again',
  async ({ sdk, version, way }) => {
    await withSession(async (session) => {
      const { model, calls } = scriptedModel(version, [
        new Error('prompt is too long: 33000 tokens > 8000 maximum'),
        [say('It fits.')],
      ]);
      const flame = flamestack(session);
      expect(await turn(sdk, way, { model, ...flame.options, prompt: 'x' })).toBe('It fits.');
      expect(session.state.budget.window).toBe(8_000);
      expect(calls).toHaveLength(2);
      expect(await logOf(session)).toEqual(['user: x', 'assistant: It fits.']);
    });
  },
);

test.each(ways)(
  'over version $name, calls of an answer that was stopped in its tools are given up',
  async ({ sdk, version, way }) => {
    await withSession(async (session) => {
      const stop = new AbortController();
      const { model, calls } = scriptedModel(version, [[call('c1', 'wait')], [say('Fine.')]]);
      const wait = sdk.tool({
        inputSchema: sdk.jsonSchema({ type: 'object', properties: {} }),
        execute: async (_, { abortSignal }) => {
          stop.abort();
          abortSignal?.throwIfAborted();
        },
      });
      const flame = flamestack(session, { tools: { wait } });
      await turn(sdk, way, {
        model,
        ...flame.options,
        prompt: 'Go.',
        abortSignal: stop.signal,
      }).catch(() => {});
      await turn(sdk, way, { model, ...flame.options, prompt: 'Again.' });
      const roles = calls[1]!['prompt'].map(({ role }: { role: string }) => role);
      expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    });
  },
);

test.each(ways)(
  'over version $name, a model with the middleware is recorded, and once where it has the options, too',
  async ({ sdk, version, way }) => {
    await withSession(async (session) => {
      const { model: plain, calls } = scriptedModel(version, [[say('One.')], [say('Two.')]]);
      const flame = flamestack(session);
      const model = sdk.wrapLanguageModel({ model: plain, middleware: flame.middleware });
      await turn(sdk, way, { model, prompt: 'First.' });
      await turn(sdk, way, { model, ...flame.options, prompt: 'Second.' });
      expect(await logOf(session)).toEqual([
        'user: First.',
        'assistant: One.',
        'user: Second.',
        'assistant: Two.',
      ]);
      expect(calls[0]!['prompt'][0]).toEqual({ role: 'system', content: 'You are careful.' });
    });
  },
);

test('what no tool of the session can do is an error to the model, and broken arguments are kept', async () => {
  await withSession(async (session) => {
    const answers: readonly Answer[] = [
      [
        call('c1', 'frame_edit', { frame: 'f99', title: 'No' }),
        { type: 'tool-call', toolCallId: 'c2', toolName: 'read', input: '{"pa' },
      ],
      [say('I see.')],
    ];
    const { model, calls } = scriptedModel('v3', answers);
    const flame = flamestack(session, { tools: { read: read(six) } });
    await turn(six, 'generate', { model, ...flame.options, prompt: 'Go.' });
    const results = calls[1]!['prompt'].at(-1).content;
    expect(results.map(({ output }: { output: { type: string } }) => output.type)).toEqual([
      'error-text',
      'error-text',
    ]);
    expect(calls[1]!['prompt'].at(-2).content[1].input).toEqual({ unparsed: '{"pa' });
  });
});

test('without tools of the session there are only those of the agent', async () => {
  await withSession(async (session) => {
    expect(Object.keys(flamestack(session, { sessionTools: 'none' }).options.tools)).toEqual([]);
    const { tools } = flamestack(session, { tools: { read: read(six) } }).options;
    expect(Object.keys(tools)).toContain('read');
  });
  await withSession(async (session) => {
    expect(Object.keys(flamestack(session).options.tools)).toEqual(['recall']);
    expect(Object.keys(flamestack(session, { sessionTools: 'all' }).options.tools)).toContain(
      'frame_pop',
    );
  }, 8_000);
});

test('a prompt has the breakpoints of a cache where that is wanted', async () => {
  await withSession(async (session) => {
    const { model, calls } = scriptedModel('v3', [[say('Yes.')]]);
    await turn(six, 'generate', {
      model,
      ...flamestack(session, { cacheControl: true }).options,
      prompt: 'x',
    });
    expect(calls[0]!['prompt'].map((one: object) => 'providerOptions' in one)).toEqual([
      true,
      true,
    ]);
  });
});
