import { toModelMessages } from '../../core/formats/ai-sdk.ts';
import { fromAiSdk } from '../../core/formats/from-ai-sdk.ts';
import type { Assembly, Message, Session } from '../../index.ts';
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

/** Most entries of a log that are compared with a list. */
const mostCompared = 256;

/**
 * What a list of the SDK has that the log has not: what stands behind its last answer, as far as it does
 * not stand behind the last answer of the log; all of it, where the log has nothing.
 */
export async function newMessages(
  session: Session,
  list: readonly PromptMessage[],
): Promise<readonly Message[]> {
  const said = list.filter(({ role }) => role !== 'system');
  if (session.state.entries === 0) return fromAiSdk(said);
  const last = said.findLastIndex(({ role }) => role === 'assistant');
  const late = fromAiSdk(said.slice(last + 1));
  if (late.length === 0) return late;
  const known = new Set<string>();
  for await (const entry of session.log({ reverse: true, limit: mostCompared })) {
    if (entry.role === 'assistant') break;
    known.add(identityOf(entry));
  }
  return late.filter((message) => !known.has(identityOf(message)));
}

/** What tells a message from others: of a result its call, else what it says. */
function identityOf(message: Message): string {
  if (message.role === 'tool' && message.toolCallId !== undefined)
    return `call ${message.toolCallId}`;
  return JSON.stringify([message.role, message.content]);
}
