import { ordinal, toEntryId } from '../../core/values/id.ts';
import {
  checkArgument,
  idOf,
  invalid,
  objectOf,
  type Schema,
} from '../../core/values/validation.ts';
import { parseEntryKey, sessionRange } from '../../store/key.ts';
import type { RecordStore } from '../../store/store.ts';
import type { EntryRow } from '../journal/load.ts';
import {
  firstRecord,
  noMoment,
  recordAt,
  recordOfEntry,
  recordsBetween,
} from './journal-search.ts';

/** A moment in the life of a session. */
export type Moment =
  /** Before the model's answer in this turn: to the call of this number, from 1; to the last unless told; the end of a turn without calls. */
  | { readonly turn: number; readonly call?: number }
  /** After this record of the journal. */
  | { readonly seq: number }
  /** After the record that appended this entry. */
  | { readonly entry: string }
  /**
   * After the last entry up to this time, in milliseconds since 1970, and what was decided by then;
   * entries of an imported session have the times of its file.
   */
  | { readonly time: number };

/** A session whose old moments are read. */
export interface Archive {
  readonly store: RecordStore;
  readonly session: string;
  /** The last record of the journal. */
  readonly last: number;
}

/** The record that a moment is after; rejects with `MOMENT_NOT_FOUND`, `ENTRY_NOT_FOUND`, or `OPTION_INVALID`. */
export async function seqOf(archive: Archive, value: Moment): Promise<number> {
  const moment = checkMoment(value);
  if ('seq' in moment) {
    const { session, last } = archive;
    if (moment.seq >= 1 && moment.seq <= last) return moment.seq;
    throw noMoment(session, moment, `record ${moment.seq}; its last is ${last}`);
  }
  if ('entry' in moment) return recordOfAppended(archive, moment);
  if ('time' in moment) return recordAtTime(archive, moment);
  return recordOfCall(archive, moment);
}

/** Refuses what names no moment; throws `OPTION_INVALID`. */
function checkMoment(value: Moment): Moment {
  const wanted = 'a { turn }, { turn, call }, { seq }, { entry } or { time }';
  if (typeof value !== 'object' || value === null) throw invalid('moment', value, wanted);
  const moment = value as Readonly<Record<string, unknown>>;
  const fields = Object.keys(moment).filter((name) => moment[name] !== undefined);
  const known = ['turn', 'seq', 'entry', 'time'].filter((name) => fields.includes(name));
  const most = known[0] === 'turn' ? ['turn', 'call'] : known;
  if (known.length !== 1 || fields.some((name) => !most.includes(name)))
    throw invalid('moment', JSON.stringify(moment), wanted);
  checkArgument('moment', moment, momentFields);
  return value;
}

const number: Schema = { holds: Number.isInteger, takes: 'a whole number' };
const momentFields = objectOf<
  Readonly<Record<'turn' | 'call' | 'seq' | 'entry' | 'time', unknown>>
>({
  turn: number,
  call: number,
  seq: number,
  entry: idOf('entry'),
  time: { holds: Number.isFinite, takes: 'milliseconds since 1970' },
});

async function recordOfAppended(
  { store, session, last }: Archive,
  moment: { readonly entry: string },
): Promise<number> {
  const n = ordinal(toEntryId(moment.entry));
  const found = await recordOfEntry(store, session, { n, last });
  if (found === null) throw noMoment(session, moment, `entry ${moment.entry}`);
  return found;
}

/** The record of the last entry in the log up to a time, or the last decision by then that followed it. */
async function recordAtTime(archive: Archive, moment: { readonly time: number }): Promise<number> {
  const { store, session, last } = archive;
  const { time } = moment;
  const n = await lastEntryBy(archive, time);
  let seq = n === null ? 0 : (await recordOfEntry(store, session, { n, last }))!;
  for await (const { seq: next, at, facts } of recordsBetween(store, session, {
    after: seq,
    to: last,
  })) {
    if (at > time || facts.some(({ type }) => type === 'entry.appended')) break;
    seq = next;
  }
  if (seq > 0) return seq;
  const began = iso(await beginning(archive));
  throw noMoment(session, moment, `moment up to ${iso(time)}; it began at ${began}`);
}

/** The position of the last entry whose time is not after `time`; null for none. Clocks may have been set back, so all are read. */
async function lastEntryBy({ store, session }: Archive, time: number): Promise<number | null> {
  for await (const [key, row] of store.range('entry', sessionRange(session, { reverse: true })))
    if ((row as EntryRow).at <= time) return parseEntryKey(key).n;
  return null;
}

/** When a session began: when it was created, or the time of its first entry where that is earlier. */
async function beginning({ store, session }: Archive): Promise<number> {
  const { at } = await recordAt(store, session, 1);
  for await (const [, row] of store.range('entry', sessionRange(session, { limit: 1 })))
    return Math.min(at, (row as EntryRow).at);
  return at;
}

/** A time in ISO format, or as a number beyond the range of dates. */
const iso = (time: number): string =>
  Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : String(time);

/** The record before the one that appended the model's answer. */
async function recordOfCall(
  archive: Archive,
  moment: Extract<Moment, { turn: number }>,
): Promise<number> {
  const { store, session, last } = archive;
  const isInTurn = (turn: number) => async (seq: number) =>
    (await recordAt(store, session, seq)).turn >= turn;
  const first = await firstRecord(last, isInTurn(moment.turn));
  if (first === null) throw noMoment(session, moment, await lastTurn(archive, moment.turn));
  const end = ((await firstRecord(last, isInTurn(moment.turn + 1))) ?? last + 1) - 1;
  const calls: number[] = [];
  for await (const { seq, facts } of recordsBetween(store, session, { after: first, to: end }))
    if (facts.some((fact) => fact.type === 'entry.appended' && fact.role === 'assistant'))
      calls.push(seq - 1);
  if (moment.call === undefined) return calls.at(-1) ?? end;
  const found = calls[moment.call - 1];
  if (found !== undefined && end >= first) return found;
  const there = calls.length === 1 ? '1 call' : `${calls.length} calls`;
  throw noMoment(session, moment, `call ${moment.call} in turn ${moment.turn}, which has ${there}`);
}

async function lastTurn({ store, session, last }: Archive, turn: number): Promise<string> {
  return `turn ${turn}; its last is ${(await recordAt(store, session, last)).turn}`;
}
