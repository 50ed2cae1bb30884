// An agent of OpenAI's Agents SDK in a session. Its scripted model takes the place of a server's:
// `await new OpenAIProvider().getModel('gpt-5')` of @openai/agents, or any other, stands there in your program.
//
//   npm i <clone>/flamestack-*.tgz @openai/agents zod && node openai-agents.mjs

import { Agent, run, setTracingDisabled, tool, Usage } from '@openai/agents';
import { openStore } from 'flamestack';
import { flamestack } from 'flamestack/openai-agents';

setTracingDisabled(true);
const thought = { type: 'reasoning', id: 'rs_1', content: [] };
const call = { type: 'function_call', callId: 'call_1', name: 'clock', arguments: '{}' };
const content = [{ type: 'output_text', text: 'It is nine.' }];
const answer = { type: 'message', role: 'assistant', status: 'completed', content };
const scripted = {
  async getResponse({ input }) {
    const isAnswered = input.at(-1).type === 'function_call_result';
    return { usage: new Usage(), output: isAnswered ? [answer] : [thought, call] };
  },
};
const clock = tool({
  name: 'clock',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  execute: async () => 'nine',
});

const store = await openStore(':memory:');
const session = await store.open('time', { window: 200_000 });
const flame = flamestack(session);
const agent = new Agent({
  name: 'Clock',
  instructions: 'You are brief.',
  model: flame.model(scripted),
  tools: [clock, ...flame.tools],
});
const { finalOutput } = await run(agent, 'What time is it?');

console.log(finalOutput); // → It is nine.
console.log((await session.entry('e3')).content); // → nine
await store.close();
