import type { Assembly, Content, OutMessage } from '../../index.ts';
import type { PiBlock, PiMessage } from './host.ts';

/** The messages of pi by their keys, and which key an entry of the log has. */
export interface Originals {
  readonly byKey: ReadonlyMap<string, PiMessage>;
  /** The key of an entry; undefined for one that did not come from pi. */
  readonly keyOf: (entry: string) => string | undefined;
}

/**
 * An assembly as messages of pi, without the system prompt, which pi sends itself. What stands whole is pi's own
 * message, with whatever its provider signed.
 */
export function toPi({ messages }: Assembly, originals: Originals): readonly PiMessage[] {
  return messages.flatMap((message) =>
    message.role === 'system' ? [] : [toPiMessage(message, originals)],
  );
}

function toPiMessage(message: OutMessage, { byKey, keyOf }: Originals): PiMessage {
  const key = message.entry === undefined ? undefined : keyOf(message.entry);
  const original = key === undefined ? undefined : byKey.get(key);
  if (original !== undefined && message.kind === 'entry') return original;
  const content = blocksOf(message.content);
  const timestamp = original?.timestamp ?? 0;
  if (message.role === 'tool')
    return {
      role: 'toolResult',
      toolCallId: message.toolCallId ?? '',
      toolName: message.name ?? 'unknown',
      content: content.length === 0 ? [text('[no output]')] : content,
      isError: message.isError === true,
      timestamp,
    };
  if (message.role !== 'assistant') return { role: 'user', content, timestamp };
  // Without its original nothing says which provider spoke: then it is told.
  return original === undefined
    ? { role: 'user', content: [text('Said before:'), ...content], timestamp }
    : { ...original, content: [...content, ...callsOf(message)] };
}

const callsOf = ({ toolCalls = [] }: Extract<OutMessage, { role: 'assistant' }>): PiBlock[] =>
  toolCalls.map(({ id, name, arguments: args }) => ({
    type: 'toolCall',
    id: id ?? name,
    name,
    arguments: typeof args === 'string' ? { text: args } : args,
  }));

const text = (said: string): PiBlock => ({ type: 'text', text: said });

function blocksOf(content: Content): readonly PiBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [text(content)];
  return content.map((part) =>
    part.type === 'text'
      ? text(part.text)
      : part.mediaType.startsWith('image/')
        ? { type: 'image', data: part.data, mimeType: part.mediaType }
        : text(`[${part.mediaType} ${part.name ?? 'file'}]`),
  );
}
