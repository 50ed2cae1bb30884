import { addAbortSignal, type Readable } from 'node:stream';
import { EngineError } from '../../names.ts';
import type { Io } from '../io.ts';
import { number } from '../paper/size.ts';

/** The name of what is piped in. */
export const piped = '-';

/** What is piped in, to its end; null where that is more than `most` bytes, of which no more is read then. Rejects on abort with an `AbortError`. */
export async function allPiped(
  { stdin, signal }: Pick<Io, 'stdin' | 'signal'>,
  most: number,
): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // One that gives nothing, and does not end, is let go of too.
  for await (const chunk of addAbortSignal(signal, stdin as Readable)) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    bytes += piece.length;
    if (bytes > most) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Most bytes that are piped in: they lie in memory, unlike those of a file. */
const mostPiped = 2 ** 28;

/** What is piped in, all of it; throws `OPTION_INVALID` at a terminal, where nothing is, and `IMPORT_SOURCE_UNREADABLE` for too much. */
export async function pipedFile(io: Pick<Io, 'stdin' | 'signal'>): Promise<Uint8Array> {
  if (io.stdin.isTTY === true)
    throw new EngineError(
      'OPTION_INVALID',
      'Nothing is piped in: - takes a session file from stdin',
      {
        detail: { option: 'file', value: piped },
      },
    );
  const all = await allPiped(io, mostPiped);
  if (all !== null) return all;
  const reason = `has more than ${number(mostPiped)} bytes piped in`;
  throw new EngineError('IMPORT_SOURCE_UNREADABLE', `"${piped}" ${reason}`, {
    detail: { source: piped, reason },
  });
}
