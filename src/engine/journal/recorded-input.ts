import { hash } from 'node:crypto';
import { contentKeyOf } from '../../core/host-history/comparable-message.ts';
import { argumentsOf, textOf, type Message } from '../../core/messages/message.ts';
import type { Input, Recorded } from '../../core/state/input.ts';

/** An input as the journal keeps it: without messages, which have rows of their own, and without the past state. */
export function toRecorded(input: Input): Recorded {
  if (input.type === 'restore') {
    const { past: _, ...rest } = input;
    return rest;
  }
  if (input.type !== 'append') return input;
  const entries = input.entries.map(({ tokens, exact, hash }) => ({ tokens, exact, hash }));
  return { ...input, entries };
}

/** The input of an append that a journal record was made of; `messages` are those of its entries, in order. */
export function fromRecorded(
  recorded: Extract<Recorded, { type: 'append' }>,
  messages: readonly Message[],
): Input {
  const entries = recorded.entries.map((entry, index) => ({ ...entry, message: messages[index]! }));
  return { ...recorded, entries };
}

/** Hash of a message's identity: equal for two that a host would call the same. */
export function identityHash(message: Message): string {
  return hash('sha256', contentKeyOf(message), 'hex').slice(0, 16);
}

/** The cumulative hash of a log: of the hash `before`, then role and rendered content of the next message. */
export function chainHash(before: string, message: Message): string {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  const callLines = calls.map((call) => `\n${call.name} ${argumentsOf(call)}`).join('');
  const text = `${before}\n${message.role}\n${textOf(message.content)}${callLines}`;
  return hash('sha256', text, 'hex').slice(0, 16);
}
