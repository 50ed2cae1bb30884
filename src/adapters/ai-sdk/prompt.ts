import { toModelMessages } from '../../core/formats/ai-sdk.ts';
import { fromAiSdk } from '../../core/formats/from-ai-sdk.ts';
import type { Assembly, Message } from '../../index.ts';
import type { CallParams, Model, PromptMessage } from './model.ts';

/** An assembly as the prompt of a call, in the version of the specification that its model has. */
export function toPrompt(
  assembly: Assembly,
  {
    model,
    params,
    cacheControl,
  }: {
    readonly model: Model;
    readonly params: CallParams;
    readonly cacheControl: boolean;
  },
): readonly PromptMessage[] {
  const options = Object.values(params.providerOptions ?? {}) as readonly ThinkingOption[];
  const thinking = options.some(
    (each) => each?.thinking !== undefined && each.thinking.type !== 'disabled',
  );
  const isTagged = !['v2', 'v3'].includes(model.specificationVersion);
  return toModelMessages(assembly, { cacheControl, thinking }).map((message): PromptMessage => {
    if (message.role === 'system') return message;
    const { content } = message;
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return { ...message, content: parts.map((part) => toPart(part, isTagged)) };
  });
}

interface ThinkingOption {
  readonly thinking?: { readonly type?: string };
}

/** A part of a prompt; a file says where it is in the words of the version. */
function toPart(part: object, isTagged: boolean): object {
  const { type, data } = part as { type?: string; data?: unknown };
  if (type !== 'file' || typeof data !== 'string') return part;
  const isUrl = /^https?:\/\//i.test(data);
  const held = data.replace(/^data:[^,]*,/, '');
  if (!isTagged) return { ...part, data: isUrl ? new URL(data) : held };
  return {
    ...part,
    data: isUrl ? { type: 'url', url: new URL(data) } : { type: 'data', data: held },
  };
}

/** What a list of the SDK says was said; its system prompt is sent as it is. */
export const listOf = (list: readonly PromptMessage[]): readonly Message[] =>
  fromAiSdk(list.filter(({ role }) => role !== 'system'));
