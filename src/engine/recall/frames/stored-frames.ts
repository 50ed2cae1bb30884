import type { State } from '../../../core/state/state.ts';
import { isEngineError } from '../../../core/values/error.ts';
import type { RecordStore } from '../../../store/store.ts';
import { readState } from '../../journal/load.ts';
import { frameRecords } from './frame-records.ts';
import type { FrameRecords } from '../recall-filter.ts';
import type { SearchIndex } from '../search-index.ts';

// To read a state loads the machine that folds a journal. So this is loaded alone for damaged sessions, and for
// those with frames that say something of which nothing is packed.

/** When a session was made whose header is damaged, by its journal; 0 where that cannot be read either. */
export async function createdAt(records: RecordStore, session: string): Promise<number> {
  try {
    return (await readState(records, session))?.state.created ?? 0;
  } catch (error) {
    if (isEngineError(error)) return 0;
    throw error;
  }
}

type StoredFrames = Pick<State, 'session' | 'created' | 'frames'>;

/** The frames of the sessions searched last, each with the key of the last journal record then. */
const readFrames = new WeakMap<
  SearchIndex,
  { readonly last: string; readonly state: StoredFrames }
>();

/** A log whose frames are searched, by its index, and how far it has come. */
export interface StoredLog {
  readonly session: string;
  readonly index: SearchIndex;
  /** The key of the last record of the journal. */
  readonly last: string;
  /** The last entry. */
  readonly upTo: number;
}

/** The frames of a session that are durable; undefined where its journal cannot be read, so that its entries are found. */
export async function storedFrames(
  records: RecordStore,
  { session, index, last, upTo }: StoredLog,
): Promise<FrameRecords | undefined> {
  const known = readFrames.get(index);
  const state = known?.last === last ? known.state : await stateOf(records, session);
  if (state === null) return undefined;
  readFrames.set(index, { last, state });
  return frameRecords({ state, store: records }, upTo);
}

/** What is durable of a session; null where its journal cannot be read. */
async function stateOf(records: RecordStore, session: string): Promise<StoredFrames | null> {
  try {
    const stored = await readState(records, session);
    if (stored === null) return null;
    const { created, frames } = stored.state;
    return { session, created, frames };
  } catch (error) {
    if (isEngineError(error)) return null;
    throw error;
  }
}
