import { firstDifference } from '../../core/values/json-difference.ts';
import type { State } from '../../core/state/state.ts';
import type { RecordStore } from '../../store/store.ts';
import type { TracedStep } from '../inspect/inspection.ts';
import { foldRecord } from '../journal/fold.ts';
import { readJournal } from '../journal/load.ts';
import { movesOfRecord } from '../step/fact-moves.ts';
import { standing } from '../step/trace.ts';
import { stateAt } from './journal-search.ts';
import { secondDecisions } from './second-decisions.ts';

// What an inspector would have been told is stored nowhere. The stored inputs are
// decided again for it. A record up to the last redaction cannot be, and one that would
// be decided otherwise today is not told as it would be: of these the facts tell.

/** The steps of a session after record `after`, as an inspector is told of them. */
export async function* tracedSteps(
  store: RecordStore,
  session: string,
  after: number,
): AsyncGenerator<TracedStep> {
  let state = after === 0 ? null : await stateAt(store, session, after);
  const again = await secondDecisions(store, session, { start: state, isTraced: true });
  for await (const record of readJournal(store, session, after)) {
    const before: State | null = state;
    const { seq, at, facts } = record;
    state = foldRecord(before, record);
    const second = await again.decide(record, before, state);
    const isSame = second !== undefined && firstDifference(facts, second.decision.facts) === null;
    const moves = isSame ? second.decision.trace! : movesOfRecord(before, record);
    yield { session, seq, at, moves };
  }
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
