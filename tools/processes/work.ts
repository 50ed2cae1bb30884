import { textOf } from '../../src/core/messages/message.ts';
import type { ErrorCode, Message } from '../../src/index.ts';

/** What a worker is told. */
export interface Orders {
  readonly name: string;
  /** What the one before it left without an answer. */
  readonly left: readonly (readonly [session: string, key: string])[];
}

/** What a worker says, a line each. */
export type Told =
  | { readonly is: 'open' }
  /** It is about to append the message of a key. */
  | { readonly is: 'sent'; readonly session: string; readonly key: string }
  /** That was acknowledged. */
  | {
      readonly is: 'kept';
      readonly session: string;
      readonly key: string;
      readonly id: string;
    }
  /** A commit was decided on a state that is not so; the engine reads again. */
  | { readonly is: 'behind' }
  | { readonly is: 'refused'; readonly code: ErrorCode };

/** After these a message is sent again. */
export const retried: readonly ErrorCode[] = ['STORE_UNAVAILABLE'];

const words = 'notes search index token draft frame window limit order answer file test'.split(' ');

/** The message of a key: the same in whichever process, some sixty words. */
export function messageOf(key: string): Message {
  let seed = 7;
  for (const unit of key) seed = (Math.imul(seed, 31) + unit.charCodeAt(0)) >>> 0;
  const text = Array.from({ length: 60 }, (_, n) => words[(seed + n * n) % words.length]);
  const content = `${key} ${text.join(' ')}`;
  return seed % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content };
}

/** The key of a message. */
export const keyOf = ({ content }: Message): string => textOf(content).split(' ', 1)[0]!;

/** Prints a line. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
