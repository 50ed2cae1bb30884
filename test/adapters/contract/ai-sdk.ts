import * as six from 'ai';
import * as five from 'ai5';
import { flamestack } from '../../../src/ai-sdk.ts';
import { scriptedModel, type Part } from '../ai-sdk/scripted-model.ts';
import { image, newScript, storeOf, type Answer, type Host, type Sent } from './host.ts';

/** An app on the AI SDK that keeps its own list of messages, and hands all of it over each time. */
const hostOf = (version: 5 | 6, sdk: typeof six): Host => ({
  name: `AI SDK ${version}`,
  store: 'given',
  can: { image: true, thought: true, stop: true, refusal: true },
  session: () => 'contract',
  async begin(place, window) {
    const store = await storeOf({ store: 'given' }, place);
    const session = await store.open('contract', { window, system: 'You are careful.' });
    const list = (place.memory.get('list') ?? []) as six.ModelMessage[];
    place.memory.set('list', list);
    const script = newScript();
    const asked: (readonly Sent[])[] = [];
    const read = sdk.tool({
      inputSchema: sdk.jsonSchema<{ id: string }>({ type: 'object' }),
      execute: async ({ id }) => script.result(id),
    });
    const flame = flamestack(session, { tools: { read }, onFault: () => {} });
    const ask = async (isStopped: boolean): Promise<string> => {
      const answer = { parts: [] as readonly Part[], isStopped: false };
      const { model } = scriptedModel(version === 5 ? 'v2' : 'v3', (params) => {
        asked.push(sentOf(params['prompt']));
        Object.assign(answer, toAnswer(script.next()));
        return answer.isStopped ? { heard: answer.parts } : answer.parts;
      });
      const given = {
        model,
        ...flame.options,
        maxRetries: 0,
        stopWhen: sdk.stepCountIs(9),
        messages: list,
      };
      if (!isStopped) {
        const { text, response } = await sdk.generateText(given);
        list.push(...response.messages);
        return text;
      }
      const stop = new AbortController();
      const result = sdk.streamText({ ...given, abortSignal: stop.signal, onError: () => {} });
      let heard = '';
      for await (const part of result.fullStream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'text-start') heard = '';
        if (part.type === 'text-delta') heard += part.text;
        if (answer.isStopped && part.type === 'text-end') stop.abort();
      }
      return heard;
    };
    return {
      asked,
      async take(turn) {
        script.begin(turn);
        const text = { type: 'text', text: turn.said } as const;
        const shown = turn.image ? [{ type: 'image', image, mediaType: 'image/png' } as const] : [];
        list.push({ role: 'user', content: shown.length === 0 ? turn.said : [text, ...shown] });
        const isStopped = turn.answers.some((one) => one.isStopped === true);
        return ask(isStopped).catch((error: unknown) => {
          if ((error as Error).message !== 'busy') throw error;
          return ask(isStopped);
        });
      },
      quit: () => store.close().catch(() => {}),
    };
  },
});

export const aiSdk = [hostOf(5, five as unknown as typeof six), hostOf(6, six)];

function toAnswer({ text, thought, calls, isStopped = false }: Answer) {
  const parts: readonly Part[] = [
    ...(thought === ''
      ? []
      : [
          {
            type: 'reasoning',
            text: thought,
            providerMetadata: { scripted: { signature: `signed ${thought}` } },
          },
        ]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: 'read',
      input: JSON.stringify({ id }),
    })),
  ];
  return { parts, isStopped };
}

type Json = ReturnType<typeof JSON.parse>;

function sentOf(prompt: readonly Json[]): readonly Sent[] {
  return prompt.flatMap(({ role, content }): readonly Sent[] => {
    if (role === 'system') return [];
    const parts = content as readonly Json[];
    if (role === 'tool')
      return parts.map(({ toolCallId, output }) => ({
        role,
        text: output.value,
        calls: [toolCallId],
        signed: [],
      }));
    return [
      {
        role,
        text: parts
          .map(({ type, text }) => (type === 'text' ? text : type === 'file' ? '<image>' : ''))
          .join(''),
        calls: parts.flatMap(({ type, toolCallId }) => (type === 'tool-call' ? [toolCallId] : [])),
        signed: parts.flatMap(({ type, providerOptions }) =>
          type === 'reasoning' ? [providerOptions?.scripted?.signature] : [],
        ),
      },
    ];
  });
}
