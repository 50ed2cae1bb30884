import type { RecordStore } from '../../store/store.ts';

/** The records of what is open, for what runs beside its sessions. */
const openRecords = new WeakMap<object, StoreRecords>();

/** The records of a store. */
export interface StoreRecords {
  readonly records: RecordStore;
  /** Aborts when the store is closed. */
  readonly ended: AbortSignal;
}

/** Notes the records of a store. */
export const noteRecords = (store: object, held: StoreRecords): void =>
  void openRecords.set(store, held);

/** The records of a store, or of what reads one; undefined for anything else. */
export const recordsOf = (store: object): StoreRecords | undefined => openRecords.get(store);
