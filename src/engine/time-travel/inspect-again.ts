import { firstDifference } from '../../core/values/json-difference.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Input, JournalRecord, Recorded } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import type { RecordStore } from '../../store/store.ts';
import type { TracedStep } from '../inspect/inspection.ts';
import { hydrate, readJournal } from '../journal/load.ts';
import { fromRecorded } from '../journal/recorded-input.ts';
import { foldMoves } from '../step/fact-moves.ts';
import { standing, type Transition } from '../step/trace.ts';
import { stateAt } from './journal-search.ts';
import { decideRecord, lastRedaction, messagesOf } from './second-decision.ts';

// What an inspector would have been told is stored nowhere. Where machines were driven,
// the stored input is decided again for it; of all other records the facts tell all. So
// they do, as far as they can, of what cannot be decided again since a redaction, and of
// what would be decided otherwise today.

/** The steps of a session after a record, as an inspector is told of them; with what was said where `text`. */
export async function* tracedSteps(
  store: RecordStore,
  session: string,
  { after, text }: { readonly after: number; readonly text: boolean },
): AsyncGenerator<TracedStep> {
  const redacted = await lastRedaction(store, session);
  let state = after === 0 ? null : await stateAt(store, session, after);
  for await (const record of readJournal(store, session, after)) {
    const before: State | null = state;
    const { seq, at, facts } = record;
    const isAgain = before !== null && seq > redacted && facts.some(isDriven);
    const moves = isAgain ? await decidedMoves(store, before, record) : null;
    const input = text ? await saidIn(store, session, { before, record }) : record.input;
    const folded = foldMoves(before, record, input);
    ({ state } = folded);
    yield { session, seq, at, moves: moves ?? folded.moves };
  }
}

/** Whether a fact comes of a machine that is driven, or goes before it. */
const isDriven = ({ type }: Fact): boolean => /^(?:compression|recovery|truncation)\./.test(type);

/** The moves of a record, decided again; null where it would be decided otherwise. */
async function decidedMoves(
  store: RecordStore,
  before: State,
  record: JournalRecord,
): Promise<readonly Transition[] | null> {
  const bodies = await hydrate(store, before);
  const request = { session: before.session, before, record, bodies, isTraced: true };
  const { facts, trace } = (await decideRecord(store, request)).decision;
  return firstDifference(record.facts, facts) === null ? trace : null;
}

/** The input of a record, with the messages of an append. */
async function saidIn(
  store: RecordStore,
  session: string,
  step: { readonly before: State | null; readonly record: JournalRecord },
): Promise<Input | Recorded> {
  const { input } = step.record;
  if (input.type !== 'append') return input;
  return fromRecorded(input, await messagesOf(store, session, step));
}

/** All actors of a session after record `seq`, each as if it began there. */
export async function standingAt(
  store: RecordStore,
  session: string,
  seq: number,
): Promise<TracedStep> {
  return toStanding(await stateAt(store, session, seq));
}

/** All actors of a state, each as if it began there. */
export function toStanding(state: State): TracedStep {
  const { session, seq, updated: at } = state;
  return { session, seq, at, moves: standing(state) };
}
