// LangGraph: an agent with a tool, its thread in SQLite, summarizationMiddleware with its own counter;
// one invoke for each cycle of four messages, by a model that answers at once what the script says.
import { join } from 'node:path';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { createAgent, summarizationMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { summary, trigger } from '../budget.mjs';

class Scripted extends BaseChatModel {
  constructor(answer) {
    super({});
    this.answer = answer;
  }
  _llmType() {
    return 'scripted';
  }
  bindTools() {
    return this;
  }
  async _generate() {
    return { generations: [{ text: '', message: this.answer() }] };
  }
}

const config = { configurable: { thread_id: 'thread' }, recursionLimit: 50 };

export async function open(folder) {
  const script = [];
  let result = '';
  const run = tool(async () => result, {
    name: 'run',
    description: 'Runs a command',
    schema: z.object({ command: z.string() }),
  });
  const agent = createAgent({
    model: new Scripted(() => script.shift()),
    tools: [run],
    checkpointer: SqliteSaver.fromConnString(join(folder, 'checkpoints.db')),
    middleware: [
      summarizationMiddleware({
        model: new Scripted(() => new AIMessage(summary)),
        trigger: { tokens: trigger },
        keep: { messages: 20 },
      }),
    ],
  });
  let turn = 0;
  return {
    async cycle([asked, called, answered, told]) {
      turn += 1;
      const [{ id, name, arguments: args }] = called.toolCalls;
      script.push(
        new AIMessage({
          id: `c${turn}`,
          content: called.content,
          tool_calls: [{ id, name, args, type: 'tool_call' }],
        }),
        new AIMessage({ id: `a${turn}`, content: told.content }),
      );
      result = answered.content;
      const message = new HumanMessage({ id: `u${turn}`, content: asked.content });
      await agent.invoke({ messages: [message] }, config);
    },
    prompt: async () => (await agent.graph.getState(config)).values.messages,
    close() {},
  };
}

export const reopen = open;
