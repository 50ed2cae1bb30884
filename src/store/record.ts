import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { fail } from '../core/values/error.ts';
import type { RecordKind } from './store.ts';

// A record is a line of text: the CRC-32 of kind, key and body in eight hex digits, a space, and the
// body in JSON. LevelDB itself hands out a flipped byte without an error, and a value under a key that
// was damaged into another; the sum covers both. Of a large body a `z` stands in place of the space,
// and the JSON is deflated and in Base64; entries, which are written while somebody waits, never are,
// nor is the search index, which is read while somebody waits.

/** Length of the prefix before the body, in characters. */
const prefix = 9;
/** Least length of a body that is deflated, in characters. */
const compressFrom = 6_144;
/** Fast rather than strong: it saves bytes of LevelDB's log, while tables, which LevelDB compresses itself, shrink by a hundredth only. */
const compressionLevel = 3;

const plain = ' ';
const deflated = 'z';

/** The record after its checksum. */
interface EncodedRecord {
  readonly mark: string;
  readonly body: string;
}

/** The text kept under `key` for a JSON value; throws `TypeError` for what JSON cannot hold (`undefined`, a function). */
export function encode(kind: RecordKind, key: string, value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined)
    throw new TypeError(`Record "${key}" of the kind ${kind} has no JSON value`);
  if (json.length < compressFrom || kind === 'entry' || kind === 'search')
    return `${sum(kind, key, { mark: plain, body: json })}${plain}${json}`;
  const body = deflateRawSync(json, { level: compressionLevel }).toString('base64');
  return `${sum(kind, key, { mark: deflated, body })}${deflated}${body}`;
}

/** The value that {@link encode} was given; throws `RECORD_DAMAGED`, which names kind and key, if anything changed since. */
export function decode(kind: RecordKind, key: string, text: string): unknown {
  const mark = text.slice(prefix - 1, prefix);
  const body = text.slice(prefix);
  const isMarked = mark === plain || mark === deflated;
  if (isMarked && text.slice(0, prefix - 1) === sum(kind, key, { mark, body }))
    return JSON.parse(mark === plain ? body : inflate(body));
  throw fail('RECORD_DAMAGED', `Record "${key}" of the kind ${kind} does not match its checksum`, {
    kind,
    key,
  });
}

/** The sum of a record; the mark of a deflated body is part of it. */
function sum(kind: RecordKind, key: string, { mark, body }: EncodedRecord): string {
  const before = `${kind}:${key}\n${mark === plain ? '' : mark}`;
  return crc32(body, crc32(before)).toString(16).padStart(8, '0');
}

function inflate(body: string): string {
  return inflateRawSync(Buffer.from(body, 'base64')).toString();
}
