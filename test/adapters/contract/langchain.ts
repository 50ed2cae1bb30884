import { MemorySaver } from '@langchain/langgraph';
import { AIMessage, createAgent, HumanMessage, tool, type BaseMessage } from 'langchain';
import { flamestackMiddleware } from '../../../src/langchain.ts';
import { ChatModel } from '../langchain/chat-model.ts';
import { image, newScript, storeOf, type Answer, type Host, type Sent } from './host.ts';

/** An agent of LangChain whose checkpointer keeps its messages. */
export const langChain: Host = {
  name: 'LangChain',
  store: 'given',
  can: { image: true, thought: true, refusal: true },
  session: () => 'contract',
  async begin(place, window) {
    const store = await storeOf(langChain, place);
    const checkpointer = (place.memory.get('saver') ?? new MemorySaver()) as MemorySaver;
    place.memory.set('saver', checkpointer);
    const script = newScript();
    const asked: (readonly Sent[])[] = [];
    const model = new ChatModel(({ messages }) => {
      asked.push(messages.flatMap(toSent));
      return toMessage(script.next());
    });
    const read = tool(({ id }: { id: string }) => script.result(id), {
      name: 'read',
      description: 'Reads a file.',
      schema: { type: 'object', properties: { id: { type: 'string' } } },
    });
    const agent = createAgent({
      model,
      tools: [read],
      systemPrompt: 'You are careful.',
      checkpointer,
      middleware: [flamestackMiddleware({ store, session: { window }, onFault: () => {} })],
    });
    const invoke = async (given: { messages: BaseMessage[] } | null): Promise<string> => {
      const { messages } = await agent.invoke(given as never, {
        configurable: { thread_id: 'contract' },
      });
      return messages.at(-1)!.text;
    };
    return {
      asked,
      async take(turn) {
        script.begin(turn);
        const shown = { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } };
        const content = turn.image ? [{ type: 'text', text: turn.said }, shown] : turn.said;
        return invoke({ messages: [new HumanMessage({ content })] }).catch((error: unknown) => {
          if ((error as Error).message !== 'busy') throw error;
          return invoke(null);
        });
      },
      quit: () => store.close().catch(() => {}),
    };
  },
};

function toMessage({ text, thought, calls }: Answer): AIMessage {
  const thinking = { type: 'thinking', thinking: thought, signature: `signed ${thought}` };
  const said = text === '' ? [] : [{ type: 'text', text }];
  return new AIMessage({
    content: thought === '' ? text : [thinking, ...said],
    tool_calls: calls.map(({ id }) => ({ type: 'tool_call', id, name: 'read', args: { id } })),
  } as never);
}

function toSent(message: BaseMessage): readonly Sent[] {
  if (message.type === 'system') return [];
  const blocks = Array.isArray(message.content) ? message.content : [];
  const shown = blocks.some(({ type }) => type === 'image_url') ? '<image>' : '';
  const { tool_call_id: result, tool_calls: calls = [] } = message as {
    tool_call_id?: string;
    tool_calls?: readonly { id: string }[];
  };
  const role = ({ human: 'user', ai: 'assistant', tool: 'tool' } as const)[message.type as 'human'];
  return [
    {
      role,
      text: `${message.text}${shown}`,
      calls: result === undefined ? calls.map(({ id }) => id) : [result],
      signed: blocks.flatMap((block) => ('signature' in block ? [String(block['signature'])] : [])),
    },
  ];
}
