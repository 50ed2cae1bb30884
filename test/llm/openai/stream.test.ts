import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatReply, ChatRequest } from '../../../src/llm/chat-model.ts';
import { openaiModel } from '../../../src/llm/openai/openai-compatible.ts';
import { startOpenAIServer } from '../../../src/testing/openai-server.ts';
import { assemblyOf } from '../../core/formats/wire-arbitrary.ts';
import { stubServer } from '../stub-server.ts';
import { draws } from '../../draws.ts';

const request: ChatRequest = {
  assembly: assemblyOf([{ role: 'user', content: 'Hi' }]) as ChatRequest['assembly'],
};

interface Heard {
  readonly reply: ChatReply;
  readonly text: string;
  readonly thinking: string;
}

/** What comes of a stream whose bytes arrive in `chunks`. */
async function heardOf(chunks: readonly Uint8Array[]): Promise<Heard> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const headers = { 'content-type': 'text/event-stream' };
  const heard = { text: '', thinking: '' };
  const model = openaiModel({
    baseURL: 'http://127.0.0.1:9',
    model: 'm',
    fetch: () => Promise.resolve(new Response(body, { headers })),
  });
  const reply = await model.reply(request, {
    onText: (text) => void (heard.text += text),
    onThinking: (thinking) => void (heard.thinking += thinking),
  });
  return { reply, ...heard };
}

function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('<think>', '</think>', '\n\n', 'data: x', '世界', '👩‍🚀', '\r', '{"a":1}'),
);
const delta = fc.oneof(
  words.map((content) => ({ content })),
  words.map((reasoning_content) => ({ reasoning_content })),
  fc.record({ index: fc.nat(2), arguments: words }).map(({ index, arguments: given }) => ({
    tool_calls: [{ index, function: { name: `tool${index}`, arguments: given } }],
  })),
);
const line = fc.constantFrom('\n', '\r\n');
const between = fc.constantFrom('', ': keep-alive\n\n', ':\r\n', 'retry: 10\n\n');

const streams = fc
  .tuple(fc.array(fc.tuple(delta, between), { maxLength: 12 }), line)
  .map(([deltas, newline]) => {
    const events = deltas.map(
      ([one, gap]) => [gap, { choices: [{ index: 0, delta: one }] }] as const,
    );
    const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const usage = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } };
    const written = [...events, ['', last] as const, ['', usage] as const].map(
      ([gap, event]) => `${gap}data: ${JSON.stringify(event)}${newline}${newline}`,
    );
    return {
      deltas: deltas.map(([one]) => one),
      text: `${written.join('')}data: [DONE]${newline}${newline}`,
    };
  });

test('any split of a stream gives the same message', async () => {
  await fc.assert(
    fc.asyncProperty(streams, fc.array(fc.nat(), { maxLength: 40 }), async ({ text }, places) => {
      const bytes = new TextEncoder().encode(text);
      const whole = await heardOf([bytes]);
      expect(await heardOf(cutAt(bytes, places))).toEqual(whole);
      expect(whole.reply.message.content).toBe(whole.text);
    }),
  );
});

test('byte by byte a stream gives the same message', async () => {
  await fc.assert(
    fc.asyncProperty(streams, async ({ text }) => {
      const bytes = new TextEncoder().encode(text);
      const bits = Array.from(bytes, (byte) => Uint8Array.of(byte));
      expect(await heardOf(bits)).toEqual(await heardOf([bytes]));
    }),
    { numRuns: draws(200) },
  );
});

test('nothing that a stream says is lost', async () => {
  await fc.assert(
    fc.asyncProperty(streams, async ({ deltas, text }) => {
      const { reply, text: heard, thinking } = await heardOf([new TextEncoder().encode(text)]);
      const said = deltas.map((one) => ('content' in one ? one.content : '')).join('');
      const thought = deltas
        .map((one) => ('reasoning_content' in one ? one.reasoning_content : ''))
        .join('');
      if (!said.trimStart().startsWith('<think>'))
        expect([heard, thinking]).toEqual([said, thought]);
      const tags = /<\/?think>|\s/g;
      const bare = (words: string): string =>
        words.replaceAll(tags, '').split('').toSorted().join('');
      expect(bare(heard + thinking)).toBe(bare(said + thought));
      expect(reply.usage).toEqual({ inputTokens: 3, outputTokens: 4 });
    }),
  );
});

test.each([1, 2, 3, 7])(
  'over a socket in chunks of %i bytes an answer is the same',
  async (chunk) => {
    const content = '<think>größer…</think>\n\nGrüße, 世界 👩‍🚀';
    const toolCalls = [{ id: 'a', name: 'read', arguments: { path: 'naïve/世界.ts' } }];
    const reply = { content, toolCalls, chunk, comments: true, piece: 5 };
    await using server = await startOpenAIServer({ reply });
    const { message } = await openaiModel({ baseURL: server.url, model: 'scripted' }).reply(
      request,
    );
    expect(message).toEqual({
      role: 'assistant',
      content: 'Grüße, 世界 👩‍🚀',
      thinking: 'größer…',
      toolCalls,
      finish: 'tool_calls',
    });
  },
);

test('the last event counts though no line follows it', async () => {
  const last = 'data: {"choices":[{"delta":{"content":"Yes"},"finish_reason":"stop"}]}';
  const { reply } = await heardOf([new TextEncoder().encode(last)]);
  expect(reply.message).toEqual({ role: 'assistant', content: 'Yes', finish: 'stop' });
});

test('what follows the end is not waited for', async () => {
  const text =
    'data: {"choices":[{"delta":{"content":"Yes"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  await using server = await stubServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text);
  });
  const { message } = await openaiModel({ baseURL: server.url, model: 'm' }).reply(request);
  expect(message.content).toBe('Yes');
  await server.left;
});

test.each([
  '{"choices":{}}',
  '{"choices":[null]}',
  '{"choices":["text"]}',
  '{"choices":[{"delta":"text"}]}',
  '{"choices":[{"delta":{"tool_calls":{"0":{}}}}]}',
  '{"choices":[{"delta":{"tool_calls":[null]}}]}',
  '{"choices":[{"delta":{"tool_calls":[{"function":"read"}]}}]}',
  '{"choices":[{"delta":{"content":42}}]}',
  '{"choices":[{"delta":{"content":[null]}}]}',
  '{"choices":[{"delta":{"reasoning_content":{}}}]}',
  '{"choices":[{"finish_reason":{}}]}',
])('an answer of another shape is a model error: %s', async (chunk) => {
  const events = `data: ${chunk}\n\ndata: [DONE]\n\n`;
  await expect(heardOf([new TextEncoder().encode(events)])).rejects.toMatchObject({
    code: 'MODEL_INTERRUPTED',
  });
  const reply = { raw: chunk.replaceAll('delta', 'message'), type: 'application/json' };
  await using server = await startOpenAIServer({ reply });
  const asked = openaiModel({ baseURL: server.url, model: 'scripted' });
  await expect(asked.reply(request)).rejects.toMatchObject({ code: 'MODEL_FAILED' });
});

test('content in parts is their text', async () => {
  const content = [{ type: 'text', text: 'Yes' }, { type: 'image_url' }, 'x'];
  const chunk = { choices: [{ delta: { content }, finish_reason: 'stop' }] };
  const { reply } = await heardOf([new TextEncoder().encode(`data: ${JSON.stringify(chunk)}`)]);
  expect(reply.message.content).toBe('Yesx');
});
