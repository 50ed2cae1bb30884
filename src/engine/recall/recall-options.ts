import { toReferring } from '../../core/breadcrumbs/reference.ts';
import {
  anything,
  callable,
  checkArgument,
  idOf,
  invalid,
  limit,
  objectOf,
  oneOf,
  signal,
  text,
  type Schema,
} from '../../core/values/validation.ts';
import type { LostEntries, OnLost } from '../journal/whole-rows.ts';
import { roles, type Between, type RecallFilter } from './recall-filter.ts';

// What is asked of a log comes from models and from people: each value is checked
// before anything is read, and a wrong one is refused by name.

const limits = {
  limit,
  tokens: { type: 'number', minimum: 0 },
  signal,
  onLost: callable,
} as const;

const role = oneOf(...roles);
const tool: Schema = { type: 'string', takes: 'the name of a tool' };
const recallOptions = objectOf<RecallOptions>({
  ...limits,
  frame: idOf('frame'),
  within: { holds: holdsReference, takes: 'ids or ranges, such as e40-e52' },
  role: anything,
  tool,
  turns: anything,
  time: anything,
});

function holdsReference(value: unknown): boolean {
  return typeof value === 'string' && toReferring(value).references.length > 0;
}

/** Refuses what is no query, and options that there are not or that do not take what is given; throws `OPTION_INVALID`. */
export function checkRecall(query: unknown, options: RecallOptions): void {
  checkArgument('query', query, text);
  checkArgument('options', options, recallOptions);
  checkFilter(options);
}

function checkFilter(options: RecallFilter): void {
  for (const one of [options.role ?? []].flat()) checkArgument('role', one, role);
  for (const name of ['turns', 'time'] as const)
    if (options[name] !== undefined) checkBetween(name, options[name]);
}

const storeOptions = objectOf<StoreRecallOptions>({
  ...limits,
  session: anything,
  role: anything,
  tool,
  time: anything,
});

/** The same for all sessions of a store. */
export function checkStoreRecall(query: unknown, options: StoreRecallOptions): void {
  checkArgument('query', query, text);
  checkArgument('options', options, storeOptions);
  checkFilter(options);
}

const origin = {
  ...objectOf<{ text?: string; checkpoint?: string }>({ text, checkpoint: idOf('checkpoint') }),
  takes: '{ text }, { checkpoint }, or both',
};
const traceOptions = objectOf<TraceOptions>(limits);

/** The same for a trace. */
export function checkTrace(traced: unknown, options: TraceOptions): asserts traced is TraceGiven {
  checkArgument('given', traced, origin);
  const { text, checkpoint } = traced as { readonly text?: string; readonly checkpoint?: string };
  if (text === undefined && checkpoint === undefined)
    throw invalid('given', JSON.stringify(traced), origin.takes);
  checkArgument('options', options, traceOptions);
}

const reference: Schema = {
  type: 'string',
  takes: 'an entry (e42), a range (e40-e52), a frame (f3) or a checkpoint (c2)',
};
const expandOptions = objectOf<ExpandOptions>({ limit, signal });

/** The same for what a reference leads to. */
export function checkExpand(ref: unknown, options: ExpandOptions): asserts ref is string {
  checkArgument('ref', ref, reference);
  checkArgument('options', options, expandOptions);
}

/** Refuses what is no range, and one whose ends are the wrong way round. */
function checkBetween(option: string, between: Between): void {
  if (isBetween(between)) return;
  const value = typeof between === 'object' ? JSON.stringify(between) : between;
  const wanted = 'two numbers, the lower one first: [3, 9], { from: 3 }, { to: 9 }';
  throw invalid(option, value, wanted);
}

function isBetween(between: unknown): boolean {
  if (typeof between !== 'object' || between === null) return false;
  if (Array.isArray(between) && between.length !== 2) return false;
  const ends: object = Array.isArray(between) ? { from: between[0], to: between[1] } : between;
  const { from, to, ...rest } = ends as { readonly from?: number; readonly to?: number };
  const areNumbers = [from, to].every((end) => end === undefined || typeof end === 'number');
  return (
    areNumbers &&
    Object.keys(rest).length === 0 &&
    !Number.isNaN((from ?? 0) + (to ?? 0)) &&
    !(from !== undefined && to !== undefined && from > to)
  );
}

/** What of the log to look through, and how much to give back. */
export interface RecallOptions extends RecallFilter {
  /** At most this many hits; 10 unless told. */
  readonly limit?: number;
  /** What the texts of all hits may come to, in tokens; 2,000 unless told. */
  readonly tokens?: number;
  readonly signal?: AbortSignal;
  /** Hears of entries that cannot be read, and are not looked through; unless told, the recall rejects with `RECORD_DAMAGED`. */
  readonly onLost?: OnLost;
}

/** How much to give back of what a reference leads to. */
export interface ExpandOptions {
  /** At most this many entries; all of them unless told. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Where to trace from: a sentence of a summary, a whole checkpoint, or a sentence of one. */
export type TraceGiven =
  | { readonly text: string; readonly checkpoint?: string }
  | { readonly checkpoint: string };

/** How much a trace gives back. */
export type TraceOptions = Pick<RecallOptions, 'limit' | 'tokens' | 'signal' | 'onLost'>;

/** Where to look in a store, and how much to give back. */
export interface StoreRecallOptions extends Pick<RecallFilter, 'role' | 'tool' | 'time'> {
  /** At most this many hits; 10 unless told. */
  readonly limit?: number;
  /** What the texts of all hits may come to, in tokens of `o200k_base`, however their sessions count; 2,000 unless told. */
  readonly tokens?: number;
  /** One session only, by its id, or several. */
  readonly session?: string | readonly string[];
  readonly signal?: AbortSignal;
  /** Hears of entries that cannot be read, and are not looked through; unless told, the recall rejects with `RECORD_DAMAGED`. */
  readonly onLost?: (lost: LostEntries & { readonly session: string }) => void;
}
