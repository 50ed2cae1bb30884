import { fail, isDamage, isEngineError } from '../../core/values/error.ts';
import { ordinal, textId, type TextId } from '../../core/values/id.ts';
import type { Input, JournalRecord } from '../../core/state/input.ts';
import { defaultEncoding } from '../../core/budget/options.ts';
import type { State } from '../../core/state/state.ts';
import type { Count } from '../../core/messages/token-count.ts';
import type { Message } from '../../core/messages/message.ts';
import { entryKey, textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { loadTokenizer } from '../../tokenizer/tiktoken.ts';
import type { Encoding } from '../../tokenizer/tokenizer.ts';
import type { BodyCache } from '../journal/body-cache.ts';
import { readJournal, type EntryRow } from '../journal/load.ts';
import { fromRecorded } from '../journal/recorded-input.ts';
import { decide } from '../decide/decide.ts';
import type { DecideContext } from '../step/draft.ts';
import type { Transition } from '../step/trace.ts';
import { readHistory } from './read-past.ts';

// The stored input of a record, decided again: for a replay that compares what comes of
// it, and for inspectors, who are told how it came.

/** What a step came to when it was decided again; without a state where it is refused. */
export interface SecondDecision {
  readonly facts: JournalRecord['facts'];
  readonly texts: ReadonlyMap<TextId, string>;
  readonly state: State | null;
  readonly trace: readonly Transition[] | null;
  readonly refusal?: string;
}

/** A record that was decided again. */
export interface DecidedRecord {
  readonly decision: SecondDecision;
  /** The messages of an append, from their rows. */
  readonly messages: readonly Message[];
}

/** Decides a record again on the state before it; `bodies` holds what that refers to, and gets the messages. Needs no model. */
export async function decideRecord(
  store: RecordStore,
  request: {
    readonly session: string;
    readonly before: State | null;
    readonly record: JournalRecord;
    readonly bodies: BodyCache;
    readonly isTraced?: boolean;
  },
): Promise<DecidedRecord> {
  const { session, before, record, bodies, isTraced = false } = request;
  const messages = await messagesOf(store, session, { before, record });
  const first = (before?.entryCount ?? 0) + 1;
  for (const [index, message] of messages.entries()) bodies.putMessage(first + index, message);
  const read = (): Promise<Input> => inputOf(store, { before, record, bodies, messages });
  const { at } = record;
  return { decision: await decided(before, read, { bodies, at, isTraced }), messages };
}

/** The newest record that took the text of an entry out; 0 for none. */
export async function lastRedaction(store: RecordStore, session: string): Promise<number> {
  let last = 0;
  for await (const { seq, input } of readJournal(store, session, 0))
    if (input.type === 'redact') last = seq;
  return last;
}

/** The messages of an append, from their rows; of another record none. */
export async function messagesOf(
  store: RecordStore,
  session: string,
  { before, record: { input } }: { before: State | null; record: JournalRecord },
): Promise<readonly Message[]> {
  if (input.type !== 'append') return [];
  const first = (before?.entryCount ?? 0) + 1;
  const keys = input.entries.map((_, index) => entryKey(session, first + index));
  const rows = (await store.getMany('entry', keys)) as (EntryRow | undefined)[];
  return rows.map((row, index) => {
    if (row !== undefined) return row.message;
    throw fail('RECORD_DAMAGED', `Entry row "${keys[index]}" is missing`, { key: keys[index]! });
  });
}

/** The input of a record, with its messages and what of the past it needs. */
async function inputOf(
  store: RecordStore,
  from: {
    before: State | null;
    record: JournalRecord;
    bodies: BodyCache;
    messages: readonly Message[];
  },
): Promise<Input> {
  const { before, record, bodies, messages } = from;
  const { input } = record;
  if (input.type === 'restore' || input.type === 'raise')
    return readHistory(store, { state: before!, input, bodies });
  return input.type === 'append' ? fromRecorded(input, messages) : input;
}

async function countOf(state: State | null, input: Input): Promise<Count> {
  const options = state?.options ?? (input.type === 'create' ? input.options : null);
  return (await loadTokenizer((options?.tokenizer ?? defaultEncoding) as Encoding)).count;
}

/** Whether an error is about what was to be read: it says nothing of what is decided. */
const isOfStore = (error: unknown): boolean =>
  isDamage(error) ||
  isEngineError(error, 'STORE_UNAVAILABLE') ||
  isEngineError(error, 'STORE_CLOSED');

async function decided(
  state: State | null,
  read: () => Promise<Input>,
  context: Omit<DecideContext, 'count'>,
): Promise<SecondDecision> {
  try {
    const input = await read();
    return decide(state, input, { ...context, count: await countOf(state, input) });
  } catch (error) {
    if (isOfStore(error)) throw error;
    const refusal = error instanceof Error ? error.message : String(error);
    return { facts: [], texts: new Map(), state: null, trace: null, refusal };
  }
}

/** The stored texts with ordinals above the first number, up to the second. */
export async function textsOf(
  store: RecordStore,
  session: string,
  [from, to]: readonly [number, number],
): Promise<ReadonlyMap<TextId, string>> {
  const length = Math.max(0, to - from);
  const ids = Array.from({ length }, (_, index) => textId(from + 1 + index));
  if (ids.length === 0) return new Map();
  const rows = await store.getMany(
    'text',
    ids.map((id) => textKey(session, ordinal(id))),
  );
  const found = rows.map((row, index) => [ids[index]!, row as string | undefined] as const);
  return new Map(found.filter((pair): pair is [TextId, string] => pair[1] !== undefined));
}
