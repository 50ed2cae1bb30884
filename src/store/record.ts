import { setImmediate as breathe } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { fail } from '../core/values/error.ts';
import type { RecordKind } from './store.ts';
import { format, upcasters } from './upcast.ts';

// A record is a line of text: the CRC-32 of kind, key and body in eight hex digits, a space, and the
// body in JSON. LevelDB itself hands out a flipped byte without an error, and a value under a key that
// was damaged into another; the sum covers both. It is turned by the id of the store, so that no row of
// another one is taken for its own. Of a large body a `z` stands in place of the space,
// and the JSON is deflated and in Base64; entries, which are written while somebody waits, never are,
// nor is the search index, which is read while somebody waits. From format 2 on the format stands
// before the mark, in digits, and is summed as well.

/** Digits of the sum. */
const digits = 8;
/** Least length of a body that is deflated, in characters. */
const compressFrom = 6_144;
/** Least length of one that is deflated in a thread of its own: that of a shorter one takes as long as to ask for it. */
const compressAside = 32_768;
/** Fast rather than strong: it saves bytes of LevelDB's log, while tables, which LevelDB compresses itself, shrink by a hundredth only. */
const compressionLevel = 3;

const plain = ' ';
const deflated = 'z';

/** The record after its checksum. */
interface EncodedRecord {
  /** The format that it was written in. */
  readonly version: number;
  readonly mark: string;
  readonly body: string;
}

/** The records of one store. */
export interface RecordCodec {
  /** The text kept under `key` for a JSON value; throws `TypeError` for what JSON cannot hold (`undefined`, a function). */
  readonly encode: (kind: RecordKind, key: string, value: unknown) => string;
  /** The same; where the text is long, as a promise of it, so that nobody waits for it. */
  readonly encodeAside: (kind: RecordKind, key: string, value: unknown) => string | Promise<string>;
  /**
   * The value that was encoded, as this format has it; throws `RECORD_DAMAGED`, which names kind and key, if
   * anything changed since, and `STORE_TOO_NEW` where it was written in a later format.
   */
  readonly decode: (kind: RecordKind, key: string, text: string) => unknown;
}

/** The records of the store with this id, 32 bits; a row of the kind `meta`, which tells it, is the same in all. */
export function recordCodec(id: number): RecordCodec {
  const sumOf = (kind: RecordKind, key: string, record: EncodedRecord): string =>
    hex(sum(kind, key, record) ^ (kind === 'meta' ? 0 : id));
  const jsonOf = (kind: RecordKind, key: string, value: unknown): string => {
    const json = JSON.stringify(value) as string | undefined;
    if (json !== undefined) return json;
    throw new TypeError(`Record "${key}" of the kind ${kind} has no JSON value`);
  };
  const textOf = (
    kind: RecordKind,
    key: string,
    { mark, body }: Pick<EncodedRecord, 'mark' | 'body'>,
  ): string => {
    // Any version is to read which format a store has.
    const record = { version: kind === 'meta' ? 1 : format, mark, body };
    return `${sumOf(kind, key, record)}${headOf(record)}${body}`;
  };
  const encodeJson = (kind: RecordKind, key: string, json: string): string => {
    const record = isDeflated(kind, json, compressFrom)
      ? { mark: deflated, body: deflate(json) }
      : { mark: plain, body: json };
    return textOf(kind, key, record);
  };
  const aside: RecordCodec['encodeAside'] = (kind, key, value) => {
    const json = jsonOf(kind, key, value);
    if (!isDeflated(kind, json, compressAside)) return encodeJson(kind, key, json);
    return deflateAside(json).then((body) => textOf(kind, key, { mark: deflated, body }));
  };
  return {
    encode: (kind, key, value) => encodeJson(kind, key, jsonOf(kind, key, value)),
    encodeAside: (kind, key, value) =>
      isVast(kind) ? breathe().then(() => aside(kind, key, value)) : aside(kind, key, value),
    decode(kind, key, text) {
      const record = split(text);
      if (record === null || text.slice(0, digits) !== sumOf(kind, key, record)) {
        const message = `Record "${key}" of the kind ${kind} does not match its checksum`;
        throw fail('RECORD_DAMAGED', message, { kind, key });
      }
      const { version, mark, body } = record;
      if (version > format) {
        const message = `Record "${key}" of the kind ${kind} has format ${version}; this version reads up to ${format}`;
        throw fail('STORE_TOO_NEW', message, { kind, key, format: version, newest: format });
      }
      const value: unknown = JSON.parse(mark === plain ? body : inflate(body));
      return upcasters.slice(version - 1).reduce((older, upcast) => upcast(kind, older), value);
    },
  };
}

/** The id of the store that a record is of, if it is sound; null for what is no record. */
export function storeIdOf(kind: RecordKind, key: string, text: string): number | null {
  const record = split(text);
  if (record === null || !/^[0-9a-f]{8}/.test(text)) return null;
  return (Number.parseInt(text.slice(0, digits), 16) ^ sum(kind, key, record)) >>> 0;
}

/** A record in its parts; null where it has none. */
function split(text: string): EncodedRecord | null {
  if (text[digits] === plain) return { version: 1, mark: plain, body: text.slice(digits + 1) };
  const [, version = '', mark] =
    /^([2-9]|[1-9]\d{1,3})?([ z])/.exec(text.slice(digits, digits + 5)) ?? [];
  if (mark === undefined) return null;
  const body = text.slice(digits + version.length + 1);
  return { version: version === '' ? 1 : Number(version), mark, body };
}

/** What stands between the sum and the body. */
const headOf = ({ version, mark }: EncodedRecord): string =>
  `${version === 1 ? '' : version}${mark}`;

/** The sum of a record in any store; all that stands between it and the body is part of it, but for a space alone. */
function sum(kind: RecordKind, key: string, record: EncodedRecord): number {
  const head = headOf(record);
  return crc32(record.body, crc32(`${kind}:${key}\n${head === plain ? '' : head}`));
}

const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(digits, '0');

/** Whether a body is deflated, of this length at least. */
const isDeflated = (kind: RecordKind, json: string, least: number): boolean =>
  json.length >= least && kind !== 'entry' && kind !== 'search';

/** Whether rows of a kind may be so long that to print one takes a turn of its own. */
const isVast = (kind: RecordKind): boolean => kind === 'state';

function deflate(json: string): string {
  return deflateRawSync(json, { level: compressionLevel }).toString('base64');
}

const deflateInThread = promisify(deflateRaw);

async function deflateAside(json: string): Promise<string> {
  await breathe();
  const packed = await deflateInThread(json, { level: compressionLevel });
  return packed.toString('base64');
}

function inflate(body: string): string {
  return inflateRawSync(Buffer.from(body, 'base64')).toString();
}
