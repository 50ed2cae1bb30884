import type { State } from '../../core/state/state.ts';
import { entryKey, sessionKey } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import type { EntryRow } from '../journal/load.ts';
import type { SessionHeader } from '../journal/session-header.ts';
import { measure } from '../step/measure.ts';

/** Notes in the header of a session where it rests, for lists; gives the header. */
export async function noteRest(
  store: RecordStore,
  header: SessionHeader,
  state: State,
): Promise<SessionHeader> {
  const { session, seq, created, updated, entries, turn: turns, tokens } = state;
  if (header.rest?.seq === seq) return header;
  const newest = await store.get('entry', entryKey(session, entries));
  const { at: said = created } = (newest ?? {}) as Partial<EntryRow>;
  const context = measure(state).total;
  const value = { ...header, rest: { seq, said, updated, turns, tokens, context } };
  const change = { type: 'put', kind: 'session', key: sessionKey(session), value } as const;
  await store.commit([change], { of: { session, born: created } });
  return value;
}
