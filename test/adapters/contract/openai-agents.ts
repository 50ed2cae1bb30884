import {
  Agent,
  run,
  setTracingDisabled,
  tool,
  Usage,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type StreamEvent,
} from '@openai/agents';
import { flamestack } from '../../../src/openai-agents.ts';
import { image, newScript, storeOf, type Answer, type Host, type Sent } from './host.ts';

setTracingDisabled(true);

/** An app on OpenAI's Agents SDK that keeps the list of items, and hands all of it over each time. */
export const openaiAgents: Host = {
  name: 'OpenAI Agents',
  store: 'given',
  can: { image: true, thought: true, stop: true, refusal: true },
  session: () => 'contract',
  async begin(place, window) {
    const store = await storeOf(openaiAgents, place);
    const session = await store.open('contract', { window });
    const list = (place.memory.get('list') ?? []) as AgentInputItem[];
    place.memory.set('list', list);
    const script = newScript();
    const asked: (readonly Sent[])[] = [];
    const stop = { controller: new AbortController() };
    const next = (request: ModelRequest) => {
      asked.push(sentOf(request.input as readonly Json[]));
      const answer = script.next();
      return { answer, usage: new Usage(), output: toItems(answer) as never };
    };
    const model: Model = {
      getResponse: async (request) => next(request),
      async *getStreamedResponse(request): AsyncGenerator<StreamEvent> {
        const { answer, output, usage } = next(request);
        if (answer.text !== '') yield { type: 'output_text_delta', delta: answer.text };
        if (answer.isStopped === true) {
          stop.controller.abort();
          throw new Error('aborted');
        }
        yield { type: 'response_done', response: { id: 'r', usage, output } };
      },
    };
    const read = tool({
      name: 'read',
      description: 'Reads a file.',
      parameters: {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        additionalProperties: false,
      },
      execute: async (given) => script.result((given as { id: string }).id),
    });
    const flame = flamestack(session, { onFault: () => {} });
    const agent = new Agent({
      name: 'contract',
      instructions: 'You are careful.',
      model: flame.model(model),
      tools: [read, ...flame.tools],
    });
    const ask = async (isStopped: boolean): Promise<string> => {
      if (!isStopped) {
        const { history, finalOutput } = await run(agent, list);
        list.splice(0, list.length, ...history);
        return String(finalOutput);
      }
      stop.controller = new AbortController();
      const stream = await run(agent, list, { stream: true, signal: stop.controller.signal });
      let heard = '';
      try {
        for await (const event of stream)
          if (event.type === 'raw_model_stream_event') {
            if (event.data.type === 'output_text_delta') heard = event.data.delta;
          }
        await stream.completed;
      } catch (error) {
        if (!stop.controller.signal.aborted) throw error;
      }
      return heard;
    };
    return {
      asked,
      async take(turn) {
        script.begin(turn);
        const text = { type: 'input_text', text: turn.said } as const;
        const picture = { type: 'input_image', image: `data:image/png;base64,${image}` } as const;
        list.push({ role: 'user', content: turn.image ? [text, picture] : turn.said });
        const isStopped = turn.answers.some((one) => one.isStopped === true);
        return ask(isStopped).catch((error: unknown) => {
          if ((error as Error).message !== 'busy') throw error;
          return ask(isStopped);
        });
      },
      quit: () => store.close().catch(() => {}),
    };
  },
};

function toItems({ text, thought, calls }: Answer): readonly object[] {
  const providerData = { encrypted_content: `signed ${thought}` };
  return [
    ...(thought === '' ? [] : [{ type: 'reasoning', content: [], providerData }]),
    ...(text === ''
      ? []
      : [
          {
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text }],
          },
        ]),
    ...calls.map(({ id }) => ({
      type: 'function_call',
      callId: id,
      name: 'read',
      arguments: JSON.stringify({ id }),
      status: 'completed',
    })),
  ];
}

type Json = ReturnType<typeof JSON.parse>;

/** Items as messages: what a model gave in a row is one. */
function sentOf(input: readonly Json[]): readonly Sent[] {
  const sent: { role: Sent['role']; text: string; calls: string[]; signed: string[] }[] = [];
  let isAnswer = false;
  const add = (role: Sent['role'], text: string, calls: string[] = []): void =>
    void sent.push({ role, text, calls, signed: [] });
  for (const { type = 'message', role, content = '', callId, output, providerData } of input) {
    const isOwn = role === 'assistant' || type === 'reasoning' || type === 'function_call';
    if (isOwn && !isAnswer) add('assistant', '');
    isAnswer = isOwn;
    if (type === 'function_call') sent.at(-1)!.calls.push(callId);
    else if (type === 'reasoning') sent.at(-1)!.signed.push(providerData.encrypted_content);
    else if (type === 'function_call_result') add('tool', output.text ?? output, [callId]);
    else if (isOwn) sent.at(-1)!.text += textOf(content);
    else add('user', textOf(content));
  }
  return sent;
}

const textOf = (content: Json): string =>
  typeof content === 'string'
    ? content
    : content.map(({ text = '<image>' }: Json) => text).join('');
