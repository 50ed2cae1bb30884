import { fail } from '../../core/values/error.ts';
import { ordinal, textId, type TextId } from '../../core/values/id.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input, JournalRecord } from '../../core/state/input.ts';
import { defaultEncoding } from '../../core/budget/options.ts';
import type { State } from '../../core/state/state.ts';
import type { Count } from '../../core/messages/token-count.ts';
import { entryKey, textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { loadTokenizer } from '../../tokenizer/tiktoken.ts';
import type { Encoding } from '../../tokenizer/tokenizer.ts';
import { newBodies, referencesOf, type BodyCache } from '../journal/body-cache.ts';
import { decide, type Decision } from '../decide/decide.ts';
import { foldRecord } from '../journal/fold.ts';
import { hydrate, readJournal, type EntryRow } from '../journal/load.ts';
import { readHistory } from './read-past.ts';
import { fromRecorded } from '../journal/recorded-input.ts';

// The journal has each step's input and its facts. Deciding the inputs again must
// give the same facts and texts: then nothing but the inputs, the counter and the
// rules made the session what it is. What came before a redaction was decided on words
// that are gone, and is taken as it is.

/** The first record whose input no longer leads to its facts. */
export interface Divergence {
  readonly seq: number;
  readonly expected: readonly Fact[];
  /** What deciding again gave; empty where the input is now refused. */
  readonly found: readonly Fact[];
  /** Texts that are not, byte for byte, what is stored. */
  readonly texts: readonly TextId[];
}

/** The result of a replay. */
export interface Replay {
  /** Records that were decided again, the diverging one included; those up to the last redaction are not. */
  readonly records: number;
  readonly diverged: Divergence | null;
}

/**
 * Decides every recorded input of a session again and compares facts and texts,
 * up to the first difference. Needs no model. Holds what is open in memory, not
 * the history. Throws `SESSION_NOT_FOUND`, `SEQUENCE_GAP`, `RECORD_DAMAGED`.
 */
export async function replay(store: RecordStore, session: string): Promise<Replay> {
  let state: State | null = null;
  let records = 0;
  let bodies = newBodies();
  const folded = await lastRedaction(store, session);
  for await (const record of readJournal(store, session, 0)) {
    if (record.seq <= folded) {
      state = foldRecord(state, record);
      if (record.seq === folded) bodies = await hydrate(store, state);
      continue;
    }
    records += 1;
    const input = await inputOf(store, { session, state, record, bodies });
    const count = await countOf(state, input);
    const decision = decideAgain(state, input, { count, bodies, at: record.at });
    const next: State = foldRecord(state, record);
    const stored = await textsOf(store, { session, from: state?.texts ?? 0, to: next.texts });
    const diverged = divergenceOf(record, decision, stored);
    if (diverged !== null) return { records, diverged };
    for (const [id, text] of stored) bodies.putText(id, text);
    if (record.facts.some(({ type }) => type === 'epoch.raised')) bodies.keep(referencesOf(next));
    state = next;
  }
  if (state === null)
    throw fail('SESSION_NOT_FOUND', `There is no session "${session}"`, { session });
  return { records, diverged: null };
}

/** The newest record that took the text of an entry out; 0 for none. */
async function lastRedaction(store: RecordStore, session: string): Promise<number> {
  let last = 0;
  for await (const { seq, input } of readJournal(store, session, 0))
    if (input.type === 'redact') last = seq;
  return last;
}

/** The input of a record, its messages read from their rows. */
async function inputOf(
  store: RecordStore,
  from: { session: string; state: State | null; record: JournalRecord; bodies: BodyCache },
): Promise<Input> {
  const { session, state, record, bodies } = from;
  if (record.input.type === 'restore' || record.input.type === 'raise')
    return readHistory(store, { state: state!, input: record.input, bodies });
  if (record.input.type !== 'append') return record.input;
  const first = (state?.entries ?? 0) + 1;
  const keys = record.input.entries.map((_, index) => entryKey(session, first + index));
  const rows = (await store.getMany('entry', keys)) as (EntryRow | undefined)[];
  const messages = rows.map((row, index) => {
    if (row === undefined)
      throw fail('RECORD_DAMAGED', `Entry row "${keys[index]}" is missing`, { key: keys[index] });
    bodies.putMessage(first + index, row.message);
    return row.message;
  });
  return fromRecorded(record.input, messages);
}

async function countOf(state: State | null, input: Input): Promise<Count> {
  const options = state?.options ?? (input.type === 'create' ? input.options : null);
  return (await loadTokenizer((options?.tokenizer ?? defaultEncoding) as Encoding)).count;
}

function decideAgain(
  state: State | null,
  input: Input,
  context: Parameters<typeof decide>[2],
): Pick<Decision, 'facts' | 'texts'> {
  try {
    return decide(state, input, context);
  } catch {
    return { facts: [], texts: new Map() };
  }
}

/** The stored texts with ordinals above `from`, up to `to`. */
async function textsOf(
  store: RecordStore,
  range: { session: string; from: number; to: number },
): Promise<ReadonlyMap<TextId, string>> {
  const { session, from, to } = range;
  const ids = Array.from({ length: Math.max(0, to - from) }, (_, index) =>
    textId(from + 1 + index),
  );
  if (ids.length === 0) return new Map();
  const keys = ids.map((id) => textKey(session, ordinal(id)));
  const rows = await store.getMany('text', keys);
  return new Map(
    rows.flatMap((row, index) =>
      row === undefined ? [] : [[ids[index]!, row as string] as const],
    ),
  );
}

function divergenceOf(
  { seq, facts: expected }: JournalRecord,
  { facts: found, texts }: Pick<Decision, 'facts' | 'texts'>,
  stored: ReadonlyMap<TextId, string>,
): Divergence | null {
  const ids = [...new Set([...texts.keys(), ...stored.keys()])];
  const differing = ids.filter((id) => texts.get(id) !== stored.get(id));
  if (differing.length === 0 && JSON.stringify(expected) === JSON.stringify(found)) return null;
  return { seq, expected, found, texts: differing };
}
