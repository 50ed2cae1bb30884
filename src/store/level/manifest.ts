import { beginsBehind, first, full, last, piecesOf } from './level-log.ts';

// A MANIFEST is a log, too: of edits, each of which adds tables to those that make up the store, or takes
// some away. What came since the newest of them stands in the logs from the one on that it names.

/** What a MANIFEST says of a store. */
export interface Manifest {
  /** The number of the oldest log that is not in the tables. */
  readonly log: number;
  /** The number that the next new file gets; all tables have smaller ones. */
  readonly next: number;
  /** The number of the newest change by then. */
  readonly newest: number;
  /** Whether a table was written since the store was opened, so that the newest change may be one of the log's. */
  readonly isGrown: boolean;
  /** The numbers of the tables. */
  readonly tables: readonly number[];
}

/** Edits that an opening writes. */
const editsAtOpening = 2;

/** Reads a MANIFEST up to an edit that was not written to its end; null where it is damaged before that. */
export function readManifest(bytes: Buffer): Manifest | null {
  const manifest = { log: 0, next: 0, newest: 0, tables: new Map<string, number>() };
  let edits = 0;
  let record: Buffer[] = [];
  for (const { at, type, data } of piecesOf(bytes)) {
    if (type === null && beginsBehind(bytes, at + 1)) return null;
    if (type === null) break;
    if (type === full || type === first) record = [];
    record.push(data);
    const isWhole = type === full || type === last;
    if (isWhole) edits += 1;
    if (isWhole && !takeEdit(Buffer.concat(record), manifest)) return null;
  }
  const { log, next, newest } = manifest;
  const tables = [...manifest.tables.values()];
  const isRight = [log, next, newest, ...tables].every((number) => Number.isSafeInteger(number));
  return isRight && tables.every((number) => number < next)
    ? { log, next, newest, isGrown: edits > editsAtOpening, tables }
    : null;
}

/** Takes an edit in; false where it cannot be read. */
function takeEdit(
  edit: Buffer,
  manifest: { log: number; next: number; newest: number; readonly tables: Map<string, number> },
): boolean {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = edit[at];
      at += 1;
      if (byte === undefined) return Number.NaN;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const skipText = (): void => {
    const length = varint();
    at += length;
  };
  // By tag: comparator, log number, next file, last sequence, compaction pointer, deleted file, new file, previous log.
  const fields: Readonly<Record<number, () => void>> = {
    1: skipText,
    2: () => void (manifest.log = varint()),
    3: () => void (manifest.next = varint()),
    4: () => void (manifest.newest = varint()),
    5: () => (varint(), skipText()),
    6: () => void manifest.tables.delete(`${varint()} ${varint()}`),
    7() {
      const level = varint();
      const number = varint();
      manifest.tables.set(`${level} ${number}`, number);
      varint();
      skipText();
      skipText();
    },
    9: varint,
  };
  while (at < edit.length) {
    const read = fields[varint()];
    if (read === undefined) return false;
    read();
    if (Number.isNaN(at)) return false;
  }
  return true;
}
