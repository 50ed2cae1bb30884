import type { RecordStore } from '../../store/store.ts';

/** The records of what is open, for what runs beside its sessions. */
const openRecords = new WeakMap<object, StoreRecords>();

/** The records of a store. */
export interface StoreRecords {
  readonly records: RecordStore;
  /** What is closed before the store is: handles on machines beside its sessions. */
  readonly users: Set<{ close(): Promise<void> }>;
  /** Throws where the store is being closed, or is. */
  readonly check: () => void;
}

/** Notes the records of a store. */
export const noteRecords = (store: object, held: StoreRecords): void =>
  void openRecords.set(store, held);

/** The records of a store, or of what reads one; undefined for anything else. */
export const recordsOf = (store: object): StoreRecords | undefined => openRecords.get(store);
