import { crc32c, unmasked } from './crc32c.ts';

// LevelDB's log is blocks of 32 KiB, each full of pieces: a masked CRC-32C, a length, a type, and bytes. A
// record is one piece, or a first, some middle and a last one. Where a sum is wrong, LevelDB drops the rest
// of the block in silence. A process that was killed leaves a piece that ends too early, and nothing behind
// it; a lost write at the very end looks like damage. But where a record begins behind a piece that is not
// right, the piece was right once: the next batch is written when the one before is on the disk.

const blockSize = 32_768;
const headerSize = 7;
/** A number and a count. */
const batchHeaderSize = 12;
export const full = 1;
export const first = 2;
export const last = 4;

export interface Piece {
  readonly at: number;
  /** Its type; null where its sum is wrong. */
  readonly type: number | null;
  readonly data: Buffer;
}

/** Whether bytes may be those of a log, if only of one whose first piece was not written to its end. */
export const mayBeLog = (bytes: Buffer): boolean =>
  bytes.length < headerSize || !isNoHeader(bytes, 0);

/** Where a log is damaged before its end; null where nothing says so. */
export function findDamage(log: Buffer): number | null {
  for (const { at, type } of piecesOf(log))
    if (type === null) return isNoHeader(log, at) || beginsBehind(log, at + 1) ? at : null;
  return null;
}

/** Whether there is what LevelDB never writes as the header of a piece, whole or in part. */
const isNoHeader = (log: Buffer, at: number): boolean =>
  log[at + 6]! > last || endOfPiece(log, at) > endOfBlock(at);

/**
 * The batches of a log, as far as all is right: the number of the first change in each, and that behind its last.
 * Where a block ends within the header of one, the header lies in two pieces.
 */
export function* batchesOf(
  log: Buffer,
): Generator<{ readonly at: number; readonly begin: number; readonly end: number }> {
  let begun: { readonly at: number; readonly head: Buffer } | null = null;
  for (const { at, type, data } of piecesOf(log)) {
    if (type === full || type === first) begun = { at, head: data };
    else if (begun !== null) begun = { at: begun.at, head: Buffer.concat([begun.head, data]) };
    if (begun === null || begun.head.length < batchHeaderSize) continue;
    const begin = Number(begun.head.readBigUInt64LE(0));
    yield { at: begun.at, begin, end: begin + begun.head.readUInt32LE(8) };
    begun = null;
  }
}

/** A record, or what is left of one. */
export interface LogSpan {
  readonly payload: Buffer;
  /** Whether all its sums are right; else it may begin late, end early, or hold other bytes. */
  readonly isSound: boolean;
}

/** All that a log holds: its records, and what lies between them where it is damaged. */
export function* spansOf(log: Buffer): Generator<LogSpan> {
  let parts: Buffer[] = [];
  let isSound = false;
  const begin = (sound: boolean): void => {
    parts = [];
    isSound = sound;
  };
  for (const { type, data, isRight } of piecesPast(log)) {
    if (type === full || type === first) {
      if (parts.length > 0) yield { payload: Buffer.concat(parts), isSound: false };
      begin(true);
    }
    parts.push(data);
    isSound &&= isRight;
    if (type !== full && type !== last) continue;
    yield { payload: Buffer.concat(parts), isSound };
    begin(false);
  }
  if (parts.length > 0) yield { payload: Buffer.concat(parts), isSound: false };
}

/** The pieces of a log, also behind those that are not right; what may be of any type has the type 0. */
function* piecesPast(
  log: Buffer,
): Generator<{ readonly type: number; readonly data: Buffer; readonly isRight: boolean }> {
  let at = 0;
  while (at + headerSize <= log.length) {
    if (endOfBlock(at) - at < headerSize) {
      at = endOfBlock(at);
      continue;
    }
    const isRight = isPieceAt(log, at);
    const end = isRight || isLikelyPiece(log, at) ? endOfPiece(log, at) : nextPiece(log, at + 1);
    const isPiece = end === endOfPiece(log, at);
    yield { type: isPiece ? log[at + 6]! : 0, data: log.subarray(at + headerSize, end), isRight };
    at = end;
  }
}

/** Whether a piece whose sum is wrong ends where the next one begins, so that its header is right. */
function isLikelyPiece(log: Buffer, at: number): boolean {
  const end = endOfPiece(log, at);
  const type = log[at + 6]!;
  if (type < full || type > last || end > endOfBlock(at) || end > log.length) return false;
  return end === log.length || endOfBlock(at) - end < headerSize || isPieceAt(log, end);
}

/** Where the next piece begins whose sum is right; the end of the log where there is none. */
function nextPiece(log: Buffer, from: number): number {
  for (let at = from; at + headerSize < log.length; at += 1)
    if (log[at + 6]! >= full && log[at + 6]! <= last && isPieceAt(log, at)) return at;
  return log.length;
}

/** Whether a record begins at or behind a place; lengths on the way there may be damaged, so every place is looked at. */
export function beginsBehind(log: Buffer, from: number): boolean {
  for (let at = from; at + headerSize < log.length; at += 1) {
    const type = log[at + 6];
    if ((type === full || type === first) && isPieceAt(log, at)) return true;
  }
  return false;
}

/** The pieces of a log, one after the other; behind one that is not right there may be no more of them. */
export function* piecesOf(log: Buffer): Generator<Piece> {
  let at = 0;
  while (at + headerSize <= log.length) {
    const blockEnd = endOfBlock(at);
    if (blockEnd - at < headerSize) {
      at = blockEnd;
      continue;
    }
    if (!isPieceAt(log, at)) return yield { at, type: null, data: log.subarray(at, at) };
    const end = endOfPiece(log, at);
    yield { at, type: log[at + 6]!, data: log.subarray(at + headerSize, end) };
    at = end;
  }
}

const endOfBlock = (at: number): number => at - (at % blockSize) + blockSize;
const endOfPiece = (log: Buffer, at: number): number => at + headerSize + log.readUInt16LE(at + 4);

/** Whether there is a piece whose sum is right. */
export function isPieceAt(log: Buffer, at: number): boolean {
  if (at + headerSize > log.length) return false;
  const end = endOfPiece(log, at);
  const isWhole = log[at + 6] !== 0 && end <= endOfBlock(at) && end <= log.length;
  return isWhole && unmasked(log.readUInt32LE(at)) === crc32c(log.subarray(at + 6, end));
}
