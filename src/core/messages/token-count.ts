import {
  fileTokensFor,
  plainFileTokens,
  type FileOptions,
  type FileTokens,
} from './file-tokens.ts';
import { argumentsOf, filesOf, textOf, type Message } from './message.ts';
import { providerText } from './provider-message.ts';

/** The number of tokens of a text. */
export interface Count {
  (text: string): number;
  /** Those of a file; 1,000 for each unless told. */
  readonly files?: FileTokens | undefined;
}

/** The tokens that a message, a call and a file cost beyond their text. */
export const overhead: { readonly message: 4; readonly call: 8; readonly file: number } = {
  message: 4,
  call: 8,
  file: plainFileTokens,
};

/**
 * Tokens of a message as the model reads it: text, the name and JSON of each
 * call, 4 for the message, 8 for each call, and its files; what a provider
 * spelled, where that is more. Thinking and meta are never sent and cost nothing.
 */
export function messageTokens(message: Message, count: Count): number {
  const { provider } = message;
  const files = filesTokens(message, count);
  const plain = plainTokens(message, count);
  if (provider === undefined) return files + plain;
  const raw = overhead.message + count(providerText(provider, filesOf(message.content)));
  return files + Math.max(plain, raw);
}

/** Tokens of the files of a message. */
export function filesTokens({ content }: Pick<Message, 'content'>, { files }: Count): number {
  return filesOf(content).reduce((sum, file) => sum + (files?.(file) ?? overhead.file), 0);
}

function plainTokens(message: Message, count: Count): number {
  const text = overhead.message + count(textOf(message.content));
  if (message.role !== 'assistant') return text;
  return (message.toolCalls ?? []).reduce(
    (sum, call) => sum + overhead.call + count(`${call.name} ${argumentsOf(call)}`),
    text,
  );
}

const counters = new WeakMap<Count, Map<FileTokens, Count>>();

/** What counts texts, made to count files as the model of a session does; the same function where they count 1,000 each. */
export function countFor(count: Count, options: FileOptions | undefined): Count {
  const files = options === undefined ? undefined : fileTokensFor(options);
  if (files === undefined || count.files === files) return count;
  const byFiles = counters.get(count) ?? new Map<FileTokens, Count>();
  counters.set(count, byFiles);
  const counter = byFiles.get(files) ?? Object.assign((text: string) => count(text), { files });
  byFiles.set(files, counter);
  return counter;
}

/** UTF-16 units of a token, on average. */
export const unitsOfToken = 3.5;

/** About the tokens of a text, by its length: where nobody is told them, or what is made is counted later. */
export const roughCount: Count = (text) => Math.ceil(text.length / unitsOfToken);

/** An upper bound without a vocabulary: no token is shorter than one byte of UTF-8. */
export const byteBound: Count = (text) => {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
  }
  return bytes;
};
