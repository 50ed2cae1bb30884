import {
  anything,
  callable,
  checkArgument,
  flag,
  listOf,
  objectOf,
  oneOf,
  wait,
  integer,
} from '../../core/values/validation.ts';
import type { Summarizer } from '../../llm/summarizer.ts';
import type { Clock } from '../live/clock.ts';
import type { EffectOptions } from '../effects/effects.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { checkSummarizer } from './summarizers.ts';

/** How a store is opened. */
export interface StoreOptions {
  /** What a resolved promise promises: `power` survives a power cut, `process` a killed process; `power` unless told. */
  readonly durability?: 'power' | 'process';
  /** Time, for tests; this machine's unless told. */
  readonly clock?: Clock;
  /** Summarizers that sessions may name. */
  readonly summarizers?: readonly Summarizer[];
  /** How many effects run at once, and for how long, in milliseconds; 4 and 120,000 unless told. */
  readonly effects?: Partial<EffectOptions>;
  /** Calls that may wait in one session before `BUSY`; 10,000 unless told. */
  readonly maxQueued?: number;
  /** A folder for checkpoint documents, a file for each day; none are written unless told. */
  readonly documents?: string | false;
  /** Whether a folder without a store becomes one; true unless told. */
  readonly create?: boolean;
  /** Whether it is only read, as it is now, whoever has it open: commands are refused, and no effects run; false unless told. */
  readonly readOnly?: boolean;
  /**
   * Hears which machine of which session went where, once that is durable; first of each actor that there is when a
   * session is read in. Called behind the steps; what it is too slow for is dropped, and told as one `dropped`.
   */
  readonly inspect?: (inspection: Inspection) => void;
  /** Whether `inspect` is told texts, too, and not only ids and counts; false unless told. */
  readonly inspectText?: boolean;
  /** What the program does with it, in a word or two, for others who find it in use. */
  readonly command?: string;
}

/** Options without an effect: ids are counters, and a session that nobody holds leaves memory by itself. */
type IgnoredOption = 'ids' | 'maxOpen';

const storeOptions = objectOf<StoreOptions & Readonly<Record<IgnoredOption, unknown>>>({
  durability: oneOf('power', 'process'),
  clock: { holds: isClock, takes: '{ now, setTimeout, clearTimeout }' },
  summarizers: listOf(anything, 'a list of summarizers'),
  effects: objectOf<EffectOptions>({ concurrency: integer(1), timeout: wait(1) }),
  maxQueued: integer(1),
  documents: { holds: areDocuments, takes: 'a folder, or false' },
  create: flag,
  readOnly: flag,
  inspect: callable,
  inspectText: flag,
  command: { holds: isCommand, takes: 'a line of at most 60 characters' },
  ids: anything,
  maxOpen: anything,
});

/** Refuses options that there are not, and values that they do not take; throws `OPTION_INVALID`. */
export function checkStoreOptions(options: StoreOptions): void {
  checkArgument('options', options, storeOptions);
  for (const summarizer of options.summarizers ?? []) checkSummarizer(summarizer);
}

/** Whether a value is a clock. */
export function isClock(value: unknown): boolean {
  const clock = Object(value) as Record<string, unknown>;
  return ['now', 'setTimeout', 'clearTimeout'].every((part) => typeof clock[part] === 'function');
}

function isCommand(value: unknown): boolean {
  return typeof value === 'string' && /^[^\p{Cc}]{1,60}$/u.test(value);
}

function areDocuments(value: unknown): boolean {
  return value === false || (typeof value === 'string' && value !== '');
}
