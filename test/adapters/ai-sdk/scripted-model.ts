// A model of the AI SDK that answers by a script, in any version of its specification.

/** A part of an answer, as a provider gives it. */
export type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/** An answer: parts, an error that it is refused with, or what is heard before it breaks. */
export type Answer = readonly Part[] | Error | { readonly heard: readonly Part[] };

/** What a model was called with, any field of it. */
export type Params = Readonly<Record<string, ReturnType<typeof JSON.parse>>>;

export const say = (text: string): Part => ({ type: 'text', text });

export const call = (toolCallId: string, toolName: string, input: object = {}): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});

/** A model, and the calls of it. */
export function scriptedModel(
  version: 'v2' | 'v3' | 'v4',
  answers: readonly Answer[] | ((params: Params) => Answer),
) {
  const calls: Params[] = [];
  const next = (params: Params): Answer => {
    calls.push(params);
    const answer = typeof answers === 'function' ? answers(params) : answers[calls.length - 1];
    if (answer === undefined) throw new Error(`no answer ${calls.length}`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const endOf = (parts: readonly Part[], params: Params) => {
    const reason = parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
    const [input, output] = [Math.ceil(JSON.stringify(params['prompt']).length / 4), 7];
    const isFlat = version === 'v2';
    return {
      finishReason: isFlat ? reason : { unified: reason, raw: reason },
      usage: isFlat
        ? {
            inputTokens: input,
            outputTokens: output,
            totalTokens: input + output,
            cachedInputTokens: 3,
          }
        : {
            inputTokens: { total: input, cacheRead: 3 },
            outputTokens: { total: output, reasoning: 2 },
          },
    };
  };
  return {
    calls,
    model: {
      specificationVersion: version,
      provider: 'scripted',
      modelId: 'scripted-1',
      supportedUrls: {},
      async doGenerate(params: Params) {
        const answer = next(params);
        const parts = 'heard' in answer ? answer.heard : (answer as readonly Part[]);
        return { content: parts, ...endOf(parts, params), warnings: [] };
      },
      async doStream(params: Params) {
        const answer = next(params);
        const isBroken = 'heard' in answer;
        const parts = isBroken ? answer.heard : (answer as readonly Part[]);
        const streamed = [
          { type: 'stream-start', warnings: [] },
          ...parts.flatMap(inParts),
          ...(isBroken ? [] : [{ type: 'finish', ...endOf(parts, params) }]),
        ];
        const stream = new ReadableStream({
          pull(controller) {
            const part = streamed.shift();
            if (part !== undefined) controller.enqueue(part);
            else if (!isBroken) controller.close();
            else {
              // It says no more, until somebody stops it.
              const signal = params['abortSignal'] as AbortSignal | undefined;
              signal?.addEventListener('abort', () => controller.error(signal.reason));
            }
          },
        });
        return { stream };
      },
    } as never,
  };
}

function inParts(part: Part, at: number): readonly object[] {
  if (part.type !== 'text' && part.type !== 'reasoning') return [part];
  const id = String(at);
  const words = String(part['text']).split(/(?<= )/);
  const added =
    part['providerMetadata'] === undefined ? {} : { providerMetadata: part['providerMetadata'] };
  return [
    { type: `${part.type}-start`, id },
    ...words.map((delta) => ({ type: `${part.type}-delta`, id, delta })),
    { type: `${part.type}-end`, id, ...added },
  ];
}
