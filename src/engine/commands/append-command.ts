import { limitOfGiants } from '../../core/state/limit.ts';
import { giantLimit } from '../../core/budget/budget.ts';
import { entryId } from '../../core/values/id.ts';
import type { Incoming, SentPrompt } from '../../core/state/input.ts';
import { markersIn } from '../../core/frames/goal-markers.ts';
import {
  checkArgument,
  nonEmptyText,
  objectOf,
  signal,
  time,
} from '../../core/values/validation.ts';
import { checkMessage, textOf, type Message } from '../../core/messages/message.ts';
import { byteBound, messageTokens, type Count } from '../../core/messages/token-count.ts';
import { scheduleCount, exactCounter, countAhead } from '../live/counting.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import type { LiveSession } from '../live/live-session.ts';
import { measure } from '../step/measure.ts';
import { chainHash } from '../journal/recorded-input.ts';
import { withLost, usage, type Usage } from './report.ts';
import { rememberedCount } from '../live/cached-count.ts';
import { sliceLength } from '../../tokenizer/slice.ts';

/** How messages are appended. */
export interface AppendOptions {
  /** The same key twice appends once, and answers the same. */
  readonly key?: string | undefined;
  /** When it was said, in milliseconds since 1970; now unless told. */
  readonly at?: number | undefined;
  /** What the server counted for the assembly that was answered. */
  readonly usage?: Usage | undefined;
  /** The id of the assembly that was answered; with `usage`, the last one given out unless told. */
  readonly assembly?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const appendOptions = objectOf<AppendOptions>({
  key: nonEmptyText(),
  at: time,
  usage,
  assembly: nonEmptyText('the id of an assembly'),
  signal,
});

/** Appends one message or several, all or nothing; resolves when they are durable. */
export async function appendMessages(
  live: LiveSession,
  given: Message | readonly Message[],
  options: AppendOptions,
): Promise<{ id: string } | { ids: string[] }> {
  checkArgument('options', options, appendOptions);
  options.signal?.throwIfAborted();
  const many = Array.isArray(given);
  const messages = (many ? given : [given]).map(checkMessage);
  const key = options.key === undefined ? undefined : `append ${options.key}`;
  const { ids, durable } = await live.enqueue(async () => {
    options.signal?.throwIfAborted();
    if (key !== undefined) {
      const before = (await live.answered(key)) as string[] | undefined;
      if (before !== undefined) return { ids: before, durable: live.written };
    }
    const first = live.state.entries + 1;
    const ids = messages.map((_, index) => entryId(first + index) as string);
    if (messages.length === 0) return { ids, durable: live.written };
    const { entries, count } = await toIncoming(live, messages, options.signal);
    const input = { type: 'append', entries, ...sentOf(live, options) } as const;
    const keys = key === undefined ? {} : { keys: () => [[key, ids] as const] };
    return { ids, durable: live.step(input, { ...keys, at: options.at, count }).durable };
  });
  await durable;
  return many ? { ids } : { id: ids[0]! };
}

function sentOf(live: LiveSession, options: AppendOptions): { sent?: SentPrompt } {
  const { usage } = options;
  const inputTokens = usage?.inputTokens;
  const assembly = options.assembly ?? (usage === undefined ? undefined : live.counted()?.assembly);
  if (assembly === undefined) return {};
  const said = inputTokens === undefined ? {} : { inputTokens };
  const known = live.counted(assembly);
  if (known === undefined) return { sent: { assembly, ...said } };
  const { estimate, epoch } = known;
  const sent = { assembly, ...said, counted: { estimate, epoch } };
  return { sent: withLost(live.state, sent, known.messages) };
}

/**
 * Messages with their counts and hashes, counted exactly, or by the byte bound while nothing
 * rests on it; and what counts, where it knows giant texts of them.
 */
export async function toIncoming(
  live: LiveSession,
  messages: readonly Message[],
  signal: AbortSignal | undefined,
): Promise<{ readonly entries: Incoming[]; readonly count: Count | undefined }> {
  const loaded = await counterFor(live, messages);
  const ahead = loaded === undefined ? byteBound : countAhead(messages, loaded.count, signal);
  const count: Count = typeof ahead === 'function' ? ahead : await ahead;
  if (loaded === undefined) void scheduleCount(live);
  let { hash } = live.state;
  const entries = messages.map((message) => {
    hash = chainHash(hash, message);
    return { message, tokens: messageTokens(message, count), exact: loaded !== undefined, hash };
  });
  if (loaded === undefined || count === loaded.count) return { entries, count: undefined };
  const remembered = rememberedCount(loaded);
  return { entries, count: (text) => (text.length > sliceLength ? count : remembered)(text) };
}

/** The tokenizer with which to count; undefined where counting may wait. */
async function counterFor(
  live: LiveSession,
  messages: readonly Message[],
): Promise<Tokenizer | undefined> {
  const loaded = live.loadedCounter;
  if (loaded === undefined && mayWait(live, messages)) return undefined;
  return loaded === undefined || live.state.uncounted.length > 0 ? exactCounter(live) : loaded;
}

/** Whether counting may wait: by its byte bound nothing comes near the trigger, is a giant, or is decided on. */
function mayWait(live: LiveSession, messages: readonly Message[]): boolean {
  const { state } = live;
  const bound = messages.reduce((sum, message) => sum + messageTokens(message, byteBound), 0);
  const { human, working, threshold } = measure(state);
  if (human + working + bound >= threshold) return false;
  if (bound > giantLimit(limitOfGiants(state), state.shown.sizes)) return false;
  if (state.calls.some(({ closed }) => !closed)) return false;
  return messages.every(
    ({ role, content }) =>
      role === 'user' || (role === 'assistant' && markersIn(textOf(content)).length === 0),
  );
}
