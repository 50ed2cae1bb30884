import { spansOf } from '../level/level-log.ts';
import { varintAt } from './bytes.ts';
import { isWhole, type Version } from './version.ts';

// A log is batches: a number, a count, then puts and deletions. One that is whole is read as LevelDB does.
// Of one that is not, each put is looked for by its looks and believed where its own sum is right; a
// deletion, which has none, is not.

const put = 1;
const headerSize = 12;

/** The rows of a log, as far as they are sound. */
export function* logRows(log: Buffer, id: number | null): Generator<Version> {
  let newest = 0;
  for (const { payload, isSound } of spansOf(log)) {
    const rows = (isSound ? batchRows(payload) : null) ?? looseRows(payload, { newest, id });
    for (const row of rows) {
      newest = Math.max(newest, row.number);
      yield row;
    }
  }
}

/** The rows of a whole batch; null where it is none, as in a MANIFEST. */
function batchRows(batch: Buffer): readonly Version[] | null {
  if (batch.length < headerSize) return null;
  const first = Number(batch.readBigUInt64LE(0));
  const count = batch.readUInt32LE(8);
  const rows: Version[] = [];
  let at = headerSize;
  while (at < batch.length) {
    const isPut = batch[at] === put;
    if (!isPut && batch[at] !== 0) return null;
    const key = textAt(batch, at + 1);
    const value = isPut && key !== null ? textAt(batch, key.end) : key;
    if (key === null || value === null) return null;
    rows.push({ key: key.text, number: first + rows.length, text: isPut ? value.text : null });
    at = value.end;
  }
  return rows.length === count ? rows : null;
}

/** The puts in bytes of which some are damaged; numbered as the batch says, or as what comes after `newest`. */
function looseRows(
  bytes: Buffer,
  { newest, id }: { readonly newest: number; readonly id: number | null },
): readonly Version[] {
  const batchNumber = bytes.length < headerSize ? 0 : Number(bytes.readBigUInt64LE(0));
  const first = batchNumber > newest && batchNumber < newest + 1_000_000 ? batchNumber : newest + 1;
  const rows: Version[] = [];
  let at = bytes.indexOf('!');
  while (at >= 0) {
    const row = putAround(bytes, at, id);
    if (row !== null) rows.push({ key: row.key, number: first + rows.length, text: row.text });
    at = bytes.indexOf('!', row?.end ?? at + 1);
  }
  return rows;
}

/** The put whose key begins at a place. */
function putAround(
  bytes: Buffer,
  at: number,
  id: number | null,
): { readonly key: string; readonly text: string; readonly end: number } | null {
  for (const width of [1, 2]) {
    const key = bytes[at - width - 1] === put ? textAt(bytes, at - width) : null;
    const value = key?.begin === at ? textAt(bytes, key.end) : null;
    if (key !== null && value !== null && isWhole(key.text, value.text, id))
      return { key: key.text, text: value.text, end: value.end };
  }
  return null;
}

/** A text behind its length. */
function textAt(
  bytes: Buffer,
  at: number,
): { readonly text: string; readonly begin: number; readonly end: number } | null {
  const length = varintAt(bytes, at);
  if (length === null) return null;
  const [size, begin] = length;
  const end = begin + size;
  return end > bytes.length ? null : { text: bytes.toString('utf8', begin, end), begin, end };
}
