import { createHash } from 'node:crypto';

/** Letters of a hash that stands for content: 48 bits. */
const hashLength = 12;
/** Letters that a session id may have. */
const idLength = 64;

/** A short hash of `text`. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, hashLength);
}

/** The key of a line that carries no id: its number and a hash, so that a file that grows keeps its keys. */
export function lineKey(line: number, text: string): string {
  return `${line}-${hashOf(text)}`;
}

/**
 * A session id of 1 to 64 letters, digits, dots, underscores or dashes: the
 * file's own, cleaned; else a hash of `seed`, what the file begins with.
 */
export function toSession(own: string | undefined, seed: string): string {
  const clean = (own ?? '').replace(/[^0-9A-Za-z_.-]+/g, '-');
  if (!/[0-9A-Za-z]/.test(clean)) return hashOf(seed);
  if (clean.length <= idLength) return clean;
  return `${clean.slice(0, idLength - hashLength - 1)}-${hashOf(own ?? '')}`;
}
