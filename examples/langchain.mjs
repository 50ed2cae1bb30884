// An agent of LangChain whose threads are sessions. Its scripted model takes the place of a provider:
// `new ChatAnthropic({ model: 'claude-sonnet-4-5' })` of @langchain/anthropic, or any other, stands there in your program.
//
//   npm i <clone>/flamestack-*.tgz langchain @langchain/core && node langchain.mjs

import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, createAgent, tool } from 'langchain';
import { openStore } from 'flamestack';
import { flamestackMiddleware } from 'flamestack/langchain';

class ScriptedModel extends BaseChatModel {
  constructor() {
    super({});
  }
  _llmType() {
    return 'scripted';
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const isAnswered = messages.at(-1).type === 'tool';
    const tool_calls = isAnswered ? [] : [{ id: 'call_1', name: 'clock', args: {} }];
    const message = new AIMessage({ content: isAnswered ? 'It is nine.' : '', tool_calls });
    return { generations: [{ text: message.text, message }] };
  }
}
const clock = tool(() => 'nine', {
  name: 'clock',
  description: 'Tells the time.',
  schema: { type: 'object', properties: {} },
});

const store = await openStore(':memory:');
const agent = createAgent({
  model: new ScriptedModel(),
  tools: [clock],
  systemPrompt: 'You are brief.',
  middleware: [flamestackMiddleware({ store, session: { window: 200_000 } })],
});
const said = { messages: [{ role: 'user', content: 'What time is it?' }] };
const { messages } = await agent.invoke(said, { configurable: { thread_id: 'time' } });

const session = await store.open('time');
console.log(messages.at(-1).text); // → It is nine.
console.log((await session.entry('e3')).content); // → nine
await store.close();
