import { setImmediate as nextTurn } from 'node:timers/promises';
import { argumentsOf, textOf, type Message } from '../core/message.ts';
import type { Count } from '../core/tokens.ts';
import { sliceLength, slicesOf } from '../tokenizer/slice.ts';

// A giant text takes longer to count than others should wait. It is counted ahead of
// its step, slice by slice, with a turn of the event loop after each; texts of usual
// length are left to the step and wait for nothing.

/**
 * `count`, which knows the giant texts of `messages` already; the same function where
 * there are none. Rejects with the reason of `signal` once it is aborted.
 */
export function countAhead(
  messages: readonly Message[],
  count: Count,
  signal: AbortSignal | undefined,
): Count | Promise<Count> {
  const giants = messages.flatMap(textsOf).filter((text) => text.length > sliceLength);
  return giants.length === 0 ? count : countGiants(giants, count, signal);
}

async function countGiants(
  giants: readonly string[],
  count: Count,
  signal: AbortSignal | undefined,
): Promise<Count> {
  const known = new Map<string, number>();
  for (const giant of giants) {
    let tokens = 0;
    for (const slice of slicesOf(giant)) {
      tokens += count(slice);
      await nextTurn();
      signal?.throwIfAborted();
    }
    known.set(giant, tokens);
  }
  return (text) => known.get(text) ?? count(text);
}

/** What `messageTokens` counts of a message. */
function textsOf(message: Message): readonly string[] {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [textOf(message.content), ...calls.map((call) => `${call.name} ${argumentsOf(call)}`)];
}
