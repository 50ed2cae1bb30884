import type { RecordKind } from './store.ts';

/** The format that is written, and the newest that is read. */
export const format = 1;

/** Makes the value of a record as the next format has it. */
type Upcaster = (kind: RecordKind, value: unknown) => unknown;

/**
 * What each format before {@link format} needs to be read, that of format 1 first. A record says which format
 * it was written in, so old and new ones lie side by side, and nothing is written anew.
 */
export const upcasters: readonly Upcaster[] = [];
