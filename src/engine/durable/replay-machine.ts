import { firstDifference } from '../../core/values/json-difference.ts';
import type { RecordStore } from '../../store/store.ts';
import { decideMachine, type DecidedMachine } from './decide-machine.ts';
import { failureOf } from './kept-json.ts';
import type { MachineRecord, RestingMachine } from './machine-record.ts';
import { readSteps } from './machine-rows.ts';

/** The first thing that is decided otherwise than it was. */
export interface DurableDifference {
  /** Where, in the record of the step; `digest` stands for context, output and error. */
  readonly path: string;
  readonly stored: unknown;
  /** What it is now, or why it cannot be decided. */
  readonly decided: unknown;
}

/** A step that was decided again. */
interface DecidedAgain {
  readonly record: MachineRecord;
  /** Where the machine rests then; null where that is not known. */
  readonly after: RestingMachine | null;
  readonly difference: DurableDifference | null;
}

/** Decides the steps of a machine again, from the one on that it began with; the last one is the first that differs. */
export async function* replayMachine(
  of: DecidedMachine,
  store: RecordStore,
  rows: string,
): AsyncGenerator<DecidedAgain> {
  const first = await firstDecided(store, rows);
  let before: RestingMachine | null = null;
  for await (const record of readSteps(store, rows, first - 1)) {
    const again = decideAgain(of, before, record);
    yield again;
    if (again.difference !== null) return;
    before = again.after;
  }
}

/** The newest step with which the machine began, or began anew: those before were another version's. */
async function firstDecided(store: RecordStore, rows: string): Promise<number> {
  let first = 1;
  for await (const { seq, input } of readSteps(store, rows, 0))
    if (input.type === 'restart') first = seq;
  return first;
}

function decideAgain(
  of: DecidedMachine,
  before: RestingMachine | null,
  record: MachineRecord,
): DecidedAgain {
  const { input, at, seq } = record;
  try {
    const decided = decideMachine(of, before, { input, at, seq });
    const found = firstDifference(record, decided.record);
    if (found === null) return { record, after: decided.after, difference: null };
    const { path, one: stored, other } = found;
    return { record, after: null, difference: { path, stored, decided: other } };
  } catch (error) {
    const { message } = failureOf(error);
    return { record, after: null, difference: { path: '', stored: record, decided: message } };
  }
}
