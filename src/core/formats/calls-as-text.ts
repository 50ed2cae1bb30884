import { shownText } from '../messages/message-text.ts';
import type { Part } from '../messages/message.ts';
import type { WireMessage } from './wire.ts';

/**
 * The messages, of which those that call tools since the last user message and are not `kept` are
 * told in words, and so are their results: a provider that signs what it thinks takes none of others.
 */
export function withCallsAsText(
  messages: readonly WireMessage[],
  kept: (message: WireMessage) => boolean,
): readonly WireMessage[] {
  const from = messages.findLastIndex(({ role }) => role === 'user');
  const rewrittenIds = new Set<string>();
  return messages.map((message, index) => {
    if (message.role === 'tool' && rewrittenIds.has(message.call.id))
      return resultAsMessage(message);
    if (index < from || message.role !== 'assistant' || message.calls.length === 0) return message;
    if (kept(message)) return message;
    for (const { id } of message.calls) rewrittenIds.add(id);
    return callsAsMessage(message);
  });
}

const textPart = (text: string): Part => ({ type: 'text', text });

function callsAsMessage({ text, calls }: Extract<WireMessage, { role: 'assistant' }>): WireMessage {
  const lines = calls.map(({ name, json }) => `[you called ${name} ${json}]`);
  const ownText = text === '' ? [] : [`[you said] ${text}`];
  return { role: 'user', parts: [textPart([...ownText, ...lines].join('\n'))] };
}

function resultAsMessage(message: Extract<WireMessage, { role: 'tool' }>): WireMessage {
  const { call, parts, isError } = message;
  const files = parts.filter(({ type }) => type === 'file');
  const text = shownText(parts.filter(({ type }) => type === 'text'));
  const head = `[${isError ? 'error' : 'result'} of ${call.name}]`;
  return { role: 'user', parts: [textPart(`${head}\n${text}`), ...files] };
}
