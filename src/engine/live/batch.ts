import { ordinal } from '../../core/values/id.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input, JournalRecord } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import type { Count } from '../../core/messages/token-count.ts';
import { entryKey, idempotencyKey, journalKey, outboxKey, textKey } from '../../store/key.ts';
import type { Change } from '../../store/store.ts';
import { encodeRecord } from '../journal/state-codec.ts';
import type { Decision } from '../decide/decide.ts';
import type { EntryRow } from '../journal/load.ts';

/** How a step is kept beside its input. */
export interface StepOptions {
  /** Time of the entries, where it is not now. */
  readonly at?: number | undefined;
  /** Idempotency keys of this step and what each answers. */
  readonly keys?: (facts: readonly Fact[]) => readonly (readonly [key: string, answer: unknown])[];
  /** Rows of entries to write again, with their count in place of the byte bound. */
  readonly rows?: readonly (readonly [n: number, row: EntryRow])[];
  /** What counts, where it knows giant texts already; the loaded tokenizer unless told. */
  readonly count?: Count | undefined;
}

/** How many facts may follow a full copy of the state. */
export const copyAfter = 1_024;

/** A decided step, and how it is to be kept. */
export interface DecidedStep {
  readonly before: State | null;
  readonly state: State;
  readonly record: JournalRecord;
  readonly decision: Decision;
  readonly input: Input;
  readonly options: StepOptions;
  readonly keys: KeyedAnswers;
  /** What writes a full copy of the state, where one is due. */
  readonly copy: readonly Change[];
}

/** Idempotency keys and what each answers. */
export type KeyedAnswers = readonly (readonly [key: string, answer: unknown])[];

/** Everything that a step writes, as one batch. */
export function batchOf(step: DecidedStep): Change[] {
  const { before, state, record, decision, input, options, keys, copy } = step;
  const { session } = state;
  const put = (kind: Change['kind'], key: string, value: unknown): Change => ({
    type: 'put',
    kind,
    key,
    value,
  });
  const { window } = state.options;
  const changes: Change[] = [put('journal', journalKey(session, record.seq), encodeRecord(record))];
  if (before?.options.window !== window)
    changes.push(put('session', session, { created: state.created, window }));
  for (const [n, row] of rowsOf(decision, input, options.at ?? record.at))
    changes.push(put('entry', entryKey(session, n), row));
  for (const [n, row] of options.rows ?? []) changes.push(put('entry', entryKey(session, n), row));
  for (const [id, text] of decision.texts)
    changes.push(put('text', textKey(session, ordinal(id)), text));
  for (const [key, answer] of keys) changes.push(put('key', idempotencyKey(session, key), answer));
  changes.push(...pendingOf(session, decision.facts));
  changes.push(...copy);
  return changes;
}

function rowsOf(
  decision: Decision,
  input: Input,
  at: number,
): (readonly [n: number, row: EntryRow])[] {
  if (input.type !== 'append') return [];
  const appended = decision.facts.filter((fact) => fact.type === 'entry.appended');
  return appended.map(({ entry, frame }, index) => {
    const { message, tokens } = input.entries[index]!;
    return [ordinal(entry), { frame, at, tokens, message }] as const;
  });
}

/** The outbox rows that facts make and end; of a row made and ended in one step nothing is left. */
function pendingOf(session: string, facts: readonly Fact[]): Change[] {
  const rows = new Map<string, Change>();
  const made = (key: string, value: string): void =>
    void rows.set(key, { type: 'put', kind: 'outbox', key, value });
  const ended = (key: string): void => void rows.set(key, { type: 'del', kind: 'outbox', key });
  for (const fact of facts) {
    if (fact.type === 'effect.requested') made(outboxKey(session, fact.key), 'effect');
    if (fact.type === 'effect.ended') ended(outboxKey(session, fact.key));
    if (fact.type === 'document.requested')
      made(outboxKey(session, `document ${fact.key}`), 'document');
    if (fact.type === 'document.written' || fact.type === 'document.failed')
      ended(outboxKey(session, `document ${fact.key}`));
    if (fact.type === 'timer.set') made(outboxKey(session, `timer ${fact.key}`), 'timer');
    if (fact.type === 'timer.ended') ended(outboxKey(session, `timer ${fact.key}`));
  }
  return [...rows.values()];
}
