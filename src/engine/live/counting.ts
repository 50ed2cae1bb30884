import { argumentsOf, filesOf, textOf, type Message } from '../../core/messages/message.ts';
import { providerText } from '../../core/messages/provider-message.ts';
import { countFor, messageTokens, type Count } from '../../core/messages/token-count.ts';
import { entryKey } from '../../store/key.ts';
import { sliceLength, slicesOf } from '../../tokenizer/slice.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import type { EntryRow } from '../journal/load.ts';
import { nextTurn } from './next-turn.ts';
import type { CommandSession, SessionWriter } from './session-access.ts';

// Before the tokenizer is loaded an entry is known by its bytes, an upper bound.
// Nothing is decided on that: whoever needs the tokenizer first has what is
// known by its bound counted, in the same turn.

/** The loaded tokenizer, once every entry is known by its count. */
export async function exactCounter(writer: SessionWriter): Promise<Tokenizer> {
  const tokenizer = await writer.counter();
  if (writer.state.uncounted.length > 0) await countNow(writer, tokenizer);
  return tokenizer;
}

async function countNow(writer: SessionWriter, tokenizer: Tokenizer): Promise<void> {
  const count = countFor(tokenizer.count, writer.state.options);
  await writer.written;
  const positions = writer.state.uncounted;
  const keys = positions.map((n) => entryKey(writer.id, n));
  const found = (await writer.store.getMany('entry', keys)) as (EntryRow | undefined)[];
  const rows = found.flatMap((row, index) =>
    row === undefined
      ? []
      : [[positions[index]!, { ...row, tokens: messageTokens(row.message, count) }] as const],
  );
  writer.step({ type: 'count', counts: rows.map(([n, { tokens }]) => [n, tokens]) }, { rows });
}

const scheduled = new WeakSet<CommandSession>();

/** Whether a count is scheduled for entries of a session. */
export function isCounting(session: CommandSession): boolean {
  return scheduled.has(session);
}

/** Counts what is known by its bound only, once the tokenizer is there; loading it begins when the write of this moment is on its way. */
export async function scheduleCount(session: CommandSession): Promise<void> {
  if (scheduled.has(session)) return;
  scheduled.add(session);
  try {
    await nextTurn();
    await session.counter();
    await session.inTurn((writer) => {
      scheduled.delete(session);
      return exactCounter(writer);
    });
  } catch {
    // A tokenizer that does not load is reported by the first call that needs it.
    scheduled.delete(session);
  }
}

/** Counts what an earlier process left known by its bound only; resolves when that is durable. */
export async function countLeftOver(session: CommandSession): Promise<void> {
  if (session.state.uncounted.length === 0 || isCounting(session)) return;
  await scheduleCount(session);
  await session.durableState();
}

/** After what was asked for, counts what is known by its bound only, so that no bound outlives the process. */
export async function countBeforeEnd(
  live: CommandSession & { readonly isNew: boolean; readonly isBroken: boolean },
): Promise<void> {
  await live.inTurn(async (writer) => {
    if (!live.isNew && !live.isBroken && live.state.uncounted.length > 0)
      await exactCounter(writer);
  });
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
  const giants = messages.flatMap(countedTexts).filter((text) => text.length > sliceLength);
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
  // A decision is begun again for each of its parts, and asks again for giants that it makes of these.
  return (text) => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
}

/** The texts of a message that `messageTokens` counts. */
function countedTexts(message: Message): readonly string[] {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [
    textOf(message.content),
    ...calls.map((call) => `${call.name} ${argumentsOf(call)}`),
    providerText(message.provider, filesOf(message.content)),
  ];
}
