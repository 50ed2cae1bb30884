import {
  checkFields,
  flag,
  from,
  invalid,
  oneOf,
  wait,
  whole,
  type Fields,
} from '../core/argument.ts';
import type { Summarizer } from '../llm/summarizer.ts';
import type { Clock } from './clock.ts';
import type { EffectOptions } from './effects.ts';
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
}

const ofEffects: Fields<keyof EffectOptions> = {
  concurrency: (name, value) => whole(`effects.${name}`, value, 1),
  timeout: (name, value) => wait(1)(`effects.${name}`, value),
};

/** Of the first design: ids are counters, and a session that nobody holds leaves memory by itself. */
const fallen: Fields = { ids: () => undefined, maxOpen: () => undefined };

const fields: Fields<keyof StoreOptions> = {
  durability: oneOf(['power', 'process']),
  clock: isClock,
  summarizers: areSummarizers,
  effects: (name, value) => checkFields(name, value, ofEffects),
  maxQueued: from(1),
  documents: (_, value) => void documentsOf({ documents: value as string }),
  create: flag,
};

/** Refuses options that there are not, and values that they do not take; throws `OPTION_INVALID`. */
export function checkStoreOptions(options: StoreOptions): void {
  checkFields('options', options, { ...fields, ...fallen });
}

function isClock(name: string, value: unknown): void {
  const clock = Object(value) as Record<string, unknown>;
  if (['now', 'setTimeout', 'clearTimeout'].some((part) => typeof clock[part] !== 'function'))
    throw invalid(name, value, '{ now, setTimeout, clearTimeout }');
}

function areSummarizers(name: string, value: unknown): void {
  if (!Array.isArray(value)) throw invalid(name, value, 'a list of summarizers');
  for (const one of value) checkSummarizer(one as Summarizer);
}

/** The folder for documents, if any; throws `OPTION_INVALID`. */
export function documentsOf({ documents = false }: StoreOptions): string | null {
  if (documents === false) return null;
  if (typeof documents === 'string' && documents !== '') return documents;
  throw invalid('documents', documents, 'a folder, or false');
}
