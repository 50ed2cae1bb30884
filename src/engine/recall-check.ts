import { checkNames, invalid, limit, signal } from '../core/argument.ts';
import type { ExpandOptions } from './expand.ts';
import type { RecallOptions } from './recall.ts';
import { roles, type Between } from './recall-filter.ts';
import type { TraceGiven, TraceOptions } from './recall-session.ts';
import type { StoreRecallOptions } from './recall-store.ts';

// What is asked of a log comes from models and from people: each value is looked
// at before anything is read, and one that cannot be meant is refused by name.

/** Refuses what is no query, and options that there are not or that do not take what is given; throws `OPTION_INVALID`. */
export function checkRecall(query: unknown, options: RecallOptions): void {
  checkText('query', query, 'a text');
  checkObject(options);
  checkNames(options, [...howMuch, 'frame', 'role', 'tool', 'turns', 'time']);
  checkHowMuch(options);
  const { frame, role, tool, turns, time } = options;
  if (frame !== undefined) checkText('frame', frame, 'the id of a frame');
  if (tool !== undefined) checkText('tool', tool, 'the name of a tool');
  for (const one of [role ?? []].flat())
    if (!roles.includes(one)) throw invalid('role', one, roles.join(', '));
  if (turns !== undefined) checkBetween('turns', turns);
  if (time !== undefined) checkBetween('time', time);
}

/** The same for all sessions of a store. */
export function checkStoreRecall(query: unknown, options: StoreRecallOptions): void {
  checkText('query', query, 'a text');
  checkObject(options);
  checkNames(options, [...howMuch, 'session']);
  checkHowMuch(options);
}

/** The same for a trace. */
export function checkTrace(given: unknown, options: TraceOptions): asserts given is TraceGiven {
  const wanted = '{ text }, { checkpoint }, or both';
  if (typeof given !== 'object' || given === null) throw invalid('given', given, wanted);
  checkNames(given, ['text', 'checkpoint']);
  const { text, checkpoint } = given as { readonly text?: unknown; readonly checkpoint?: unknown };
  if (text === undefined && checkpoint === undefined)
    throw invalid('given', JSON.stringify(given), wanted);
  if (text !== undefined) checkText('text', text, 'a text');
  if (checkpoint !== undefined) checkText('checkpoint', checkpoint, 'the id of a checkpoint');
  checkObject(options);
  checkNames(options, howMuch);
  checkHowMuch(options);
}

/** The same for what a reference leads to. */
export function checkExpand(ref: unknown, options: ExpandOptions): asserts ref is string {
  checkText('ref', ref, 'an entry (e42), a range (e40-e52), a frame (f3) or a checkpoint (c2)');
  checkObject(options);
  checkNames(options, ['limit', 'signal']);
  checkHowMuch(options);
}

const howMuch = ['limit', 'tokens', 'signal'];

function checkHowMuch({ limit: most, tokens, signal: ends }: HowMuch): void {
  if (most !== undefined) limit('limit', most);
  if (tokens !== undefined && (typeof tokens !== 'number' || !(tokens >= 0)))
    throw invalid('tokens', tokens, 'a number from 0 up');
  if (ends !== undefined) signal('signal', ends);
}

type HowMuch = Pick<RecallOptions, 'limit' | 'tokens' | 'signal'>;

function checkBetween(option: string, between: Between): void {
  const wanted = 'two numbers, the lower one first: [3, 9], { from: 3 }, { to: 9 }';
  const wrong = (): Error => invalid(option, JSON.stringify(between) ?? between, wanted);
  if (typeof between !== 'object' || between === null) throw invalid(option, between, wanted);
  const isPair = Array.isArray(between);
  if (isPair && between.length !== 2) throw wrong();
  const ends = between as { readonly from?: unknown; readonly to?: unknown };
  const [from, to] = isPair ? (between as readonly unknown[]) : [ends.from, ends.to];
  if (!isPair) checkNames(between, ['from', 'to']);
  if ([from, to].some((end) => end !== undefined && (typeof end !== 'number' || Number.isNaN(end))))
    throw wrong();
  if (typeof from === 'number' && typeof to === 'number' && from > to) throw wrong();
}

function checkText(option: string, value: unknown, wanted: string): asserts value is string {
  if (typeof value !== 'string') throw invalid(option, value, wanted);
}

function checkObject(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('options', options, 'an object');
}
