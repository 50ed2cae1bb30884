import { shownText } from '../messages/message-text.ts';
import type { Part } from '../messages/message.ts';
import type { WireMessage } from './wire.ts';

/**
 * The messages, of which those that call tools since the last user message and are not `kept` are
 * told in words, and so are their results: a provider that signs what it thinks takes none of others.
 */
export function asTold(
  messages: readonly WireMessage[],
  kept: (message: WireMessage) => boolean,
): readonly WireMessage[] {
  const from = messages.findLastIndex(({ role }) => role === 'user');
  const told = new Set<string>();
  return messages.map((message, index) => {
    if (message.role === 'tool' && told.has(message.call.id)) return toldResult(message);
    if (index < from || message.role !== 'assistant' || message.calls.length === 0) return message;
    if (kept(message)) return message;
    for (const { id } of message.calls) told.add(id);
    return toldCalls(message);
  });
}

const textPart = (text: string): Part => ({ type: 'text', text });

function toldCalls({ text, calls }: Extract<WireMessage, { role: 'assistant' }>): WireMessage {
  const lines = calls.map(({ name, json }) => `[you called ${name} ${json}]`);
  const said = text === '' ? [] : [`[you said] ${text}`];
  return { role: 'user', parts: [textPart([...said, ...lines].join('\n'))] };
}

function toldResult(message: Extract<WireMessage, { role: 'tool' }>): WireMessage {
  const { call, parts, isError } = message;
  const files = parts.filter(({ type }) => type === 'file');
  const text = shownText(parts.filter(({ type }) => type === 'text'));
  const head = `[${isError ? 'error' : 'result'} of ${call.name}]`;
  return { role: 'user', parts: [textPart(`${head}\n${text}`), ...files] };
}
