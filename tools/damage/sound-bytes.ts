import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import { indexedBlocks, rowsOfBlock } from '../../src/store/salvage/table-rows.ts';

// Which entries of a store that was in good order are still there, byte for byte, whatever became of the
// files around them. In a log an entry is its key and its record; in a table it is the block that it is in,
// for a block is packed as one. What LevelDB says of the original is the measure.

const blockSize = 32_768;
const trailerSize = 5;

/** An entry, and bytes that hold it. */
export interface Held {
  readonly session: string;
  readonly n: number;
  /** Pieces that are in one place of one file each; more than one where a log's block ends between. */
  readonly bytes: readonly Buffer[];
}

/** Where the files of a store hold its entries. */
export async function holdings(folder: string, copy: string): Promise<readonly Held[]> {
  const files = readdirSync(folder).map((name) => ({
    name,
    bytes: readFileSync(join(folder, name)),
  }));
  const blocks = new Map<string, Buffer[]>();
  for (const { name, bytes } of files)
    if (name.endsWith('.ldb'))
      for (const place of indexedBlocks(bytes) ?? [])
        for (const { key, text } of rowsOfBlock(bytes, place)) {
          const block = bytes.subarray(place.at, place.at + place.size + trailerSize);
          blocks.set(`${key} ${text}`, [...(blocks.get(`${key} ${text}`) ?? []), block]);
        }
  const logs = files.filter(({ name }) => name.endsWith('.log'));
  const held: Held[] = [];
  const db = new Level(copy, { createIfMissing: false });
  for await (const [key, text] of db.iterator({ gte: '!entry!', lt: '!entry"' })) {
    const [, session, digits] = /^!entry!(.+):(\d+)$/.exec(key)!;
    const places = blocks.get(`${key} ${text}`)?.map((block) => [block]) ?? [];
    const inLogs = logs.flatMap(({ bytes }) => piecesIn(bytes, key, text));
    for (const bytes of [...places, ...inLogs])
      held.push({ session: session!, n: Number(digits), bytes });
  }
  await db.close();
  return held;
}

/** Whether all pieces are somewhere in the files of a folder. */
export function isHeld({ bytes }: Held, files: readonly Buffer[]): boolean {
  return bytes.every((piece) => files.some((file) => file.includes(piece)));
}

/** The bytes of a put in a log: as one, or around the header at the end of a block. */
function piecesIn(log: Buffer, key: string, text: string): Buffer[][] {
  const put = Buffer.concat([lengthOf(key), Buffer.from(key), lengthOf(text), Buffer.from(text)]);
  if (log.includes(put)) return [[put]];
  const start = log.indexOf(put.subarray(0, Math.min(put.length, 40)));
  const end = start - (start % blockSize) + blockSize;
  const isSplit = start >= 0 && end < start + put.length && put.length < blockSize;
  if (!isSplit) return [];
  // The header of the next piece has to be right as well, or nobody can tell where the text goes on.
  return [[log.subarray(start, start + put.length + 7)]];
}

function lengthOf(text: string): Buffer {
  const bytes: number[] = [];
  let left = Buffer.byteLength(text);
  for (; left >= 128; left >>>= 7) bytes.push((left & 127) | 128);
  return Buffer.from([...bytes, left]);
}
