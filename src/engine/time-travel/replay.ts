import type { Fact } from '../../core/state/fact.ts';
import type { JournalRecord } from '../../core/state/input.ts';
import type { State } from '../../core/state/state.ts';
import { fail } from '../../core/values/error.ts';
import { flag, invalid, objectOf, signal, type Schema } from '../../core/values/validation.ts';
import { parseJournalKey, seqRange } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import { foldRecord } from '../journal/fold.ts';
import { hydrate } from '../journal/load.ts';
import { decideAgain, type ReplayDifference } from './decide-again.ts';
import { recordsBetween, stateAt } from './journal-search.ts';
import { seqOf, type Archive, type Moment } from './moment.ts';
import { viewOf, type View } from './view-at.ts';

// A session is played as it is stored: record by record, each with the state after it. Nothing is
// asked of a model and nothing is written, so it can be done beside whoever writes. Beginning in
// the middle costs what one old moment costs, whatever came before.

/** Which part of a session is replayed, and how. */
export interface ReplayOptions {
  /** The first step, by its number or a moment; that of the whole session unless told. */
  readonly from?: number | Moment;
  /** The last step; that of the whole session unless told. */
  readonly to?: number | Moment;
  /** Whether each input is decided again and compared with what is stored; false unless told. */
  readonly decide?: boolean;
  readonly signal?: AbortSignal;
}

/** One step of a session, with the session as it was after it. It can be read at any time. */
export interface ReplayStep extends Omit<View, 'seen'> {
  /** Its record in the journal, from 1. */
  readonly seq: number;
  /** The last step that the replay comes to. */
  readonly last: number;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** What came in; messages stand in the log. */
  readonly input: JournalRecord['input'];
  readonly facts: readonly Fact[];
  /** Of a step that was decided again, the first thing that is not as it is stored; null where all of it is the same, byte for byte. Left out up to the last redaction: its words are gone. */
  readonly difference?: ReplayDifference | null;
}

const place: Schema = {
  holds: (value) => Number.isInteger(value) || (typeof value === 'object' && value !== null),
  takes: 'the number of a step, or a moment',
};

/** The checks of these options. */
export const replayOptions = objectOf<ReplayOptions>({
  from: place,
  to: place,
  decide: flag,
  signal,
});

/**
 * The steps of a session, oldest first. Holds what is open in memory, not the history. Throws `SESSION_NOT_FOUND`,
 * `MOMENT_NOT_FOUND`, `SEQUENCE_GAP`, `RECORD_DAMAGED`. A difference beyond which the records make no state is the last step.
 */
export async function* replay(
  store: RecordStore,
  session: string,
  options: ReplayOptions = {},
): AsyncGenerator<ReplayStep> {
  const last = await lastRecord(store, session);
  const [first, to] = await stretchOf({ store, session, last }, options);
  let state = first === 1 ? null : await stateAt(store, session, first - 1);
  const again = options.decide === true ? await decideAgain(store, session, state) : null;
  for await (const record of recordsBetween(store, session, { after: first - 1, to })) {
    options.signal?.throwIfAborted();
    const next = tryFold(state, record);
    const difference = await again?.(record, state, next.state);
    if (next.state === null && difference == null) throw next.error;
    state = next.state ?? state;
    if (state === null) throw next.error;
    const judged = difference === undefined ? {} : { difference };
    yield toStep(store, state, { ...record, last: to, ...judged });
    if (next.state === null) return;
  }
}

/** The state after a record, or why there is none. */
function tryFold(
  state: State | null,
  record: JournalRecord,
):
  | { readonly state: State; readonly error?: undefined }
  | { readonly state: null; error: unknown } {
  try {
    return { state: foldRecord(state, record) };
  } catch (error) {
    return { state: null, error };
  }
}

/** The number of the newest record; throws `SESSION_NOT_FOUND`. */
async function lastRecord(store: RecordStore, session: string): Promise<number> {
  for await (const [key] of store.range('journal', seqRange(session, { reverse: true, limit: 1 })))
    return parseJournalKey(key).seq;
  throw fail('SESSION_NOT_FOUND', `There is no session "${session}"`, { session });
}

async function stretchOf(
  archive: Archive,
  { from, to }: ReplayOptions,
): Promise<readonly [first: number, last: number]> {
  const seq = (position: number | Moment): Promise<number> =>
    seqOf(archive, typeof position === 'number' ? { seq: position } : position);
  const first = from === undefined ? 1 : await seq(from);
  const last = to === undefined ? archive.last : await seq(to);
  if (first > last) throw invalid('to', last, `a step that is not before step ${first}`);
  return [first, last];
}

function toStep(
  store: RecordStore,
  state: State,
  step: JournalRecord & Pick<ReplayStep, 'last' | 'difference'>,
): ReplayStep {
  const { turn: _, tokens: __, ...fields } = step;
  // The view has a getter, which a spread would call at once.
  return Object.assign(
    viewOf(state, () => hydrate(store, state)),
    fields,
  );
}
