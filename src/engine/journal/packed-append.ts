import { entryId, ordinal, type FrameId } from '../../core/values/id.ts';
import type { Fact, FactOf } from '../../core/state/fact.ts';
import type { HostReport, JournalRecord } from '../../core/state/input.ts';
import type { Message } from '../../core/messages/message.ts';
import type { ItemForm } from '../../core/state/view.ts';

// Nearly every record is an append, and its keys would weigh as much as a short
// message. So it is kept as a list, with a list for the fact of each entry:
//
//   [seq, at, turn, tokens, [[n, frame, flags, tokens, hash]], null]
//
// `flags` is role, form and two flags in one number. An object of optional fields
// follows where the fact has calls or a text, or its shown tokens or unit differ
// from its own.

type OptionalFields = Partial<
  Pick<FactOf<'entry.appended'>, 'shown' | 'unit' | 'calls' | 'call' | 'text'>
>;

/** The fact of an entry, packed. */
export type PackedFact = readonly [
  n: number,
  frame: FrameId,
  flags: number,
  tokens: number,
  hash: string,
  optional?: OptionalFields,
];

/** What came in with an append beyond what its facts say. */
interface AppendInput {
  readonly entries?: Extract<JournalRecord['input'], { type: 'append' }>['entries'];
  readonly sent?: HostReport;
}

/** The record of an append, packed; `F` is what its facts are kept as. */
export type PackedRecord<F> = readonly [
  seq: number,
  at: number,
  turn: number,
  tokens: number,
  facts: readonly F[],
  input: AppendInput | null,
];

const roles: readonly Message['role'][] = ['user', 'assistant', 'tool'];
const forms: readonly ItemForm[] = ['whole', 'short', 'cleared', 'stray', 'closing'];
/** First bit of each part of the flags; the role takes the first two. */
const bits = { human: 2, exact: 3, form: 4 } as const;

/** The fact of an entry as a list. */
export function packFact(fact: FactOf<'entry.appended'>): PackedFact {
  const { frame, tokens, hash, shown, unit, calls, call, text } = fact;
  const n = ordinal(fact.entry);
  const flags =
    roles.indexOf(fact.role) |
    (Number(fact.human) << bits.human) |
    (Number(fact.exact) << bits.exact) |
    (forms.indexOf(fact.form) << bits.form);
  if (
    shown === tokens &&
    unit === n &&
    calls === undefined &&
    call === undefined &&
    text === undefined
  )
    return [n, frame, flags, tokens, hash];
  const optional: OptionalFields = {
    ...(shown === tokens ? {} : { shown }),
    ...(unit === n ? {} : { unit }),
    ...(calls === undefined ? {} : { calls }),
    ...(call === undefined ? {} : { call }),
    ...(text === undefined ? {} : { text }),
  };
  return [n, frame, flags, tokens, hash, optional];
}

/** The fact that a list was made of. */
export function unpackFact([
  n,
  frame,
  flags,
  tokens,
  hash,
  optional = {},
]: PackedFact): FactOf<'entry.appended'> {
  const { calls, call, text } = optional;
  return {
    type: 'entry.appended',
    entry: entryId(n),
    frame,
    role: roles[flags & 3]!,
    human: ((flags >> bits.human) & 1) === 1,
    form: forms[flags >> bits.form]!,
    tokens,
    shown: optional.shown ?? tokens,
    exact: ((flags >> bits.exact) & 1) === 1,
    hash,
    unit: optional.unit ?? n,
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
  const appended = appendedIn(record.facts);
  const isImplied =
    appended.length === entries.length &&
    entries.every((one, index) => {
      const fact = appended[index]!;
      return one.tokens === fact.tokens && one.exact === fact.exact && one.hash === fact.hash;
    });
  const kept: AppendInput = {
    ...(isImplied ? {} : { entries }),
    ...(sent === undefined ? {} : { sent }),
  };
  return [seq, at, turn, tokens, facts, isImplied && sent === undefined ? null : kept];
}

/** The record that a list was made of, with its `facts` as they were. */
export function unpackRecord(packed: PackedRecord<unknown>, facts: readonly Fact[]): JournalRecord {
  const [seq, at, turn, tokens, , kept] = packed;
  const entries =
    kept?.entries ??
    appendedIn(facts).map((fact) => ({ tokens: fact.tokens, exact: fact.exact, hash: fact.hash }));
  const sent = kept?.sent;
  const input = { type: 'append' as const, entries, ...(sent === undefined ? {} : { sent }) };
  return { seq, at, input, facts, turn, tokens };
}

function appendedIn(facts: readonly Fact[]): readonly FactOf<'entry.appended'>[] {
  return facts.filter((fact) => fact.type === 'entry.appended');
}
