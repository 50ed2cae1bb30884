import {
  checkArgument,
  flag,
  invalid,
  objectOf,
  oneOf,
  text,
  integer,
  type Schema,
} from '../values/validation.ts';
import { patternsSchema } from '../commands/destructive.ts';
import { fail } from '../values/error.ts';

/** The steps that the overflow ladder may take on its own. */
type Strategy = 'compress' | 'rollover' | 'ladder';

/** Where the work of a session was done, as far as anybody said. */
export interface Whereabouts {
  /** The folder of the project. */
  readonly folder?: string;
  /** The branch that was checked out in it. */
  readonly branch?: string;
  /** The program whose session it is: `claude-code`, `codex` … */
  readonly agent?: string;
  /** Id of the session that it is a sub-agent of. */
  readonly parent?: string;
}

/** The options of a session, with every default filled in. Kept with the session. */
export interface Options extends Whereabouts {
  /** The model's token window, in tokens. */
  readonly window: number;
  /** Kept for the answer, in tokens. */
  readonly reserve: number;
  readonly system: string;
  /** Name of the model, for calibration; null if not given. */
  readonly model: string | null;
  /** Who serves the model: `ollama`, `openai` …; null if not given. */
  readonly provider: string | null;
  /** Parameters of the model, in billions; null to take it from the name. */
  readonly modelSize: number | null;
  /** What a file counts, in tokens; left out for what its provider publishes. */
  readonly fileTokens?: number;
  /** Name of the summarizer; `embedded` needs no model. */
  readonly summarizer: string;
  readonly tokenizer: string;
  /** Share of what is available at which compression starts; null for the usual one. */
  readonly trigger: number | null;
  /** Newest entries that stay verbatim, in tokens; null for the share of `budget.ts`. */
  readonly preserveRecent: number | null;
  /** Longest new checkpoint, in tokens; null for that of `aging.ts`. */
  readonly summaryTokens: number | null;
  readonly strategy: Strategy;
  readonly compression: 'auto' | 'manual';
  /** Whether goal markers in assistant text count. */
  readonly markers: boolean;
  /** How checkpoints are shortened as they age: by dropping lines, or summarized again by a model in the background. */
  readonly aging: 'lines' | 'model';
  /** Regular expressions of calls before which a document is written; null for the usual ones. */
  readonly destructive: readonly string[] | null;
  /** The same for calls that run long. */
  readonly longRunning: readonly string[] | null;
  /** Whether snapshots are made before a compression and as the window fills. */
  readonly snapshots: 'auto' | 'manual';
  /** Whether a recovery goes on by itself, or asks first. */
  readonly recovery: 'auto' | 'confirm';
}

/** The options that may be given when a session is opened or configured. */
export type OptionsGiven = {
  readonly [Name in keyof Options]?: Options[Name] | undefined;
};

const name: Schema = {
  holds: (value) => typeof value === 'string' && value !== '',
  takes: 'a name',
};

/** The schema of each option, as far as it depends on no other. */
export const optionFields: { readonly [Name in keyof OptionsGiven]-?: Schema } = {
  window: integer(1),
  reserve: integer(0),
  system: text,
  model: name,
  provider: name,
  modelSize: {
    type: 'number',
    holds: (size) => Number.isFinite(size) && (size as number) > 0,
    takes: 'billions of parameters, above 0',
  },
  fileTokens: integer(0),
  summarizer: text,
  tokenizer: text,
  trigger: {
    type: 'number',
    maximum: 0.98,
    holds: (share) => (share as number) > 0.3,
    takes: 'above 0.3, up to 0.98',
  },
  preserveRecent: integer(0),
  summaryTokens: integer(40),
  strategy: oneOf('compress', 'rollover', 'ladder'),
  compression: oneOf('auto', 'manual'),
  markers: flag,
  aging: oneOf('lines', 'model'),
  destructive: patternsSchema,
  longRunning: patternsSchema,
  snapshots: oneOf('auto', 'manual'),
  recovery: oneOf('auto', 'confirm'),
  folder: name,
  branch: name,
  agent: name,
  parent: name,
};

/** The options that say where a session's work was done, of those that are given. */
export const whereaboutsOf = (options: Partial<Whereabouts>): Whereabouts =>
  definedOf(options, whereabouts);

const whereabouts = ['folder', 'branch', 'agent', 'parent'] as const;

const names = Object.keys(optionFields) as readonly (keyof Options)[];

const optionsSchema = objectOf<OptionsGiven>(optionFields);

/** Name of the summarizer that needs no model. */
export const embedded = 'embedded';

/** The options that the trigger follows from; the embedded summarizer unless told. */
export type Triggered = Pick<Options, 'trigger'> &
  Partial<Pick<Options, 'summarizer' | 'window' | 'reserve'>>;

/** Shares of what is available at which compression starts unless told: the last for the embedded summarizer, the first for a model in a small window. */
const triggers = { least: 0.8, last: 0.98 } as const;

/** What is left to entries that arrive while a model writes, in tokens: a few turns of an agent. */
const roomWhileWriting = 3_000;

/**
 * Share of what is available at which compression starts. Unless told, it is
 * earlier with a model: while it writes, entries go on arriving and need room,
 * which is a fifth of a small window and little of a large one. The embedded
 * summarizer has written before the next one comes.
 */
export function triggerOf(options: Triggered): number {
  const { trigger, summarizer = embedded, window = 0, reserve = 0 } = options;
  if (trigger !== null) return trigger;
  if (summarizer === embedded) return triggers.last;
  const later = 1 - roomWhileWriting / Math.max(1, window - reserve);
  return Math.min(triggers.last, Math.max(triggers.least, later));
}

/** The smallest window, in tokens. */
export const leastWindow = 1_000;

/** Share of the window that is kept for the answer unless told. */
const reserveShare = 0.15;

/** Tokens of a window that are kept for the answer unless told. */
export const usualReserve = (window: number): number => Math.floor(window * reserveShare + 1e-9);

/** The encoding that a session counts with unless told. */
export const defaultEncoding = 'o200k_base';

/** Least tokens of the limit beside the system prompt. */
export const leastRoom = 512;

/** The options that nobody told, but for those that depend on others or are left out then. */
const usual: Omit<Options, 'window' | 'reserve' | 'fileTokens' | keyof Whereabouts> = {
  system: '',
  model: null,
  provider: null,
  modelSize: null,
  summarizer: embedded,
  tokenizer: defaultEncoding,
  trigger: null,
  preserveRecent: null,
  summaryTokens: null,
  strategy: 'ladder',
  compression: 'auto',
  markers: true,
  aging: 'lines',
  destructive: null,
  longRunning: null,
  snapshots: 'auto',
  recovery: 'auto',
};

/**
 * The options of a session: those given over those it had, over the defaults.
 * Throws `WINDOW_REQUIRED` for a new one without a window, `WINDOW_TOO_SMALL`
 * and `OPTION_INVALID` with the value and the limit.
 */
export function resolveOptions(requested: OptionsGiven, before: Options | null): Options {
  checkArgument('options', requested, optionsSchema);
  const window = requested.window ?? before?.window;
  if (window === undefined)
    throw fail('WINDOW_REQUIRED', 'A new session needs a window, in tokens', { option: 'window' });
  if (window < leastWindow)
    throw fail('WINDOW_TOO_SMALL', `A window of ${window} tokens is below ${leastWindow}`, {
      window,
      least: leastWindow,
    });
  const keepsReserve = before !== null && requested.window === undefined;
  const reserve = requested.reserve ?? (keepsReserve ? before.reserve : usualReserve(window));
  if (reserve > window - leastRoom)
    throw invalid('reserve', reserve, `a number up to ${window - leastRoom}`);
  // What is known of one model says nothing of the next.
  const kept = keepsModel(requested, before)
    ? before
    : { ...before, provider: null, modelSize: null };
  const chosen = { ...kept, ...definedOf(requested, names), window, reserve };
  return { window, reserve, ...usual, ...definedOf(chosen, names) };
}

/** The fields of these names that are there. */
function definedOf<T, Name extends keyof T>(
  fields: T,
  names: readonly Name[],
): OnlyDefined<T, Name> {
  const defined: Partial<T> = {};
  for (const name of names) if (fields[name] !== undefined) defined[name] = fields[name];
  return defined as OnlyDefined<T, Name>;
}

type OnlyDefined<T, Name extends keyof T> = {
  readonly [N in Name]?: Exclude<T[N], undefined>;
};

/** Whether the model stays the same. */
function keepsModel({ model }: OptionsGiven, before: Options | null): boolean {
  return before !== null && (model === undefined || model === before.model);
}

/** The words of the truncation protocol. */
export const protocolWords = {
  announce: 'I may have lost some context. Let me recover...',
  confirm: 'Does this match where we left off?',
  recap: 'Could you give me a quick recap of where we left off?',
} as const;
