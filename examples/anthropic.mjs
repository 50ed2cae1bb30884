// A turn of an agent over the Messages API, with thinking, a tool and the cache. Without
// ANTHROPIC_API_KEY a scripted server in this file answers, and refuses what the real one refuses.
//
//   npm i <clone>/flamestack-*.tgz @anthropic-ai/sdk && node anthropic.mjs

import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import Anthropic from '@anthropic-ai/sdk';
import { openStore } from 'flamestack';
import { fromAnthropic, toAnthropic, usageOf } from 'flamestack/anthropic';

const scripted = process.env.ANTHROPIC_API_KEY ? null : await startScripted();
const client = new Anthropic(scripted ? { baseURL: scripted.url, apiKey: 'none' } : {});
const model = 'claude-opus-5';
const clock = {
  name: 'clock',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: {} },
};

const store = await openStore(':memory:');
const session = await store.open('time', {
  window: 200_000,
  reserve: 8_000, // the client streams what may be longer than some 20,000
  model,
  system: 'You are brief.',
});
await session.append({ role: 'user', content: 'What time is it?' });
for (;;) {
  const assembly = await session.assemble({ tools: [clock] });
  const answer = await client.messages.create({
    model,
    thinking: { type: 'adaptive' },
    ...toAnthropic(assembly, { tools: [clock], cache: 'auto', thinking: true }),
  });
  const message = fromAnthropic(answer);
  await session.append(message, { assembly: assembly.id, usage: usageOf(answer) });
  if (!message.toolCalls) break;
  for (const { id: toolCallId } of message.toolCalls)
    await session.append({ role: 'tool', toolCallId, content: 'nine' });
}
console.log((await session.entry('e4')).content); // → It is nine.
console.log(session.state.usage.cachedInputTokens); // → 200
scripted?.close();
await store.close();

/** Thinks and calls the clock, then answers; a result without the thinking before its call is refused. */
async function startScripted() {
  const server = createServer(async (request, response) => {
    const { messages } = await json(request);
    const thought = [
      { type: 'thinking', thinking: 'I need the clock.', signature: 'EuYB' },
      { type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} },
    ];
    const isFirst = messages.length === 1;
    const isWhole = isFirst || messages[1].content[0].type === 'thinking';
    const content = isFirst ? thought : [{ type: 'text', text: 'It is nine.' }];
    const stop_reason = isFirst ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 20, output_tokens: 9, cache_read_input_tokens: isFirst ? 0 : 200 };
    const said = { id: 'msg', type: 'message', role: 'assistant', model, content, stop_reason, usage };
    const error = { type: 'error', error: { type: 'invalid_request_error', message: 'Expected `thinking`' } };
    response.writeHead(isWhole ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isWhole ? said : error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => server.close().closeAllConnections();
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}
