import { addAbortSignal, type Readable } from 'node:stream';
import type { Io } from '../io.ts';

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
