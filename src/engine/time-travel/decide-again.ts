import { entryId, type TextId } from '../../core/values/id.ts';
import { firstDifference } from '../../core/values/json-difference.ts';
import type { JournalRecord } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import type { Message } from '../../core/messages/message.ts';
import type { Bodies } from '../../core/messages/bodies.ts';
import { parseStateKey, seqRange } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { newBodies, referencesOf } from '../journal/body-cache.ts';
import { hydrate } from '../journal/load.ts';
import { chainHash } from '../journal/recorded-input.ts';
import { encodeState } from '../journal/state-codec.ts';
import { readCopy } from '../journal/state-copies.ts';
import { assemblyOf, type AssemblyCache } from '../step/assembly-cache.ts';
import { decideRecord, lastRedaction, textsOf, type SecondDecision } from './second-decision.ts';

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
    const { decision, messages } = await decideRecord(store, { session, before, record, bodies });
    const changed = changedEntry(record, messages, before);
    const texts = await textsOf(store, session, [before?.textCount ?? 0, after?.textCount ?? 0]);
    for (const [id, text] of texts) bodies.putText(id, text);
    const difference =
      changed ?? differingFact(facts, decision) ?? differingText(texts, decision.texts);
    if (difference !== null || after === null) return difference;
    if (facts.some(({ type }) => type === 'epoch.raised')) bodies.keep(referencesOf(after));
    const shown = sameAssembly(after, { ...decision.state!, seq, updated: at });
    if (shown !== null || !copies.has(seq)) return shown;
    return differingCopy(after, await readCopy(store, session, seq));
  };
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
    const id = entryId((before?.entryCount ?? 0) + 1 + index);
    if (hash !== stored) return { kind: 'entry', id, path: 'hash', stored, decided: hash };
  }
  return null;
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
  bodies: Bodies,
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
