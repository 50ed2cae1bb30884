// A turn of an agent over the Responses API, with a tool and what was thought. Without OPENAI_API_KEY a
// scripted server in this file answers. For chat completions say `toChat` and `fromChat`.
//
//   npm i <clone>/flamestack-*.tgz openai && node openai.mjs

import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import OpenAI from 'openai';
import { openStore } from 'flamestack';
import { fromResponses, toResponses, usageOf } from 'flamestack/openai';

const scripted = process.env.OPENAI_API_KEY ? null : await startScripted();
const client = new OpenAI(scripted ? { baseURL: scripted.url, apiKey: 'none' } : {});
const model = 'gpt-5';
const clock = {
  name: 'clock',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: {} },
};

const store = await openStore(':memory:');
const session = await store.open('time', { window: 400_000, model, system: 'You are brief.' });
await session.append({ role: 'user', content: 'What time is it?' });
for (;;) {
  const assembly = await session.assemble({ tools: [clock] });
  const answer = await client.responses.create({
    model,
    store: false, // the server keeps nothing, so what was thought goes back with each request
    include: ['reasoning.encrypted_content'],
    ...toResponses(assembly, { tools: [clock] }),
  });
  const message = fromResponses(answer);
  await session.append(message, { assembly: assembly.id, usage: usageOf(answer) });
  if (!message.toolCalls) break;
  for (const { id: toolCallId } of message.toolCalls)
    await session.append({ role: 'tool', toolCallId, content: 'nine' });
}
console.log((await session.entry('e4')).content); // → It is nine.
console.log(session.state.usage.reasoningTokens); // → 3
scripted?.close();
await store.close();

/** Thinks and calls the clock, then answers; a call without the thinking before it is refused. */
async function startScripted() {
  const server = createServer(async (request, response) => {
    const { input } = await json(request);
    const thought = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'clock', arguments: '{}' },
    ];
    const text = [{ type: 'output_text', text: 'It is nine.', annotations: [] }];
    const isFirst = input.length === 1;
    const isWhole = isFirst || input[1].type === 'reasoning';
    const output = isFirst ? thought : [{ type: 'message', role: 'assistant', content: text }];
    const usage = {
      input_tokens: 20,
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 3 },
    };
    const error = { message: "Item 'fc_1' was provided without its required 'reasoning' item" };
    response.writeHead(isWhole ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isWhole ? { id: 'resp', status: 'completed', output, usage } : { error }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => server.close().closeAllConnections();
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}
