import { isDamage } from '../../../core/values/error.ts';
import type { State } from '../../../core/state/state.ts';
import { parseEntryKey, parseStateKey, sessionRange } from '../../../store/key.ts';
import type { RecordStore } from '../../../store/store.ts';
import { referencesOf } from '../../journal/body-cache.ts';
import { foldRecord } from '../../journal/fold.ts';
import { readJournal } from '../../journal/load.ts';
import { readCopy } from '../../journal/state-copies.ts';
import { takes } from '../../step/phase-rules.ts';

// A state is the fold of a journal without a gap, and can be shown where the entries and texts that it
// refers to are there. Of a session that lost some of that, an older state may still have all it needs.

/** What is left of a session beside its journal. */
interface Remains {
  readonly entries: ReadonlySet<number>;
  readonly texts: ReadonlySet<string>;
  /** The newest entry; 0 for none. */
  readonly newest: number;
}

/** A state that can be worked on, and the record of the copy that leads to it; 0 for the beginning. */
export interface SoundState {
  readonly state: State;
  readonly base: number;
}

/** The newest state of a session that can be worked on; null where there is none. */
export async function newestSoundState(
  store: RecordStore,
  session: string,
): Promise<SoundState | null> {
  const remains = await remainsOf(store, session);
  const copies: number[] = [];
  for await (const [key] of store.range('state', sessionRange(session, { reverse: true })))
    copies.push(parseStateKey(key).seq);
  for (const seq of [...copies, 0]) {
    const state = await soundStateAfter(store, session, { seq, remains });
    if (state !== null) return { state, base: seq };
  }
  return null;
}

/** The newest one that is reached from the copy at `seq`, or from the beginning for 0. */
async function soundStateAfter(
  store: RecordStore,
  session: string,
  { seq, remains }: { readonly seq: number; readonly remains: Remains },
): Promise<State | null> {
  let last: State | null = null;
  let sound: State | null = null;
  // Most often the last one is sound, and then none before it is asked.
  for await (const state of statesAfter(store, session, seq)) last = state;
  if (last === null || isSound(last, remains)) return last;
  for await (const state of statesAfter(store, session, seq))
    if (isSound(state, remains)) sound = state;
  return sound;
}

/** The states of a session from a copy on, as far as its journal can be folded. */
async function* statesAfter(
  store: RecordStore,
  session: string,
  seq: number,
): AsyncGenerator<State> {
  try {
    let state = seq === 0 ? null : ((await readCopy(store, session, seq))?.state ?? null);
    if (state !== null) yield state;
    else if (seq > 0) return;
    for await (const record of readJournal(store, session, seq)) {
      state = foldRecord(state, record);
      yield state;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function isSound(state: State, { entries, texts, newest }: Remains): boolean {
  if (newest > state.entryCount && !takes(state, 'append')) return false;
  const { messages, texts: whole, shorts } = referencesOf(state);
  if (![...messages, ...state.uncounted].every((n) => entries.has(n))) return false;
  return [...whole, ...shorts].every((id) => texts.has(id));
}

async function remainsOf(store: RecordStore, session: string): Promise<Remains> {
  const entries = new Set<number>();
  const texts = new Set<string>();
  let newest = 0;
  for await (const [key] of store.range('entry', sessionRange(session))) {
    newest = parseEntryKey(key).n;
    entries.add(newest);
  }
  for await (const [key] of store.range('text', sessionRange(session)))
    texts.add(`t${Number(key.slice(key.indexOf(':') + 1))}`);
  return { entries, texts, newest };
}
