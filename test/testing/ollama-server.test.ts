import { Ollama } from 'ollama';
import { expect, test } from 'vitest';
import { startOllamaServer } from '../../src/testing/ollama-server.ts';

test('a chat is answered as the script says, and streamed in chunks', async () => {
  await using server = await startOllamaServer({ models: { 'llama3.1:8b': {} }, reply: 'one two' });
  const client = new Ollama({ host: server.url });
  const messages = [{ role: 'user', content: 'hello' }];
  const parts = [];
  for await (const part of await client.chat({ model: 'llama3.1:8b', messages, stream: true }))
    parts.push(part.message.content);
  expect(parts).toEqual(['one ', 'two', '']);
  const whole = await client.chat({ model: 'llama3.1:8b', messages });
  expect(whole.message).toEqual({ role: 'assistant', content: 'one two' });
  expect(whole.prompt_eval_count).toBe(server.log[0]?.tokens);
});
