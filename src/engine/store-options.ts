import { checkNames, invalid, whole } from '../core/options.ts';
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

/** Refuses options that there are not, and values that they do not take; throws `OPTION_INVALID`. */
export function checkStoreOptions(options: StoreOptions): void {
  checkNames(options, [...known, ...fallen]);
  const { durability = 'power', summarizers = [], effects = {}, maxQueued = 1 } = options;
  if (durability !== 'power' && durability !== 'process')
    throw invalid('durability', durability, 'power or process');
  checkNames(effects, ['concurrency', 'timeout']);
  whole('maxQueued', maxQueued, 1);
  whole('effects.concurrency', effects.concurrency ?? 1, 1);
  whole('effects.timeout', effects.timeout ?? 1, 1);
  for (const one of summarizers) checkSummarizer(one);
  documentsOf(options);
}

const known = [
  'durability',
  'clock',
  'summarizers',
  'effects',
  'maxQueued',
  'documents',
  'create',
] satisfies readonly (keyof StoreOptions)[];

/** Of the first design: ids are counters, and a session that nobody holds leaves memory by itself. */
const fallen = ['ids', 'maxOpen'];

/** The folder for documents, if any; throws `OPTION_INVALID`. */
export function documentsOf({ documents = false }: StoreOptions): string | null {
  if (documents === false) return null;
  if (typeof documents === 'string' && documents !== '') return documents;
  throw invalid('documents', documents, 'a folder, or false');
}
