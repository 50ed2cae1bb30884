import { fail } from '../core/values/error.ts';
import { toSessionId } from '../core/values/id.ts';
import type { RecordKind, KeyRange } from './store.ts';

// Every key is `<session>:<rest>`, but for the kinds `session` (the bare id) and `meta` (a name).
//
//   journal  notes-app:000000000042
//   key      notes-app:pi/7f3a#12
//   outbox   notes-app:summary/f2/17
//
// A session id never holds a colon, so all keys of one session lie between `id:` and `id;`, and no
// other session's key does. Numbers have a fixed width, so the order of bytes is the order of numbers.
//
// A machine of somebody's own has rows of the same kinds, under its id with a tilde before it, behind all
// sessions; the functions below take that for the id of a session.

/** Digits of a number in a key; 10¹² records are enough for any session. */
const width = 12;
const largest = 10 ** width - 1;
/** Longest escaped idempotency key that is kept readable, in characters; a digest stands for longer ones. */
const readable = 160;
/** Cannot begin an escaped text, in which four hex digits follow each percent sign. */
const digestMark = '%sha256-';

const numberedKey = /^(~?[0-9A-Za-z_.-]{1,64}):(\d{12})$/;
const namedKey = /^(~?[0-9A-Za-z_.-]{1,64}):([!-~]*)$/;
const name = /^[0-9A-Za-z_.-]{1,64}$/;
/** Stands before the id of a machine; no id of a session comes after it. */
const machineMark = '~';

/** The id under which the rows of a machine are kept. */
export const machineRows = (machine: string): string => `${machineMark}${machine}`;
/** Whether rows are those of a machine. */
export const isMachine = (rows: string): boolean => rows.startsWith(machineMark);
/** The id of a machine, by that of its rows. */
export const machineOf = (rows: string): string => rows.slice(machineMark.length);

/** Checks the id of a session, or of the rows of a machine; throws `SESSION_ID_INVALID`. */
function toOwner(id: string): string {
  toSessionId(isMachine(id) ? machineOf(id) : id);
  return id;
}

/** The key of the journal record with number `seq`. */
export const journalKey = (session: string, seq: number): string => numberedPart(session, seq);
/** The key of the entry at position `n`. */
export const entryKey = (session: string, n: number): string => numberedPart(session, n);
/** The key of the stored text with ordinal `n`. */
export const textKey = (session: string, n: number): string => numberedPart(session, n);
/** The key of the state row written at `seq`. */
export const stateKey = (session: string, seq: number): string => numberedPart(session, seq);
/** The key of the chunk with number `n` of the lists that copies of the state share. */
export const chunkKey = (session: string, n: number): string => numberedPart(session, n);

/**
 * The key under which the answer to an idempotency key is kept. `key` is any text of a caller, lone
 * surrogates included; different texts have different keys (long ones by their SHA-256).
 */
export function idempotencyKey(session: string, key: string): string {
  const escaped = escape(key);
  return `${toOwner(session)}:${escaped.length <= readable ? escaped : digestMark + digest(key)}`;
}

/** The key under which a machine keeps the step that took in an event of a caller's `key`. */
export const sentKey = (machine: string, key: string): string =>
  idempotencyKey(machine, `send ${key}`);

/** The key of the pending effect that the engine calls `effect`. */
export const outboxKey = (session: string, effect: string): string =>
  `${toOwner(session)}:${escape(effect)}`;

/** Which segment of the search index: by its first entry; one that was merged of several is another. */
export interface SegmentAt {
  readonly first: number;
  readonly isMerged: boolean;
}

/** The key of the row that says what a segment of the search index covers. */
export const segmentKey = (session: string, at: SegmentAt): string => searchKey(session, 's', at);
/** The key of the details of a segment's entries. */
export const detailKey = (session: string, at: SegmentAt): string => searchKey(session, 'd', at);
/** The key of the terms of a segment that fall to `bucket`, from 0; `bucketCount` says how many there are. */
export const postingKey = (session: string, at: SegmentAt & { readonly bucket: number }): string =>
  searchKey(session, bucketName(at.bucket), at);

/** The key of the terms of a session's frames. */
export const framesKey = (session: string): string =>
  searchKey(session, 'f', { first: 0, isMerged: false });

/** The rows of {@link segmentKey}, oldest first. */
export const segmentsRange = (session: string): KeyRange => searchRange(session, 's');

/** The key of the terms of a segment that begin with `head`, a letter or digit. */
export const termsKey = (session: string, at: SegmentAt & { readonly head: string }): string =>
  searchKey(session, `t${at.head}`, at);

/** The rows of {@link termsKey} with one head. */
export const termsRange = (session: string, head: string): KeyRange =>
  searchRange(session, `t${head}`);

/** The segment that a key of the search index belongs to; throws `RECORD_DAMAGED` for any other. */
export function parseSearchKey(key: string): SegmentAt {
  const [, first, merged] = /\/(\d{12})(m?)$/.exec(key) ?? [];
  if (first === undefined) throw malformed('search', key);
  return { first: Number(first), isMerged: merged === 'm' };
}

const bucketName = (bucket: number): string => `p${bucket.toString(16).padStart(3, '0')}`;

/** `notes-app:p0a3/000000001025`; an `m` behind that of a merged segment. */
const searchKey = (session: string, name: string, { first, isMerged }: SegmentAt): string =>
  numberedPart(session, first).replace(':', `:${name}/`) + (isMerged ? 'm' : '');

function searchRange(session: string, name: string): KeyRange {
  const id = toOwner(session);
  return { gte: `${id}:${name}/`, lt: `${id}:${name}0` };
}

/** The key of a session's own row. */
export const sessionKey = (session: string): string => toOwner(session);

/** The key of a record about the store itself; throws `RangeError` unless `of` is a plain name. */
export function metaKey(of: string): string {
  if (name.test(of)) return of;
  throw new RangeError(`"${of}" is no name of a meta record`);
}

/** Reads a key made by {@link journalKey}; throws `RECORD_DAMAGED` for any other. */
export const parseJournalKey = (key: string): { readonly session: string; readonly seq: number } =>
  parseSeq('journal', key);
/** Reads a key made by {@link stateKey}; throws `RECORD_DAMAGED` for any other. */
export const parseStateKey = (key: string): { readonly session: string; readonly seq: number } =>
  parseSeq('state', key);
/** Reads a key made by {@link entryKey}; throws `RECORD_DAMAGED` for any other. */
export const parseEntryKey = (key: string): { readonly session: string; readonly n: number } =>
  parseOrdinal('entry', key);

/** Reads a key made by {@link outboxKey}; throws `RECORD_DAMAGED` for any other. */
export function parseOutboxKey(key: string): { readonly session: string; readonly effect: string } {
  const [session, rest] = split('outbox', key, namedKey);
  return { session, effect: unescape(rest) };
}

/** Reads a key made by {@link sessionKey}; throws `RECORD_DAMAGED` for any other. */
export function parseSessionKey(key: string): string {
  if (name.test(key)) return key;
  throw malformed('session', key);
}

/** Options of a range read. */
export type RangeOptions = Pick<KeyRange, 'reverse' | 'limit' | 'signal'>;

/**
 * Everything of one session within a kind. Not for the kinds `meta` and `session`: a session's own
 * row is read with {@link sessionKey}.
 */
export const sessionRange = (session: string, walk: RangeOptions = {}): KeyRange => {
  const id = toOwner(session);
  return { ...walk, gte: `${id}:`, lt: `${id};` };
};

/** The stretch of a kind in which all rows of these sessions lie; ids are not quite in the order of their rows. */
export const sessionsRows = (sessions: readonly string[]): KeyRange => ({
  gte: sessions.map((id) => `${id}:`).reduce((a, b) => (a < b ? a : b)),
  lt: sessions.map((id) => `${id};`).reduce((a, b) => (a > b ? a : b)),
});

/** The records of one session whose numbers lie between `after` and `before`, both exclusive. */
export function seqRange(
  session: string,
  bounds: RangeOptions & { readonly after?: number; readonly before?: number } = {},
): KeyRange {
  const { after, before, ...walk } = bounds;
  const id = toOwner(session);
  return {
    ...walk,
    ...(after === undefined ? { gte: `${id}:` } : { gt: numberedPart(id, after) }),
    lt: before === undefined ? `${id};` : numberedPart(id, before),
  };
}

/** Rows of the kind `session` that are those of machines, in the order of their ids. */
export const machinesRange: KeyRange = { gt: machineMark };

/**
 * Rows of the kind `session`, in the order of their ids: those whose id begins with `prefix` and
 * that come after the id `after` in the direction of the walk.
 */
export function sessionsRange(
  bounds: RangeOptions & { readonly prefix?: string; readonly after?: string } = {},
): KeyRange {
  const { prefix = '', after, ...walk } = bounds;
  if (prefix !== '') toSessionId(prefix);
  if (after !== undefined) toSessionId(after);
  const first = prefix;
  const beyond = `${prefix}~`;
  if (after === undefined) return { ...walk, gte: first, lt: beyond };
  if (walk.reverse === true) return { ...walk, gte: first, lt: after < beyond ? after : beyond };
  return after < first ? { ...walk, gte: first, lt: beyond } : { ...walk, gt: after, lt: beyond };
}

function numberedPart(session: string, n: number): string {
  if (!Number.isInteger(n) || n < 0 || n > largest) {
    throw new RangeError(`${n} is no number of a record; they go from 0 to ${largest}`);
  }
  return `${toOwner(session)}:${String(n).padStart(width, '0')}`;
}

function parseSeq(kind: RecordKind, key: string): { session: string; seq: number } {
  const [session, seq] = split(kind, key, numberedKey);
  return { session, seq: Number(seq) };
}

function parseOrdinal(kind: RecordKind, key: string): { session: string; n: number } {
  const [session, n] = split(kind, key, numberedKey);
  return { session, n: Number(n) };
}

function split(kind: RecordKind, key: string, shape: RegExp): [session: string, rest: string] {
  const match = shape.exec(key);
  if (match?.[1] === undefined || match[2] === undefined) throw malformed(kind, key);
  return [match[1], match[2]];
}

function malformed(kind: RecordKind, key: string): Error {
  return fail('RECORD_DAMAGED', `"${key}" is no key of the kind ${kind}`, { kind, key });
}

/** Percent and whatever is not printable ASCII becomes `%` and the four hex digits of its code unit. */
function escape(text: string): string {
  return text.replace(
    /[^!-$&-~]/g,
    (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function unescape(text: string): string {
  return text.replace(/%([0-9a-f]{4})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Over code units and not over UTF-8, in which all lone surrogates look alike. Who lists a store has none to make, and need not wait for what makes them. */
function digest(text: string): string {
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash('sha256', Buffer.from(text, 'utf16le'), 'hex');
}
