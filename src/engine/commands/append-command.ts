import { giantLimit } from '../../core/budget/budget.ts';
import { markersIn } from '../../core/frames/goal-markers.ts';
import { checkMessage, textOf, type Message } from '../../core/messages/message.ts';
import { byteBound, countFor, messageTokens, type Count } from '../../core/messages/token-count.ts';
import { usageFrom, usageNames, type Usage } from '../../core/messages/usage.ts';
import type { Incoming, HostReport } from '../../core/state/input.ts';
import { limitForGiants } from '../../core/state/limit.ts';
import type { State } from '../../core/state/state.ts';
import { entryId } from '../../core/values/id.ts';
import {
  checkArgument,
  nonEmptyText,
  objectOf,
  signal,
  time,
} from '../../core/values/validation.ts';
import { sliceLength } from '../../tokenizer/slice.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';
import { chainHash } from '../journal/recorded-input.ts';
import { decided } from '../live/decided.ts';
import { cachedCount } from '../live/cached-count.ts';
import { countAhead, exactCounter, scheduleCount } from '../live/counting.ts';
import type { CommandSession, SessionWriter } from '../live/session-access.ts';
import { countedPrompt } from '../live/sent-assemblies.ts';
import { assemblyIds } from '../step/assembly-cache.ts';
import { measure } from '../step/measure.ts';
import { restOf, withLost } from './report.ts';

/** How messages are appended. */
export interface AppendOptions {
  /** Idempotency key: the same key twice appends once, and answers the same. */
  readonly key?: string | undefined;
  /** When it was said, in milliseconds since 1970; now unless told. */
  readonly at?: number | undefined;
  /** What the server counted for the assembly that was answered; one without any of these names is refused, but what is no count is left out, for no answer is lost over it. */
  readonly usage?: Usage | undefined;
  /** The id of the assembly that was answered; with `usage`, the last one given out unless told. */
  readonly assembly?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const appendOptions = objectOf<AppendOptions>({
  key: nonEmptyText(),
  at: time,
  usage: usageNames,
  assembly: assemblyIds,
  signal,
});

/** Appends one message or several, all or nothing; resolves when they are durable. */
export async function appendMessages(
  session: CommandSession,
  added: Message | readonly Message[],
  options: AppendOptions,
): Promise<{ id: string } | { ids: string[] }> {
  checkArgument('options', options, appendOptions);
  options.signal?.throwIfAborted();
  const many = Array.isArray(added);
  // A hole in a list is no message either.
  const messages = Array.from(many ? added : [added], checkMessage);
  const key = options.key === undefined ? undefined : `append ${options.key}`;
  const { ids } = await decided(session, async (writer) => {
    options.signal?.throwIfAborted();
    if (key !== undefined) {
      const before = (await writer.answered(key)) as string[] | undefined;
      if (before !== undefined) return { ids: before, durable: writer.written };
    }
    const first = writer.state.entryCount + 1;
    const ids = messages.map((_, index) => entryId(first + index) as string);
    if (messages.length === 0) return { ids, durable: writer.written };
    const { entries, count } = await toIncoming(writer, messages, options.signal);
    if (!entries[0]!.exact) void scheduleCount(session);
    const input = { type: 'append', entries, ...sentOf(session, options) } as const;
    const keys = key === undefined ? {} : { keys: () => [[key, ids] as const] };
    const { durable } = await writer.stepInParts(input, { ...keys, at: options.at, count });
    return { ids, durable };
  });
  return many ? { ids } : { id: ids[0]! };
}

/** The assembly that was answered, with what is known of it. */
function sentOf({ sent, state }: CommandSession, options: AppendOptions): { sent?: HostReport } {
  const isTold = options.usage !== undefined;
  const assembly = options.assembly ?? (isTold ? sent.find()?.assembly : undefined);
  if (assembly === undefined) return {};
  const usage = usageFrom(Object(options.usage) as Usage);
  const { inputTokens } = usage;
  const counted = { ...(inputTokens === undefined ? {} : { inputTokens }), ...restOf(usage) };
  const known = sent.find(assembly);
  if (known === undefined) return { sent: { assembly, ...counted } };
  const prompt = { assembly, ...counted, counted: countedPrompt(known) };
  return { sent: withLost(state, prompt, known.messages) };
}

/**
 * Messages with their counts and hashes, counted exactly, or by the byte bound while nothing
 * rests on it; and what counts, where it knows giant texts of them.
 */
export async function toIncoming(
  writer: SessionWriter,
  messages: readonly Message[],
  signal: AbortSignal | undefined,
): Promise<{ readonly entries: Incoming[]; readonly count: Count | undefined }> {
  const loaded = await counterFor(writer, messages);
  const ahead = loaded === undefined ? byteBound : countAhead(messages, loaded.count, signal);
  const counted: Count = typeof ahead === 'function' ? ahead : await ahead;
  const count = countFor(counted, writer.state.options);
  let { hash } = writer.state;
  const entries = messages.map((message) => {
    hash = chainHash(hash, message);
    return { message, tokens: messageTokens(message, count), exact: loaded !== undefined, hash };
  });
  if (loaded === undefined || counted === loaded.count) return { entries, count: undefined };
  const cached = cachedCount(loaded);
  return { entries, count: (text) => (text.length > sliceLength ? counted : cached)(text) };
}

/** The tokenizer with which to count; undefined where counting may wait. */
async function counterFor(
  writer: SessionWriter,
  messages: readonly Message[],
): Promise<Tokenizer | undefined> {
  const loaded = writer.loadedCounter;
  if (loaded === undefined && mayWait(writer.state, messages)) return undefined;
  return loaded === undefined || writer.state.uncounted.length > 0 ? exactCounter(writer) : loaded;
}

/** Whether counting may wait: by its byte bound nothing comes near the trigger, is a giant, or is decided on. */
function mayWait(state: State, messages: readonly Message[]): boolean {
  const count = countFor(byteBound, state.options);
  const bound = messages.reduce((sum, message) => sum + messageTokens(message, count), 0);
  const { human, working, threshold } = measure(state);
  if (human + working + bound >= threshold) return false;
  if (bound > giantLimit(limitForGiants(state), state.epochView.sizes)) return false;
  if (state.calls.some(({ closed }) => !closed)) return false;
  return messages.every(
    ({ role, content }) =>
      role === 'user' || (role === 'assistant' && markersIn(textOf(content)).length === 0),
  );
}
