import { crc32 } from 'node:zlib';
import { fail } from '../core/error.ts';
import type { Kind } from './store.ts';

// A record is a line of text: the CRC-32 of kind, key and body in eight hex digits, a space, and the
// body in JSON. LevelDB itself hands out a flipped byte without an error, and a value under a key that
// was damaged into another; the sum covers both.

/** Length of what stands before the body, in characters. */
const prefix = 9;

/** The text kept under `key` for a JSON value; throws `TypeError` for what JSON cannot hold (`undefined`, a function). */
export function encode(kind: Kind, key: string, value: unknown): string {
  const body = JSON.stringify(value) as string | undefined;
  if (body === undefined)
    throw new TypeError(`Record "${key}" of the kind ${kind} has no JSON value`);
  return `${sum(kind, key, body)} ${body}`;
}

/** The value that {@link encode} was given; throws `RECORD_DAMAGED`, which names kind and key, if anything changed since. */
export function decode(kind: Kind, key: string, text: string): unknown {
  const body = text.slice(prefix);
  if (text.slice(0, prefix) === `${sum(kind, key, body)} `) return JSON.parse(body);
  throw fail('RECORD_DAMAGED', `Record "${key}" of the kind ${kind} does not match its checksum`, {
    kind,
    key,
  });
}

function sum(kind: Kind, key: string, body: string): string {
  return crc32(body, crc32(`${kind}:${key}\n`))
    .toString(16)
    .padStart(8, '0');
}
