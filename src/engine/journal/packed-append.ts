import { entryId, ordinal, type FrameId } from '../../core/values/id.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { SentPrompt, JournalRecord } from '../../core/state/input.ts';
import type { Message } from '../../core/messages/message.ts';
import type { ItemForm } from '../../core/state/view.ts';

// Nearly every record is an append, and its keys would weigh as much as a short
// message. So it is kept as a list, the fact of each entry as one more:
//
//   [seq, at, turn, tokens, [[n, frame, look, tokens, hash]], null]
//
// `look` is role, form and two flags in one number; what seldom differs from
// its neighbor (tokens as shown, the unit) or is seldom there stands behind.

type Appended = Extract<Fact, { type: 'entry.appended' }>;
type RarePart = Partial<Pick<Appended, 'shown' | 'unit' | 'calls' | 'call' | 'text'>>;

/** The fact of an entry, packed. */
export type PackedFact = readonly [
  n: number,
  frame: FrameId,
  look: number,
  tokens: number,
  hash: string,
  rest?: RarePart,
];

/** What came in with an append beyond what its facts say. */
interface AppendInput {
  readonly entries?: Extract<JournalRecord['input'], { type: 'append' }>['entries'];
  readonly sent?: SentPrompt;
}

/** The record of an append, packed; `F` is what its facts are kept as. */
export type PackedRecord<F> = readonly [
  seq: number,
  at: number,
  turn: number,
  tokens: number,
  facts: readonly F[],
  given: AppendInput | null,
];

const roles: readonly Message['role'][] = ['user', 'assistant', 'tool'];
const forms: readonly ItemForm[] = ['whole', 'short', 'cleared', 'stray', 'closing'];
/** Places of a look's parts, in bits. */
const places = { human: 2, exact: 3, form: 4 } as const;

/** The fact of an entry as a list. */
export function packFact(fact: Appended): PackedFact {
  const { frame, tokens, hash, shown, unit, calls, call, text } = fact;
  const n = ordinal(fact.entry);
  const look =
    roles.indexOf(fact.role) |
    (Number(fact.human) << places.human) |
    (Number(fact.exact) << places.exact) |
    (forms.indexOf(fact.form) << places.form);
  if (
    shown === tokens &&
    unit === n &&
    calls === undefined &&
    call === undefined &&
    text === undefined
  )
    return [n, frame, look, tokens, hash];
  const rest: RarePart = {
    ...(shown === tokens ? {} : { shown }),
    ...(unit === n ? {} : { unit }),
    ...(calls === undefined ? {} : { calls }),
    ...(call === undefined ? {} : { call }),
    ...(text === undefined ? {} : { text }),
  };
  return [n, frame, look, tokens, hash, rest];
}

/** The fact that a list was made of. */
export function unpackFact([n, frame, look, tokens, hash, rest = {}]: PackedFact): Appended {
  const { calls, call, text } = rest;
  return {
    type: 'entry.appended',
    entry: entryId(n),
    frame,
    role: roles[look & 3]!,
    human: ((look >> places.human) & 1) === 1,
    form: forms[look >> places.form]!,
    tokens,
    shown: rest.shown ?? tokens,
    exact: ((look >> places.exact) & 1) === 1,
    hash,
    unit: rest.unit ?? n,
    ...(calls === undefined ? {} : { calls }),
    ...(call === undefined ? {} : { call }),
    ...(text === undefined ? {} : { text }),
  };
}

/** The record of an append as a list, its facts made into `F` already. */
export function packRecord<F>(
  record: JournalRecord & { readonly input: { readonly type: 'append' } },
  facts: readonly F[],
): PackedRecord<F> {
  const { seq, at, turn, tokens, input } = record;
  const { entries, sent } = input;
  const told = appendedIn(record.facts);
  const isTold =
    told.length === entries.length &&
    entries.every((one, index) => {
      const fact = told[index]!;
      return one.tokens === fact.tokens && one.exact === fact.exact && one.hash === fact.hash;
    });
  const given: AppendInput = {
    ...(isTold ? {} : { entries }),
    ...(sent === undefined ? {} : { sent }),
  };
  return [seq, at, turn, tokens, facts, isTold && sent === undefined ? null : given];
}

/** The record that a list was made of, with its `facts` as they were. */
export function unpackRecord(packed: PackedRecord<unknown>, facts: readonly Fact[]): JournalRecord {
  const [seq, at, turn, tokens, , given] = packed;
  const entries =
    given?.entries ??
    appendedIn(facts).map((fact) => ({ tokens: fact.tokens, exact: fact.exact, hash: fact.hash }));
  const sent = given?.sent;
  const input = { type: 'append' as const, entries, ...(sent === undefined ? {} : { sent }) };
  return { seq, at, input, facts, turn, tokens };
}

function appendedIn(facts: readonly Fact[]): readonly Appended[] {
  return facts.filter((fact) => fact.type === 'entry.appended');
}
