// A turn of an agent with the AI SDK, one step at a time. Its mock model takes the place of a provider:
// `anthropic('claude-sonnet-4-5')` of @ai-sdk/anthropic, or any other, stands there in your program.
//
//   npm i flamestack ai zod && node ai-sdk.mjs

import { generateText, jsonSchema, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { openStore } from 'flamestack';
import { fromAiSdk, toAiSdk, usageOf } from 'flamestack/ai-sdk';

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
const clock = {
  name: 'clock',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: {} },
};
const tools = {
  clock: tool({
    description: clock.description,
    inputSchema: jsonSchema(clock.parameters),
    execute: () => 'nine',
  }),
};

await using store = await openStore(':memory:');
const session = await store.open('time', { window: 200_000, system: 'You are brief.' });
await session.append({ role: 'user', content: 'What time is it?' });
for (;;) {
  const assembly = await session.assemble({ tools: [clock] });
  const answer = await generateText({ model, tools, ...toAiSdk(assembly) });
  await session.append(fromAiSdk(answer), { assembly: assembly.id, usage: usageOf(answer) });
  if (answer.finishReason !== 'tool-calls') break;
}
console.log((await session.entry('e4')).content); // → It is nine.
console.log(session.state.usage.cachedInputTokens); // → 15
