import { ordinal } from '../../core/values/id.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input, JournalRecord } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import type { Count } from '../../core/messages/token-count.ts';
import {
  entryKey,
  idempotencyKey,
  journalKey,
  outboxKey,
  sessionKey,
  textKey,
} from '../../store/key.ts';
import type { Change } from '../../store/store.ts';
import type { SessionHeader } from '../journal/sessions/session-header.ts';
import { encodeRecord } from '../journal/state-codec.ts';
import type { Decision } from '../decide/decide.ts';
import { toRecorded } from '../journal/recorded-input.ts';
import type { EntryRow } from '../journal/load.ts';

/** How a step is kept beside its input. */
export interface StepOptions {
  /** Time of the entries, where it is not now. */
  readonly at?: number | undefined;
  /** Idempotency keys of this step and what each answers. */
  readonly keys?: (facts: readonly Fact[]) => KeyedAnswers;
  /** Rows of entries to write again, with their count in place of the byte bound. */
  readonly rows?: readonly (readonly [n: number, row: EntryRow])[];
  /** Names of work that is owed from then on, and what it needs. */
  readonly owed?: readonly (readonly [name: string, value: unknown])[];
  /** What counts, where it knows giant texts already; the loaded tokenizer unless told. */
  readonly count?: Count | undefined;
}

/** Idempotency keys and what each answers. */
export type KeyedAnswers = readonly (readonly [key: string, answer: unknown])[];

/** How many facts may follow a full copy of the state. */
export const copyAfter = 512;

/** A decided step, and how it is to be kept. */
interface DecidedStep {
  readonly state: State;
  readonly record: JournalRecord;
  readonly texts: Decision['texts'];
  readonly input: Input;
  readonly options: StepOptions;
  readonly keys: KeyedAnswers;
  /** The header of the session where the step changes it. */
  readonly header: SessionHeader | null;
  /** The rows of a full copy of the state, where one is due. */
  readonly copy: readonly Change[];
}

/** Everything that a step writes, as one batch. */
export function batchOf(step: DecidedStep): Change[] {
  const { state, record, texts, input, options, keys, header, copy } = step;
  const { session } = state;
  const put = (kind: Change['kind'], key: string, value: unknown): Change => ({
    type: 'put',
    kind,
    key,
    value,
  });
  const changes: Change[] = [put('journal', journalKey(session, record.seq), encodeRecord(record))];
  if (header !== null) changes.push(put('session', sessionKey(session), header));
  for (const [n, row] of rowsOf(input, record.facts, options.at ?? record.at))
    changes.push(put('entry', entryKey(session, n), row));
  for (const [n, row] of options.rows ?? []) changes.push(put('entry', entryKey(session, n), row));
  for (const [id, text] of texts) changes.push(put('text', textKey(session, ordinal(id)), text));
  for (const [key, answer] of keys) changes.push(put('key', idempotencyKey(session, key), answer));
  for (const [name, value] of options.owed ?? [])
    changes.push(put('outbox', outboxKey(session, name), value));
  changes.push(...pendingOf(session, record.facts), ...copy);
  return changes;
}

/** The rows of the entries that an append added; `at` is when they were said. */
function rowsOf(
  input: Input,
  facts: readonly Fact[],
  at: number,
): (readonly [n: number, row: EntryRow])[] {
  if (input.type !== 'append') return [];
  const appended = facts.filter((fact) => fact.type === 'entry.appended');
  return appended.map(({ entry, frame }, index) => {
    const { message, tokens } = input.entries[index]!;
    return [ordinal(entry), { frame, at, tokens, message }] as const;
  });
}

/** The outbox rows that facts add and remove; a row added and removed in one step is only removed. */
function pendingOf(session: string, facts: readonly Fact[]): Change[] {
  const rows = new Map<string, Change>();
  const add = (name: string, value: string): void => {
    const key = outboxKey(session, name);
    rows.set(key, { type: 'put', kind: 'outbox', key, value });
  };
  const remove = (name: string): void => {
    const key = outboxKey(session, name);
    rows.set(key, { type: 'del', kind: 'outbox', key });
  };
  for (const fact of facts) {
    if (fact.type === 'effect.requested') add(fact.key, 'effect');
    if (fact.type === 'effect.ended') remove(fact.key);
    if (fact.type === 'document.requested') add(`document ${fact.key}`, 'document');
    if (fact.type === 'document.written' || fact.type === 'document.failed')
      remove(`document ${fact.key}`);
    if (fact.type === 'timer.set') add(`timer ${fact.key}`, 'timer');
    if (fact.type === 'timer.ended') remove(`timer ${fact.key}`);
  }
  return [...rows.values()];
}

/** The journal record of a step. */
export function recordOf(state: State, input: Input, facts: readonly Fact[]): JournalRecord {
  const { seq, updated: at, turn, tokens } = state;
  return { seq, at, input: toRecorded(input), facts, turn, tokens };
}

/** What is told of a record that could not be written, after the last one that was. */
export function failuresOf(record: JournalRecord, error: unknown): JournalRecord {
  const reason = error instanceof Error ? error.message : String(error);
  const facts = record.facts.flatMap((fact): readonly Fact[] => {
    if (fact.type !== 'snapshot.created') return [];
    const { id, by } = fact.snapshot;
    return [{ type: 'snapshot.failed', snapshot: id, by, reason }];
  });
  return { ...record, seq: record.seq - 1, facts };
}
