import { crc32c, crcEnd, crcNext, crcStart, unmasked } from '../level/crc32c.ts';
import { varintAt } from './bytes.ts';
import { unsnappy } from './snappy.ts';
import { isWhole, placeOf, type Version } from './version.ts';

// A table is blocks, each with a type and a sum behind it; an index of them; and a footer that says where
// the index is. Where the index can be read, so can every block that is whole. Else they are looked for:
// a block ends where the sum behind it is that of all since its start.
//
// Of a block whose sum is wrong, rows are believed by their own sums.

/** Type and sum behind a block. */
const trailerSize = 5;
const footerSize = 48;
/** The last eight bytes of a table. */
export const tableMagic = Buffer.from('57fb808b247547db', 'hex');
/** Number and type behind a key. */
const tailSize = 8;

/** Where a block is, without its trailer. */
export interface Place {
  readonly at: number;
  readonly size: number;
}

/** A block that the index names. */
export interface IndexedBlock extends Place {
  /** No key of it comes after this one, and none of the next before. */
  readonly until: string;
}

/** The rows of a table, as far as they are sound; a record that was damaged before the table was written is among them. */
export function* tableRows(table: Buffer, id: number | null): Generator<Version> {
  const indexed = indexedBlocks(table);
  for (const place of indexed ?? foundBlocks(table)) {
    const isSound = isBlock(table, place);
    for (const row of rowsOfBlock(table, place)) {
      // What was found may be the index as well, which has keys of rows, too.
      const isRow = isSound && (row.text === null || indexed !== null);
      if (isRow ? placeOf(row.key) !== null : row.text !== null && isWhole(row.key, row.text, id))
        yield row;
    }
  }
}

/** What is in a block, as rows, sound or not. */
export function* rowsOfBlock(table: Buffer, place: Place): Generator<Version> {
  for (const [key, value] of pairsOf(unpacked(table, place))) {
    const row = toVersion(key, value);
    if (row !== null) yield row;
  }
}

/** The blocks of a table that do not match their sums, each with where its keys begin; null where the index cannot be read. */
export function damagedBlocks(
  table: Buffer,
): readonly (IndexedBlock & { readonly after: string })[] | null {
  const blocks = indexedBlocks(table);
  if (blocks === null) return null;
  return blocks
    .map((block, index) => ({ ...block, after: blocks[index - 1]?.until ?? '' }))
    .filter((block) => !isBlock(table, block));
}

/** The first block of a table that does not match its sum, in bytes; -1 where it has no index that can be read, null where all is right. */
export function damagedBlock(table: Buffer): number | null {
  const blocks = damagedBlocks(table);
  return blocks === null ? -1 : ([...blocks, ...damagedFilters(table)][0]?.at ?? null);
}

/** What says which keys a table does not have, and where that is, as far as it does not match its sums: it hides rows that are there. */
function damagedFilters(table: Buffer): readonly Place[] {
  const names = placeAt(table, table.length - footerSize);
  if (names === null || !isBlock(table, names)) return [names ?? { at: 0, size: 0 }];
  const filters = [...pairsOf(unpacked(table, names))].map(([, value]) => placeAt(value, 0));
  return filters.map((place) => place ?? names).filter((place) => !isBlock(table, place));
}

function toVersion(key: Buffer, value: Buffer): Version | null {
  if (key.length < tailSize) return null;
  const tail = key.readBigUInt64LE(key.length - tailSize);
  const whole = key.toString('utf8', 0, key.length - tailSize);
  const isPut = (tail & 0xffn) === 1n;
  return { key: whole, number: Number(tail >> 8n), text: isPut ? value.toString() : null };
}

/** The blocks that the index names; null where it cannot be read. */
export function indexedBlocks(table: Buffer): readonly IndexedBlock[] | null {
  const footer = table.length - footerSize;
  if (footer < 0 || !table.subarray(-tableMagic.length).equals(tableMagic)) return null;
  const meta = placeAt(table, footer);
  const index = meta && placeAt(table, meta.end);
  if (index === null || !isBlock(table, index)) return null;
  const blocks = [...pairsOf(unpacked(table, index))].map(([key, value]) => {
    const until = key.toString('utf8', 0, Math.max(0, key.length - tailSize));
    const place = placeAt(value, 0);
    return place && { ...place, until };
  });
  return blocks.every((block) => block !== null) ? blocks : null;
}

function placeAt(bytes: Buffer, from: number): (Place & { readonly end: number }) | null {
  const at = varintAt(bytes, from);
  const size = at && varintAt(bytes, at[1]);
  return at && size && { at: at[0], size: size[0], end: size[1] };
}

/** Whether a block is there and matches its sum. */
function isBlock(table: Buffer, { at, size }: Place): boolean {
  const end = at + size;
  if (end + trailerSize > table.length) return false;
  return unmasked(table.readUInt32LE(end + 1)) === crc32c(table.subarray(at, end + 1));
}

/** What is in a block; type 1 is packed. */
function unpacked(table: Buffer, { at, size }: Place): Buffer {
  const block = table.subarray(at, at + size);
  return table[at + size] === 1 ? unsnappy(block) : block;
}

/** Keys and values of a block, from each place on at which a key stands whole. */
function* pairsOf(block: Buffer): Generator<readonly [key: Buffer, value: Buffer]> {
  if (block.length < 4) return;
  const count = block.readUInt32LE(block.length - 4);
  const end = block.length - 4 - count * 4;
  if (end < 0) return;
  for (let index = 0; index < count; index += 1) {
    const next = index + 1 < count ? block.readUInt32LE(end + (index + 1) * 4) : end;
    yield* pairsBetween(block, block.readUInt32LE(end + index * 4), Math.min(next, end));
  }
}

function* pairsBetween(
  block: Buffer,
  from: number,
  end: number,
): Generator<readonly [key: Buffer, value: Buffer]> {
  let key = Buffer.alloc(0);
  let at = from;
  while (at < end) {
    const shared = varintAt(block, at);
    const own = shared && varintAt(block, shared[1]);
    const size = own && varintAt(block, own[1]);
    if (!shared || !own || !size) return;
    const [begin, middle] = [size[1], size[1] + own[0]];
    at = middle + size[0];
    if (shared[0] > key.length || at > end) return;
    key = Buffer.concat([key.subarray(0, shared[0]), block.subarray(begin, middle)]);
    yield [key, block.subarray(middle, at)];
  }
}

/** The blocks of a table that match their sums, looked for from its start. */
function* foundBlocks(table: Buffer): Generator<Place> {
  let at = 0;
  // What is damaged all over would be summed from very many places.
  let budget = 64 * table.length + (1 << 24);
  while (at < table.length && budget > 0) {
    const size = sizeOfBlockAt(table, at);
    if (size !== null) {
      yield { at, size };
      at += size + trailerSize;
      continue;
    }
    budget -= table.length - at;
    at = nextStart(table, at + 1);
  }
}

/** The size of the block that starts at a place; null where none does that matches its sum. */
function sizeOfBlockAt(table: Buffer, at: number): number | null {
  let crc = crcStart;
  for (let end = at; end + trailerSize <= table.length; end += 1) {
    crc = crcNext(crc, table[end]!);
    const isTyped = end > at && table[end]! <= 1;
    if (isTyped && unmasked(table.readUInt32LE(end + 1)) === crcEnd(crc)) return end - at;
  }
  return null;
}

/** The next place at which a block may start: before a whole key, with its three lengths. */
function nextStart(table: Buffer, from: number): number {
  for (let at = from; at < table.length; at += 1)
    if (isStart(table, at) || isPackedStart(table, at)) return at;
  return table.length;
}

/** No shared bytes, a length of the key, one of the value, and the mark before a kind. */
function isStart(table: Buffer, at: number): boolean {
  if (table[at] !== 0) return false;
  const own = varintAt(table, at + 1);
  const size = own && varintAt(table, own[1]);
  return size !== null && own![0] > tailSize && table[size[1]] === 0x21;
}

/** The same behind the length of what is packed, and the tag of its first literal. */
function isPackedStart(table: Buffer, at: number): boolean {
  const length = varintAt(table, at);
  if (length === null) return false;
  const tag = table[length[1]]!;
  if ((tag & 3) !== 0) return false;
  return isStart(table, length[1] + 1 + Math.max(0, (tag >> 2) - 59));
}
