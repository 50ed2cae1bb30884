import { isEngineError, type EngineError } from '../../../core/values/error.ts';
import { isMachine, machineRows } from '../../../store/key.ts';
import type { Heads, RecordKind, RecordStore } from '../../../store/store.ts';
import { rowsPastDamage } from '../../../store/past-damage.ts';

// A list of sessions is that of their headers. One whose header is gone is found by its other rows, or by
// what was noted of it.

/** What is said of a session whose header is gone. */
export const headerMissing = (id: string): string =>
  `The record "${id}" of the kind session is missing`;

/** Those of sessions among what was noted. */
export const sessionHeads = (heads: Heads): Heads =>
  new Map([...heads].filter(([id]) => !isMachine(id)));

/** Those of machines among what was noted. */
export const machineHeads = (heads: Heads): Heads =>
  new Map([...heads].filter(([id]) => isMachine(id)));

/** The ids of all sessions of which there is anything, in order; `onDamage` hears why there may be others. */
export const sessionIds = (store: RecordStore, onDamage: OnDamage): Promise<readonly string[]> =>
  ownersIn(store, { kinds: ['session', 'journal', 'entry'], first: '', onDamage });

/** The ids under which rows of machines are kept, in order. */
export const machineIds = (store: RecordStore, onDamage: OnDamage): Promise<readonly string[]> =>
  ownersIn(store, { kinds: ['session', 'journal', 'state'], first: machineRows(''), onDamage });

type OnDamage = (error: EngineError) => void;

async function ownersIn(
  store: RecordStore,
  search: {
    readonly kinds: readonly RecordKind[];
    /** What stands before the first of them. */
    readonly first: string;
    readonly onDamage: OnDamage;
  },
): Promise<readonly string[]> {
  const { kinds, first, onDamage } = search;
  const ids = new Set<string>();
  for (const kind of kinds)
    try {
      let beyond: string | undefined = first;
      while (beyond !== undefined)
        beyond = await nextOwner(store, kind, { first, after: beyond, ids });
    } catch (error) {
      if (!isEngineError(error, 'STORE_DAMAGED')) throw error;
      onDamage(error);
    }
  return [...ids].sort();
}

/** Adds the owner of the first row behind `after`; gives where its rows end, undefined where there is none. */
async function nextOwner(
  store: RecordStore,
  kind: RecordKind,
  search: { readonly first: string; readonly after: string; readonly ids: Set<string> },
): Promise<string | undefined> {
  const { first, after, ids } = search;
  for await (const { key } of rowsPastDamage(store, kind, { gt: after, limit: 1 })) {
    if (isMachine(key) !== isMachine(first)) return undefined;
    const id = key.split(':')[0]!;
    if (!/^~?[0-9A-Za-z_.-]{1,64}$/.test(id)) return key;
    ids.add(id);
    return kind === 'session' ? id : `${id};`;
  }
  return undefined;
}
