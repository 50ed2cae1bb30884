import { resolve } from 'node:path';
import { isObject } from '../../core/values/json.ts';
import type { Schema } from '../../core/values/validation.ts';
import { postgresAddress } from '../../store/postgres/address.ts';
import type { RecordStore, StoreHost } from '../../store/store.ts';
import { recordsOf, type StoreRecords } from '../open/open-records.ts';
import { hostOf, place } from '../open/place.ts';
import type { StoreReader } from '../open/store-reader.ts';

// A folder can be open once, and a thousand machines may be run over it. So what is open is shared by all
// who name the same place, and closed with the last of them.

/** The records that a machine is kept in. */
export interface HeldRecords {
  readonly records: RecordStore;
  /** What is closed before they are, where somebody else closes them. */
  readonly users?: StoreRecords['users'];
  /** Throws where somebody else closes them, or has. */
  readonly check?: StoreRecords['check'];
  /** Gives them back; who held them last closes them. */
  release(): Promise<void>;
}

interface SharedRecords {
  readonly opening: Promise<RecordStore>;
  users: number;
}

const shared = new Map<string | StoreHost, SharedRecords>();
const closings = new Map<string | StoreHost, Promise<void>>();

/** Opens a place, or holds what is open there; of a store, its own records. */
export async function holdRecords(host: string | StoreHost | StoreReader): Promise<HeldRecords> {
  if (typeof host !== 'string' && isStore(host))
    return { ...recordsOf(host)!, release: () => Promise.resolve() };
  if (host === ':memory:') {
    const records = await open(host);
    return { records, release: () => records.close() };
  }
  return share(keyOf(host));
}

/** Opens a place for reading only, beside whoever writes there, or holds what is open there in this process. */
export async function readRecords(host: string | StoreHost | StoreReader): Promise<HeldRecords> {
  const isOpen = typeof host !== 'string' && isStore(host);
  if (isOpen || host === ':memory:' || shared.has(keyOf(host))) return holdRecords(host);
  const records = await open(keyOf(host), { create: false, readOnly: true });
  return { records, release: () => records.close() };
}

/** The check of a host. */
export const machinePlace: Schema = {
  holds: (value) => place.holds?.(value) === true || (isObject(value) && isStore(value)),
  takes: `${place.takes}, or an open store`,
};

/** Whether a host is a store that is open. */
const isStore = (host: object): host is StoreReader => recordsOf(host) !== undefined;

async function share(place: string | StoreHost): Promise<HeldRecords> {
  while (closings.has(place)) await closings.get(place);
  const one = shared.get(place) ?? { opening: open(place), users: 0 };
  shared.set(place, one);
  one.users += 1;
  const release = async (): Promise<void> => {
    one.users -= 1;
    if (one.users > 0) return;
    shared.delete(place);
    const closing = one.opening.then((records) => records.close());
    const over = closing.catch(() => undefined).then(() => void closings.delete(place));
    closings.set(place, over);
    await closing;
  };
  try {
    return { records: await one.opening, release };
  } catch (error) {
    await release().catch(() => undefined);
    throw error;
  }
}

const open = (
  place: string | StoreHost,
  how: { readonly create: boolean; readonly readOnly?: boolean } = { create: true },
): Promise<RecordStore> =>
  (typeof place === 'string' ? hostOf(place) : place).open({ durability: 'power', ...how });

/** One name for a place, however it is spelled. */
function keyOf<Host extends StoreHost>(host: string | Host): string | Host {
  if (typeof host !== 'string') return host;
  return postgresAddress(host) === null ? resolve(host) : host;
}
