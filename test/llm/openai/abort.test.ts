import { expect, test } from 'vitest';
import { openaiModel } from '../../../src/llm/openai/openai-compatible.ts';
import { startOpenAIServer } from '../../../src/testing/openai-server.ts';
import { commonCalls, never, reason, request, testAborts } from '../aborts.ts';

const model = 'scripted';

/** An answer that never comes to its third word where it `halts`. */
const replyThat = (halts: boolean) => ({
  content: 'one two three',
  piece: 4,
  before: (event: number) => (halts && event === 3 ? never : undefined),
});

testAborts(
  commonCalls,
  ({ url = 'http://127.0.0.1:9', fetch }) =>
    openaiModel({ baseURL: url, model, ...(fetch && { fetch }) }),
  {
    async serve(halts) {
      const server = await startOpenAIServer({ reply: replyThat(halts) });
      return { server, isAborted: () => server.chats[0]?.aborted };
    },
    packet: {
      type: 'text/event-stream',
      body: ['a', 'b']
        .map((content) => ({ delta: { content, reasoning: `thought of ${content}` } }))
        .map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`)
        .join(''),
      first: 'thought of a',
    },
    fetch: (address, { signal, ...sent } = {}) => fetch(address, signal ? sent : {}),
  },
);

test('a listener that throws ends the request', async () => {
  await using server = await startOpenAIServer({ reply: replyThat(true) });
  const outcome = openaiModel({ baseURL: server.url, model }).reply(request, {
    onText() {
      throw reason;
    },
  });
  await expect(outcome).rejects.toBe(reason);
  await server.idle();
  expect(server.chats[0]!.aborted).toBe(true);
});
