import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from 'langchain';
import { withCallsAsText } from '../../core/formats/calls-as-text.ts';
import { noText, visible } from '../../core/formats/provider-parts.ts';
import { liftImages, rawOf, toWire, type WireMessage } from '../../core/formats/wire.ts';
import type { Assembly, Part } from '../../index.ts';

/** The name under which the spelling of LangChain is kept. */
export const langchain = 'langchain';

/** What is kept of an answer that our fields cannot say. */
export interface RawAnswer {
  readonly content: AIMessage['content'];
  readonly additional_kwargs: AIMessage['additional_kwargs'];
  readonly response_metadata: Record<string, unknown>;
}

/** An assembly as messages of LangChain, the system prompt apart. */
export function toLangChain(assembly: Pick<Assembly, 'messages'>): {
  readonly system: string;
  readonly messages: BaseMessage[];
} {
  const spelled = toWire(assembly, { longest: 64 });
  const wire = liftImages(
    spelled.some(hasThought) ? withCallsAsText(spelled, hasThought) : spelled,
  );
  const system = wire.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  return { system: system.join('\n\n'), messages: wire.flatMap(toMessage) };
}

const thoughts = new Set(['thinking', 'redacted_thinking']);

/** Whether a message has what its model thought and signed. */
function hasThought(message: WireMessage): boolean {
  const { content } = (rawOf(message, langchain) ?? {}) as Partial<RawAnswer>;
  return Array.isArray(content) && content.some(({ type }) => thoughts.has(type));
}

function toMessage(message: WireMessage): readonly BaseMessage[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [new HumanMessage({ content: toContent(message.parts) })];
    case 'tool': {
      const { call, parts, isError } = message;
      const status = isError ? 'error' : 'success';
      const content = toContent(parts);
      return [new ToolMessage({ content, tool_call_id: call.id, name: call.name, status })];
    }
    case 'assistant': {
      const raw = rawOf(message, langchain) as RawAnswer | undefined;
      const calls = message.calls.map(({ id, name, arguments: args }) => {
        return { type: 'tool_call' as const, id, name, args: { ...args } };
      });
      const text = calls.length === 0 ? visible(message.text) : message.text;
      return [new AIMessage({ ...(raw ?? { content: text }), tool_calls: calls })];
    }
  }
}

function toContent(parts: readonly Part[]): string | { type: string; [field: string]: unknown }[] {
  if (parts.every(({ type }) => type === 'text'))
    return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') || noText;
  return parts.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const { data, mediaType, name = '' } = part;
    if (!mediaType.startsWith('image/'))
      return { type: 'text', text: `[file ${name} ${mediaType}]` };
    const url = /^https?:\/\//i.test(data) ? data : `data:${mediaType};base64,${data}`;
    return { type: 'image_url', image_url: { url } };
  });
}
