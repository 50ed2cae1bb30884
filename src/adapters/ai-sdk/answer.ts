import { fromAiSdk, usageOf } from '../../core/formats/from-ai-sdk.ts';
import type { Message, Usage } from '../../index.ts';
import { isObject } from '../fields.ts';
import type { AnswerPart, Generated } from './model.ts';

/** What a model answered, as messages to append. */
export function messagesOf({ content, finishReason }: Generated): readonly Message[] {
  const finish = typeof finishReason === 'object' ? finishReason.unified : finishReason;
  const parts = content.flatMap(toPart);
  return fromAiSdk({
    messages: [{ role: 'assistant', content: parts }],
    ...(finish !== undefined && { finishReason: finish }),
  });
}

/** A part of an answer as the history of the SDK has it; sources of what was said are none. */
function toPart(part: AnswerPart): readonly object[] {
  const { type, text, toolCallId, toolName, input, providerExecuted, providerMetadata } = part;
  const added = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  if (type === 'source' || (text === '' && providerMetadata === undefined)) return [];
  if (type === 'text' || type === 'reasoning') return [{ type, text, ...added }];
  if (type === 'tool-call') {
    const executed = providerExecuted === true ? { providerExecuted } : {};
    return [{ type, toolCallId, toolName, input: objectOf(input), ...executed, ...added }];
  }
  if (type === 'tool-result') {
    const { result, isError } = part;
    const output = { type: isError === true ? 'error-json' : 'json', value: result ?? null };
    return [{ type, toolCallId, toolName, output, ...added }];
  }
  const { providerMetadata: _, ...held } = part;
  return [{ ...held, ...added }];
}

/** Arguments as an object: anything else would be refused when it goes back. */
function objectOf(input: unknown): object {
  let value = input;
  try {
    if (typeof input === 'string') value = JSON.parse(input === '' ? '{}' : input);
  } catch {
    // It is kept as it came.
  }
  return isObject(value) ? value : { unparsed: input };
}

/** What a provider counted, in any version of the specification. */
export function countedBy(usage: object): Usage {
  const { inputTokens, outputTokens } = usage as { inputTokens?: Counts; outputTokens?: Counts };
  if (typeof inputTokens !== 'object' || typeof outputTokens !== 'object')
    return usageOf({ usage });
  const { total: input, cacheRead, cacheWrite } = inputTokens;
  const { total: output, reasoning } = outputTokens;
  return usageOf({
    inputTokens: input,
    outputTokens: output,
    inputTokenDetails: { cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite },
    outputTokenDetails: { reasoningTokens: reasoning },
  });
}

type Counts =
  | number
  | {
      readonly total?: number;
      readonly cacheRead?: number;
      readonly cacheWrite?: number;
      readonly reasoning?: number;
    };

/** An answer that is being heard, part by part. */
export interface Hearing {
  take(part: AnswerPart): void;
  /** What was heard so far. */
  answer(): Generated;
}

/** Joins the parts of a stream to what a model would have answered at once. */
export function newHearing(): Hearing {
  const content: AnswerPart[] = [];
  const open = new Map<string, number>();
  let end: Pick<Generated, 'finishReason' | 'usage'> = {};
  /** Changes a text that was begun under an id. */
  const extend = ({ type, id = '', delta = '', providerMetadata }: AnswerPart): void => {
    const at = open.get(`${type.split('-')[0]} ${id}`);
    if (at === undefined) return;
    const before = content[at]!;
    const added = providerMetadata === undefined ? {} : { providerMetadata };
    content[at] = { ...before, text: `${before.text ?? ''}${delta}`, ...added };
  };
  return {
    take(part) {
      const { type, id = '', finishReason, usage } = part;
      if (passing.test(type)) return;
      if (type === 'finish') {
        end = { finishReason, usage };
      } else if (/^(text|reasoning)-start$/.test(type)) {
        const kind = type.split('-')[0]!;
        open.set(`${kind} ${id}`, content.length);
        content.push({ type: kind, text: '' });
        extend(part);
      } else if (/^(text|reasoning)-(delta|end)$/.test(type)) extend(part);
      else content.push(part);
    },
    answer: () => ({ content, ...end }),
  };
}

/** Parts of a stream that say nothing of the answer. */
const passing = /^(stream-start|response-metadata|tool-input-.*|ping|raw|error)$/;
