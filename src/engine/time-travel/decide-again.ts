import { fail, isEngineError } from '../../core/values/error.ts';
import { entryId, ordinal, textId, type TextId } from '../../core/values/id.ts';
import { firstDifference } from '../../core/values/json-difference.ts';
import type { Input, JournalRecord } from '../../core/state/input.ts';
import { defaultEncoding } from '../../core/budget/options.ts';
import type { State } from '../../core/state/state.ts';
import type { Count } from '../../core/messages/token-count.ts';
import type { Message } from '../../core/messages/message.ts';
import { entryKey, parseStateKey, seqRange, textKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { loadTokenizer } from '../../tokenizer/tiktoken.ts';
import type { Encoding } from '../../tokenizer/tokenizer.ts';
import { newBodies, referencesOf, type BodyCache } from '../journal/body-cache.ts';
import { hydrate, readJournal, type EntryRow } from '../journal/load.ts';
import { chainHash, fromRecorded } from '../journal/recorded-input.ts';
import { encodeState } from '../journal/state-codec.ts';
import { readCopy } from '../journal/state-copies.ts';
import { decide } from '../decide/decide.ts';
import { assemblyOf, type AssemblyCache } from '../step/assembly-cache.ts';
import type { DecideContext } from '../step/draft.ts';
import { readHistory } from './read-past.ts';

// The journal has each step's input and its facts. Deciding the inputs again must
// give the same facts and texts: then nothing but the inputs, the counter and the
// rules made the session what it is. Compared is, in this order:
//
//   entries    their rows            with the hashes in the input
//   facts      what is stored        with what is decided
//   texts      their rows            with what is decided
//   assembly   of the stored facts   with that of the state as it was decided
//   state      the copy that is kept with the fold of the stored facts
//
// What came before a redaction was decided on words that are gone, and is taken as it is.

/** What of a step is not as it is stored, the first thing only. */
export interface ReplayDifference {
  readonly kind: 'entry' | 'fact' | 'text' | 'assembly' | 'state';
  /** The entry or text, the fact's type, the assembly, or the record of the state. */
  readonly id: string;
  /** Where in it: `[1].identity.title` in the second fact of the step; empty for all of it. */
  readonly path: string;
  /** Undefined where nothing is there; so is `decided`. */
  readonly stored: unknown;
  readonly decided: unknown;
}

/**
 * Decides one record after the other again, each on the state before it; `after` is null where its facts make none.
 * Undefined for a record up to the last redaction, which cannot be.
 */
export type DecideAgain = (
  record: JournalRecord,
  before: State | null,
  after: State | null,
) => Promise<ReplayDifference | null | undefined>;

/** What a step came to when it was decided again; without a state where it is refused. */
interface SecondDecision {
  readonly facts: JournalRecord['facts'];
  readonly texts: ReadonlyMap<TextId, string>;
  readonly state: State | null;
  readonly refusal?: string;
}

/** Decides what follows on `state` again. Needs no model; holds what is open in memory, not the history. */
export async function decideAgain(
  store: RecordStore,
  session: string,
  start: State | null,
): Promise<DecideAgain> {
  const redacted = await lastRedaction(store, session);
  const bodies = newBodies();
  if (start !== null && start.seq >= redacted) await hydrate(store, start, bodies);
  const copies = await copiesAfter(store, session, start?.seq ?? 0);
  const sameAssembly = assemblyComparison(bodies);
  return async (record, before, after) => {
    const { seq, at, facts } = record;
    if (seq <= redacted) {
      if (seq === redacted && after !== null) await hydrate(store, after, bodies);
      return undefined;
    }
    const messages = await messagesOf(store, { session, before, record, bodies });
    const changed = changedEntry(record, messages, before);
    const decision = await decided(
      before,
      () => inputOf(store, { before, record, bodies, messages }),
      {
        bodies,
        at,
      },
    );
    const texts = await textsOf(store, session, [before?.texts ?? 0, after?.texts ?? 0]);
    for (const [id, text] of texts) bodies.putText(id, text);
    const made = changed ?? differingFact(facts, decision) ?? differingText(texts, decision.texts);
    if (made !== null || after === null) return made;
    if (facts.some(({ type }) => type === 'epoch.raised')) bodies.keep(referencesOf(after));
    const now = { ...decision.state!, seq, updated: at };
    const shown = sameAssembly(after, now);
    if (shown !== null || !copies.has(seq)) return shown;
    return differingCopy(after, await readCopy(store, session, seq));
  };
}

/** The newest record that took the text of an entry out; 0 for none. */
async function lastRedaction(store: RecordStore, session: string): Promise<number> {
  let last = 0;
  for await (const { seq, input } of readJournal(store, session, 0))
    if (input.type === 'redact') last = seq;
  return last;
}

/** The records with which copies of the state were written that are there still. */
async function copiesAfter(
  store: RecordStore,
  session: string,
  after: number,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for await (const [key] of store.range('state', seqRange(session, { after })))
    found.add(parseStateKey(key).seq);
  return found;
}

/** The messages of an append, from their rows; `bodies` gets them. */
async function messagesOf(
  store: RecordStore,
  from: { session: string; before: State | null; record: JournalRecord; bodies: BodyCache },
): Promise<readonly Message[]> {
  const { session, before, bodies } = from;
  const { input } = from.record;
  if (input.type !== 'append') return [];
  const first = (before?.entries ?? 0) + 1;
  const keys = input.entries.map((_, index) => entryKey(session, first + index));
  const rows = (await store.getMany('entry', keys)) as (EntryRow | undefined)[];
  return rows.map((row, index) => {
    if (row === undefined)
      throw fail('RECORD_DAMAGED', `Entry row "${keys[index]}" is missing`, { key: keys[index] });
    bodies.putMessage(first + index, row.message);
    return row.message;
  });
}

/** The first entry whose row does not hold what the hash in the input was made of. */
function changedEntry(
  { input }: JournalRecord,
  messages: readonly Message[],
  before: State | null,
): ReplayDifference | null {
  if (input.type !== 'append') return null;
  let hash = before?.hash ?? '';
  for (const [index, { hash: stored }] of input.entries.entries()) {
    hash = chainHash(hash, messages[index]!);
    const id = entryId((before?.entries ?? 0) + 1 + index);
    if (hash !== stored) return { kind: 'entry', id, path: 'hash', stored, decided: hash };
  }
  return null;
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

async function decided(
  state: State | null,
  read: () => Promise<Input>,
  given: Pick<DecideContext, 'bodies' | 'at'>,
): Promise<SecondDecision> {
  try {
    const input = await read();
    return decide(state, input, { ...given, count: await countOf(state, input) });
  } catch (error) {
    if (isEngineError(error, 'RECORD_DAMAGED')) throw error;
    const refusal = error instanceof Error ? error.message : String(error);
    return { facts: [], texts: new Map(), state: null, refusal };
  }
}

/** The stored texts with ordinals above the first number, up to the second. */
async function textsOf(
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

function differingFact(
  stored: JournalRecord['facts'],
  { facts, refusal }: SecondDecision,
): ReplayDifference | null {
  const found = firstDifference(stored, facts);
  if (found === null) return null;
  const index = Number(/^\[(\d+)\]/.exec(found.path)?.[1] ?? 0);
  const id = (stored[index] ?? facts[index])?.type ?? '';
  const { path, one, other } = found;
  const refused = refusal === undefined ? other : `refused: ${refusal}`;
  return { kind: 'fact', id, path, stored: one, decided: refused };
}

function differingText(
  stored: ReadonlyMap<TextId, string>,
  decided: ReadonlyMap<TextId, string>,
): ReplayDifference | null {
  const ids = new Set([...stored.keys(), ...decided.keys()]);
  for (const id of ids)
    if (stored.get(id) !== decided.get(id))
      return { kind: 'text', id, path: '', stored: stored.get(id), decided: decided.get(id) };
  return null;
}

/** Compares the assemblies of two states, step by step: messages of an epoch are compared once. */
function assemblyComparison(
  bodies: BodyCache,
): (stored: State, decided: State) => ReplayDifference | null {
  const caches: readonly [AssemblyCache, AssemblyCache] = [{}, {}];
  let same = new WeakMap<object, object>();
  return (stored, decided) => {
    const one = assemblyOf(stored, bodies, caches[0]);
    const other = assemblyOf(decided, bodies, caches[1]);
    const { messages, ...rest } = one;
    const differing = messages.findIndex((message, index) => {
      const twin = other.messages[index];
      if (twin !== undefined && same.get(message) === twin) return false;
      if (JSON.stringify(message) !== JSON.stringify(twin)) return true;
      same.set(message, twin!);
      return false;
    });
    const { messages: others, ...restOfOther } = other;
    const isSame = differing < 0 && messages.length === others.length;
    if (isSame && JSON.stringify(rest) === JSON.stringify(restOfOther)) return null;
    same = new WeakMap();
    const found = firstDifference(one, other)!;
    return { kind: 'assembly', id: one.id, ...pathAndValues(found) };
  };
}

/** The kept copy of a state beside the fold of the facts; one that was replaced meanwhile, or that other machines made, is passed over. */
function differingCopy(
  after: State,
  copy: Awaited<ReturnType<typeof readCopy>>,
): ReplayDifference | null {
  if (copy === null || !copy.isCurrent || copy.state.seq !== after.seq) return null;
  const found = firstDifference(encodeState(copy.state), encodeState(after));
  return found && { kind: 'state', id: String(after.seq), ...pathAndValues(found) };
}

const pathAndValues = ({
  path,
  one: stored,
  other: decided,
}: NonNullable<ReturnType<typeof firstDifference>>): Pick<
  ReplayDifference,
  'path' | 'stored' | 'decided'
> => ({ path, stored, decided });
