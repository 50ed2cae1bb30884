import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageTokens, type Count } from '../../core/messages/token-count.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import type { LiveSession } from './live-session.ts';
import { argumentsOf, textOf, type Message } from '../../core/messages/message.ts';
import { sliceLength, slicesOf } from '../../tokenizer/slice.ts';

// Before the tokenizer is loaded an entry is known by its bytes, an upper bound.
// Nothing is decided on that: whoever needs the tokenizer first has what is
// known by its bound counted, in the same turn.

/** The loaded tokenizer, once every entry is known by its count. Runs in turn only. */
export async function exactCounter(live: LiveSession): Promise<Tokenizer> {
  const tokenizer = await live.counter();
  if (live.state.uncounted.length > 0) await countNow(live, tokenizer);
  return tokenizer;
}

const counting = new WeakSet<LiveSession>();

/** Whether entries of a session are going to be counted. */
export function isCounting(live: LiveSession): boolean {
  return counting.has(live);
}

/** Counts what is known by its bound only, once the tokenizer is there; loading it begins when the write of this moment is on its way. */
export async function scheduleCount(live: LiveSession): Promise<void> {
  if (counting.has(live)) return;
  counting.add(live);
  try {
    await nextTurn();
    await live.counter();
    await live.inTurn(() => {
      counting.delete(live);
      return exactCounter(live);
    });
  } catch {
    // A tokenizer that does not load is reported by the first call that needs it.
    counting.delete(live);
  }
}

/** Counts what an earlier process left known by its bound only; resolves when that is durable. */
export async function countLeftOver(live: LiveSession): Promise<void> {
  if (live.state.uncounted.length === 0 || isCounting(live)) return;
  await scheduleCount(live);
  await live.written;
}

/** After what was asked for, counts what is known by its bound only, so that no bound outlives the process. */
export async function countBeforeEnd(live: LiveSession): Promise<void> {
  await live.inTurn(async () => {
    if (!live.isNew && !live.isBroken && live.state.uncounted.length > 0) await exactCounter(live);
  });
}

async function countNow(live: LiveSession, { count }: Tokenizer): Promise<void> {
  const rows = await live.rows(live.state.uncounted);
  const counted = rows.map(
    ([n, row]) => [n, { ...row, tokens: messageTokens(row.message, count) }] as const,
  );
  const counts = counted.map(([n, { tokens }]) => [n, tokens] as const);
  live.step({ type: 'count', counts }, { rows: counted });
}

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
