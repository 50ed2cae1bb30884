import { isEngineError, type EngineError } from '../../core/values/error.ts';
import { isMachine } from '../../store/key.ts';
import type { Heads, RecordKind, RecordStore } from '../../store/store.ts';
import { rowsPastDamage } from './past-damage.ts';

// A list of sessions is that of their headers. One whose header is gone is found by its other rows, or by
// what was noted of it.

/** What is said of a session whose header is gone. */
export const headerMissing = (id: string): string =>
  `The record "${id}" of the kind session is missing`;

/** Those of sessions among what was noted. */
export const sessionHeads = (heads: Heads): Heads =>
  new Map([...heads].filter(([id]) => !isMachine(id)));

/** The ids of all sessions of which there is anything, in order; `onDamage` hears why there may be others. */
export async function sessionIds(
  store: RecordStore,
  onDamage: (error: EngineError) => void,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const kind of ['session', 'journal', 'entry'] as const)
    try {
      let beyond: string | undefined = '';
      while (beyond !== undefined) beyond = await nextSession(store, kind, { after: beyond, ids });
    } catch (error) {
      if (!isEngineError(error, 'STORE_DAMAGED')) throw error;
      onDamage(error);
    }
  return [...ids].sort();
}

/** Adds the session of the first row behind `after`; gives where its rows end, undefined where there is none. */
async function nextSession(
  store: RecordStore,
  kind: RecordKind,
  { after, ids }: { readonly after: string; readonly ids: Set<string> },
): Promise<string | undefined> {
  for await (const { key } of rowsPastDamage(store, kind, { gt: after, limit: 1 })) {
    if (isMachine(key)) return undefined;
    const id = key.split(':')[0]!;
    if (!/^[0-9A-Za-z_.-]{1,64}$/.test(id)) return key;
    ids.add(id);
    return kind === 'session' ? id : `${id};`;
  }
  return undefined;
}
