// A turn of an agent that the AI SDK runs: its loop, its tools, our prompts. Its mock model takes the place of a
// provider: `anthropic('claude-sonnet-4-5')` of @ai-sdk/anthropic, or any other, stands there in your program.
//
//   npm i <clone>/flamestack-*.tgz ai zod && node ai-sdk.mjs

import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { openStore } from 'flamestack';
import { flamestack } from 'flamestack/ai-sdk';

const usage = { inputTokens: { total: 20, cacheRead: 15 }, outputTokens: { total: 9, reasoning: 3 } };
const signed = { anthropic: { signature: 'EuYB' } };
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const last = prompt.at(-1);
    if (last.role === 'tool') {
      const [thought] = prompt.at(-2).content; // what was thought comes back, with its signature
      const text = thought.providerOptions.anthropic.signature === 'EuYB' ? 'It is nine.' : 'Hm?';
      const finishReason = { unified: 'stop' };
      return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
    }
    const content = [
      { type: 'reasoning', text: 'I need the clock.', providerMetadata: signed },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'clock', input: '{}' },
    ];
    return { content, finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
  },
});
const clock = tool({
  description: 'Tells the time.',
  inputSchema: jsonSchema({ type: 'object', properties: {} }),
  execute: () => 'nine',
});

const store = await openStore(':memory:');
const session = await store.open('time', { window: 200_000, system: 'You are brief.' });
const flame = flamestack(session, { tools: { clock } });
const prompt = 'What time is it?';
const { text } = await generateText({ model, ...flame.options, stopWhen: stepCountIs(9), prompt });

console.log(text); // → It is nine.
console.log((await session.entry('e3')).content); // → nine
console.log(session.state.usage.cachedInputTokens); // → 15
await store.close();
