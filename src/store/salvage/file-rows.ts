import { isPieceAt } from '../level/level-log.ts';
import { logRows } from './log-rows.ts';
import { tableMagic, tableRows } from './table-rows.ts';
import type { Version } from './version.ts';

/** The rows of the store with an id in the bytes of a file, a log or a table: by what it holds and not by its name, which may be that of another. */
export function* fileRows(bytes: Buffer, id: number | null): Generator<Version> {
  const isTable = bytes.subarray(-tableMagic.length).equals(tableMagic);
  if (!isTable) yield* logRows(bytes, id);
  if (isTable || !isPieceAt(bytes, 0)) yield* tableRows(bytes, id);
}
