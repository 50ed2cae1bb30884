// A turn of an agent over Ollama's own interface, with a tool and what was thought. Without OLLAMA_MODEL a
// scripted server answers. What was thought stays in the log.
//
//   npm i <clone>/flamestack-*.tgz ollama && node ollama.mjs

import { Ollama } from 'ollama';
import { openStore } from 'flamestack';
import { fromOllama, toOllama, usageOf } from 'flamestack/ollama';
import { startOllamaServer } from 'flamestack/testing';

const model = process.env.OLLAMA_MODEL ?? 'qwen3:8b';
const scripted = process.env.OLLAMA_MODEL
  ? null
  : await startOllamaServer({
      models: { [model]: { capabilities: ['completion', 'tools', 'thinking'] } },
      reply: [
        { thinking: 'A clock will know.', toolCalls: [{ name: 'clock', arguments: {} }] },
        'It is nine.',
      ],
    });
const client = new Ollama({ host: scripted?.url ?? process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434' });
const clock = {
  name: 'clock',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: {} },
};

const store = await openStore(':memory:');
const session = await store.open('time', { window: 16_000, model, system: 'You are brief.' });
await session.append({ role: 'user', content: 'What time is it?' });
for (;;) {
  const assembly = await session.assemble({ tools: [clock] });
  const answer = await client.chat({ model, think: true, ...toOllama(assembly, { tools: [clock] }) });
  const message = fromOllama(answer);
  await session.append(message, { assembly: assembly.id, usage: usageOf(answer) });
  if (!message.toolCalls) break;
  for (const { id: toolCallId } of message.toolCalls)
    await session.append({ role: 'tool', toolCallId, content: 'nine' });
}
console.log((await session.entry('e2')).thinking); // → A clock will know.
console.log((await session.entry('e4')).content); // → It is nine.
await store.close();
await scripted?.close();
