import { argumentsOf, filesOf, textOf, type Message } from './message.ts';

/** The number of tokens of a text. */
export type Count = (text: string) => number;

/** The tokens that a message, a call and a file cost beyond their text. */
export const overhead = { message: 4, call: 8, file: 1_000 } as const;

/**
 * Tokens of a message as the model reads it: text, the name and JSON of each
 * call, 4 for the message, 8 for each call, a fixed number for each file.
 * Thinking and meta are never sent and cost nothing.
 */
export function messageTokens(message: Message, count: Count): number {
  let tokens = overhead.message + count(textOf(message.content));
  tokens += filesOf(message.content).length * overhead.file;
  if (message.role !== 'assistant') return tokens;
  for (const call of message.toolCalls ?? [])
    tokens += overhead.call + count(`${call.name} ${argumentsOf(call)}`);
  return tokens;
}

/** An upper bound without a vocabulary: no token is shorter than one byte of UTF-8. */
export const byteBound: Count = (text) => {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
  }
  return bytes;
};
