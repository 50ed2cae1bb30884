import { shownText } from '../messages/message-text.ts';
import type { Content, Message, Part } from '../messages/message.ts';
import type { ProviderMessage } from '../messages/provider-message.ts';
import { canonicalJson } from '../values/canonical-json.ts';
import { isObject } from '../values/json.ts';
import { toWire, type IdRule, type WireMessage } from './wire.ts';

// A provider says more than our fields can. What our fields say is spelled again and compared with
// what came: where that is not the same, what came is kept beside it, and goes back as it was.

/** Stands where a provider takes no empty text. */
export const noText = '[no text]';

/** A text that no provider refuses for being blank. */
export const visible = (text: string): string => (text.trim() === '' ? noText : text);

/** Longest word of what a part holds, in UTF-16 units. */
const longestNamed = 2_000;

/** What our fields cannot say, named in words: its kind, and what it holds. */
export function named(kind: string, held?: unknown): string {
  const text = held === undefined ? '' : typeof held === 'string' ? held : JSON.stringify(held);
  const excerpt = text.length > longestNamed ? `${text.slice(0, longestNamed)}…` : text;
  return `[${`${kind.replaceAll('_', ' ')} ${excerpt}`.trim()}]`;
}

/** Parts as a content: a text where there is one text alone, '' where there is nothing. */
export function contentOf(parts: readonly Part[]): Content {
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && only.type === 'text' ? only.text : parts;
}

/** Items as messages: what a model gave in a row is one answer. `ofOther` makes the message of one that is no model's, null for a model's. */
export function messagesOf<Item>(
  items: readonly Item[],
  make: {
    readonly ofOther: (item: Item) => Message | null;
    readonly ofAnswer: (items: readonly Item[]) => Message;
  },
): readonly Message[] {
  const messages: Message[] = [];
  let answer: Item[] = [];
  const close = (): void => {
    if (answer.length > 0) messages.push(make.ofAnswer(answer));
    answer = [];
  };
  for (const item of items) {
    const message = make.ofOther(item);
    if (message === null) answer.push(item);
    else {
      close();
      messages.push(message);
    }
  }
  close();
  return messages;
}

/** A message as it would be spelled, alone. */
export function wireOf(message: Message, rule?: IdRule): WireMessage {
  const label = { kind: 'entry', section: 'working', tokens: 0 } as const;
  if (message.role !== 'tool') return toWire({ messages: [{ ...message, ...label }] }, rule)[0]!;
  const { toolCallId: id, name = '' } = message;
  const call = { ...(id !== undefined && { id }), name, arguments: {} };
  const callMessage = { role: 'assistant', content: '', toolCalls: [call], ...label } as const;
  return toWire({ messages: [callMessage, { ...message, ...label }] }, rule)[1]!;
}

/** The message with what its provider spelled, unless `again`, our own spelling, says the same. */
export function withRaw<M extends Message>(
  message: M,
  { name, raw, again }: ProviderMessage & { readonly again: unknown },
): M {
  return isSame(raw, again) ? message : { ...message, provider: { name, raw } };
}

/** Whether two values are the same JSON, but for fields that hold nothing. */
export const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(dense(one)) === canonicalJson(dense(other));

/** A value without the fields that hold nothing. */
export function dense(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dense);
  if (!isObject(value)) return value;
  const held = Object.entries(value).filter(
    ([, member]) =>
      member !== null && member !== undefined && !(Array.isArray(member) && member.length === 0),
  );
  return Object.fromEntries(held.map(([key, member]) => [key, dense(member)]));
}

/** A message that is neither a person's nor a model's nor a result: machine text. */
export function machineMessage(kind: string, content: Content): Message {
  const text = typeof content === 'string' ? content : shownText(content);
  return { role: 'user', content: named(kind, text), origin: 'machine' };
}
