import { MemorySaver } from '@langchain/langgraph';
import { AIMessage, createAgent, HumanMessage, tool, type BaseMessage } from 'langchain';
import { expect, test } from 'vitest';
import { openStore, type Session } from '../../src/index.ts';
import { flamestackMiddleware } from '../../src/langchain.ts';
import { ChatModel, type Asked } from '../adapters/langchain/chat-model.ts';
import { newLocation } from '../store/folder.ts';
import { about, refuseMessages, said, signatureOf, startProvider, type Body } from './provider.ts';

// A life in which LangChain runs the loop, over HTTP: threads in one store, thinking, calls in parallel, an
// image, an overflow, a call that is stopped, and a host that is killed while a tool runs.

const turns = 24;
const image = {
  type: 'image_url',
  image_url: {
    url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
};

/** An answer of the Messages API; the same id for all, as some servers have it. */
function answer(body: Body, n: number): object {
  const isLoop = body['messages'].at(-1).content.at(-1).type === 'tool_result';
  const thought = `Thought ${n}.`;
  const thinking = { type: 'thinking', thinking: thought, signature: signatureOf(thought) };
  const use = (at: number) => ({
    type: 'tool_use',
    id: `toolu_${n}_${at}`,
    name: 'read',
    input: { path: `${n}.${at}` },
  });
  const content = isLoop ? [thinking, { type: 'text', text: said(n) }] : [thinking, use(0), use(1)];
  return { id: 'msg_scripted', content, usage: { input_tokens: about(body), output_tokens: 20 } };
}

/** Messages as the Messages API has them. */
function toBody(messages: readonly BaseMessage[]): Body {
  const all: { role: string; content: object[] }[] = [];
  for (const message of messages) {
    const { type, content } = message;
    if (type === 'system') continue;
    const blocks = (
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    ) as Body[];
    const shown = blocks.map((block) =>
      block['type'] === 'image_url' ? { type: 'image', source: block['image_url'] } : block,
    );
    const { tool_call_id: id, tool_calls: calls = [] } = message as unknown as Body;
    const made = (calls as Body[]).filter(
      (call) => !shown.some((one) => 'id' in one && one['id'] === call['id']),
    );
    const used = made.map((call) => ({
      type: 'tool_use',
      id: call['id'],
      name: call['name'],
      input: call['args'],
    }));
    const parts =
      type === 'tool'
        ? [{ type: 'tool_result', tool_use_id: id, content: shown }]
        : [...shown.filter((one) => !('text' in one) || one['text'] !== ''), ...used];
    const role = type === 'ai' ? 'assistant' : 'user';
    const last = all.at(-1);
    if (last?.role === role) last.content.push(...parts);
    else all.push({ role, content: parts });
  }
  return { messages: all, max_tokens: 1_000, thinking: { type: 'enabled' } };
}

/** Asks a provider, as the client of a provider does. */
const asking =
  (url: string) =>
  async ({ messages, signal }: Asked): Promise<AIMessage> => {
    const response = await fetch(`${url}/messages`, {
      method: 'POST',
      body: JSON.stringify(toBody(messages)),
      ...(signal !== undefined && { signal }),
    });
    const body = (await response.json()) as Body;
    if (!response.ok) throw new Error(body['error'].message);
    const calls = (body['content'] as Body[]).filter(({ type }: Body) => type === 'tool_use');
    const { input_tokens, output_tokens } = body['usage'];
    return new AIMessage({
      id: body['id'],
      content: body['content'],
      tool_calls: calls.map(({ id, name, input: args }: Body) => ({
        type: 'tool_call' as const,
        id,
        name,
        args,
      })),
      usage_metadata: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
    } as never);
  };

test('a life that LangChain runs, in two threads, is refused nowhere', async () => {
  await using provider = await startProvider({
    '/messages': {
      refuse: refuseMessages,
      answer,
      error: (message) => ({ error: { message } }),
    },
  });
  const location = await newLocation();
  const checkpointer = new MemorySaver();
  let compressions = 0;
  for (let turn = 0; turn < turns;) {
    await using store = await openStore(location);
    let onHang: (() => void) | null = null;
    const read = tool(
      async ({ path }: { path: string }) => {
        onHang?.();
        if (onHang !== null) await new Promise(() => {});
        return `file ${path}\n${'const line = 1; '.repeat(60)}`;
      },
      {
        name: 'read',
        description: 'Reads a file.',
        schema: { type: 'object', properties: { path: { type: 'string' } } },
      },
    );
    const agent = createAgent({
      model: new ChatModel(asking(provider.url)),
      tools: [read],
      systemPrompt: 'You are careful.',
      checkpointer,
      middleware: [
        flamestackMiddleware({ store, session: { window: 10_000, reserve: 1_000 }, open: 1 }),
      ],
    });
    const say = (content: string | object[], thread = 'one', signal?: AbortSignal) =>
      agent.invoke(
        { messages: [new HumanMessage({ content: content as never })] },
        { configurable: { thread_id: thread }, ...(signal !== undefined && { signal }) },
      );
    for (const end = turn + turns / 2; turn < end; turn += 1) {
      const text = `Turn ${turn}: read two files.`;
      if (turn === 3) provider.overflow('prompt is too long: 10012 tokens > 9000 maximum');
      await say(turn === 2 ? [{ type: 'text', text }, image] : text);
      if (turn % 6 === 0) await say(`Beside ${turn}: read two files.`, 'other');
      if (turn === 5)
        await expect(say('Stop.', 'one', AbortSignal.abort())).rejects.toThrow(/abort/i);
    }
    const session = await store.open('one');
    compressions = session.state.compressions;
    if (turn === turns) await check(session, await store.open('other'));
    const hangs = new Promise<void>((resolve) => void (onHang = resolve));
    const stop = new AbortController();
    void say('Read once more.', 'one', stop.signal).catch(() => {});
    await hangs;
    stop.abort();
  }
  expect(provider.refused).toEqual([]);
  expect(compressions).toBeGreaterThan(1);
  const sent = JSON.stringify(provider.taken);
  expect(sent).toContain('"type":"image"');
  expect(sent).toContain(signatureOf('Thought 1.'));
});

/** All that was said is in the log of its thread, once. */
async function check(one: Session, other: Session): Promise<void> {
  expect(await countsOf(one)).toEqual({
    user: turns + 1,
    assistant: 2 * turns + 1,
    tool: 2 * turns,
  });
  expect(await countsOf(other)).toEqual({ user: 4, assistant: 8, tool: 8 });
}

async function countsOf(session: Session): Promise<Readonly<Record<string, number>>> {
  const counts = new Map<string, number>();
  for await (const { role } of session.log()) counts.set(role, (counts.get(role) ?? 0) + 1);
  return Object.fromEntries(counts);
}
