import { MemorySaver } from '@langchain/langgraph';
import { AIMessage, createAgent, HumanMessage, tool, type BaseMessage } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openStore, type Session, type Store } from '../../../src/index.ts';
import { flamestackMiddleware, type FlamestackMiddlewareOptions } from '../../../src/langchain.ts';
import { ChatModel, type Asked } from './chat-model.ts';

const read = tool(({ path }) => `text of ${path}`, {
  name: 'read',
  description: 'Reads a file.',
  schema: z.object({ path: z.string() }),
});

const call = (id: string, name: string, args: object = {}) =>
  ({ type: 'tool_call', id, name, args }) as const;

/** An answer under the id that every answer has: some servers do so. */
const answer = (
  content: AIMessage['content'],
  ...calls: readonly ReturnType<typeof call>[]
): AIMessage =>
  new AIMessage({
    id: 'chatcmpl-scripted',
    content,
    tool_calls: [...calls] as never,
    usage_metadata: {
      input_tokens: 90,
      output_tokens: 5,
      total_tokens: 95,
      input_token_details: { cache_read: 40 },
    },
    response_metadata: { finish_reason: 'stop' },
  } as never);

/** An agent whose model answers by a script, and what its model was asked. */
function newAgent(
  store: Store,
  answers: readonly (AIMessage | Error)[],
  options: Partial<FlamestackMiddlewareOptions> = {},
) {
  const asked: Asked[] = [];
  const model = new ChatModel((one) => {
    asked.push(one);
    const next = answers[asked.length - 1] ?? new Error(`no answer ${asked.length}`);
    if (next instanceof Error) throw next;
    return next;
  });
  const agent = createAgent({
    model,
    tools: [read],
    systemPrompt: 'You are careful.',
    checkpointer: new MemorySaver(),
    middleware: [flamestackMiddleware({ store, session: { window: 32_000 }, ...options })],
  });
  const say = (text: string, thread = 'one') =>
    agent.invoke({ messages: [new HumanMessage(text)] }, { configurable: { thread_id: thread } });
  return { agent, asked, say };
}

async function logOf(session: Session): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const entry of session.log()) {
    const calls = entry.role === 'assistant' ? (entry.toolCalls ?? []) : [];
    const text = typeof entry.content === 'string' ? entry.content : JSON.stringify(entry.content);
    lines.push(`${entry.role}: ${[text, ...calls.map(({ name }) => `→${name}`)].join(' ').trim()}`);
  }
  return lines;
}

const typesOf = (messages: readonly BaseMessage[]): readonly string[] =>
  messages.map(({ type }) => type);

test('what an agent says is in the session of its thread, once, though all answers have one id', async () => {
  await using store = await openStore(':memory:');
  const { say, asked } = newAgent(store, [
    answer('', call('c1', 'read', { path: 'a.ts' }), call('c2', 'read', { path: 'b.ts' })),
    answer('Both are there.'),
    answer('As I said.'),
    answer('Hello.'),
  ]);
  await say('Read two files.');
  const { messages } = await say('And?');
  await say('Hi.', 'other');
  expect(typesOf(messages)).toEqual(['human', 'ai', 'tool', 'tool', 'ai', 'human', 'ai']);
  const session = await store.open('one');
  expect(await logOf(session)).toEqual([
    'user: Read two files.',
    'assistant: →read →read',
    'tool: text of a.ts',
    'tool: text of b.ts',
    'assistant: Both are there.',
    'user: And?',
    'assistant: As I said.',
  ]);
  expect(await logOf(await store.open('other'))).toEqual(['user: Hi.', 'assistant: Hello.']);
  expect(session.state.usage?.cachedInputTokens).toBe(40);
  expect(typesOf(asked[2]!.messages)).toEqual([
    'system',
    'human',
    'ai',
    'tool',
    'tool',
    'ai',
    'human',
  ]);
  expect(asked[0]!.messages[0]!.text).toBe('You are careful.');
  expect(asked[0]!.tools.map(({ function: { name } }) => name)).toEqual(
    expect.arrayContaining(['read', 'recall', 'frame_push']),
  );
});

test('a frame is entered when the other results of the answer are in', async () => {
  await using store = await openStore(':memory:');
  const { say, asked } = newAgent(store, [
    answer(
      '',
      call('c1', 'frame_push', { title: 'Look', criteria: 'It was looked.' }),
      call('c2', 'read', { path: 'a.ts' }),
    ),
    answer('', call('c3', 'frame_pop', { status: 'completed', results: 'All is well.' })),
    answer('', call('c4', 'frame_edit', { frame: 'f99', title: 'No' })),
    answer('Done.'),
  ]);
  await say('Look at it.');
  expect(asked[1]!.messages.at(-1)!.text).toMatch(/in_progress[^>]*>\n *<title>Look/);
  const session = await store.open('one');
  const root = session.frames.tree();
  expect(root.children.map(({ status }) => status)).toEqual(['completed']);
  const results: string[] = [];
  for await (const { frame, role } of session.log()) if (role === 'tool') results.push(frame);
  expect(results.slice(0, 2)).toEqual([root.id, root.id]);
  expect(asked[3]!.messages.at(-1)).toMatchObject({ status: 'error', tool_call_id: 'c4' });
});

test('what was thought goes back signed, images go along, and broken calls are named', async () => {
  await using store = await openStore(':memory:');
  const thought = { type: 'thinking', thinking: 'I look.', signature: 'EuYB' };
  const broken = answer('Oh.');
  broken.invalid_tool_calls = [{ id: 'c9', name: 'read', args: '{"pa', type: 'invalid_tool_call' }];
  const { agent, asked, say } = newAgent(store, [
    answer(
      [thought, { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } }],
      call('c1', 'read', { path: 'a' }),
    ),
    broken,
    answer('A dot.'),
  ]);
  await say('Go.');
  expect(asked[1]!.messages[2]!.content).toEqual([
    thought,
    { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
  ]);
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } };
  const content = [{ type: 'text', text: 'What is it?' }, image];
  await agent.invoke(
    { messages: [new HumanMessage({ content })] },
    { configurable: { thread_id: 'one' } },
  );
  expect(asked[2]!.messages.at(-1)!.content).toEqual(content);
  const log = await logOf(await store.open('one'));
  expect(log[3]).toBe(
    'assistant: [{"type":"text","text":"Oh."},{"type":"text","text":"[invalid call {\\"id\\":\\"c9\\",\\"name\\":\\"read\\",\\"args\\":\\"{\\\\\\"pa\\",\\"type\\":\\"invalid_tool_call\\"}]"}]',
  );
  expect((await (await store.open('one')).entry('e2')) as object).toMatchObject({
    thinking: 'I look.',
  });
});

test('many threads are open for moments, and a call without a thread is refused', async () => {
  await using store = await openStore(':memory:');
  const threads = Array.from({ length: 6 }, (_, n) => `thread-${n}`);
  const { say, agent } = newAgent(
    store,
    [...threads, ...threads].map(() => answer('Yes.')),
    { open: 2, sessionTools: 'none' },
  );
  for (const thread of [...threads, ...threads]) await say('Hi.', thread);
  expect(await logOf(await store.open('thread-0'))).toHaveLength(4);
  await expect(
    agent.invoke({ messages: [new HumanMessage('Hi.')] }, { configurable: { thread_id: '' } }),
  ).rejects.toThrow('thread_id');
});
