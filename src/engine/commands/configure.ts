import { anything, checkArgument, objectOf, text } from '../../core/values/validation.ts';
import {
  optionFields as resolvedFields,
  resolveOptions,
  type Options,
  type OptionsGiven,
} from '../../core/budget/options.ts';
import { toPatterns } from '../../core/commands/destructive.ts';
import { overhead } from '../../core/messages/token-count.ts';
import { fail } from '../../core/values/error.ts';
import type { Summarizer } from '../../llm/summarizer.ts';
import { decided } from '../live/decided.ts';
import { exactCounter } from '../live/counting.ts';
import type { CommandSession, SessionWriter } from '../live/session-access.ts';

/** What a session is opened or configured with; kept with it, and on reopening those given win. */
export interface SessionOptions {
  /** The model's token window, in tokens; a new session needs it. */
  readonly window?: number;
  /** Kept for the answer, in tokens; 15 % of the window unless told. */
  readonly reserve?: number;
  /** The system prompt; none unless told. */
  readonly system?: string;
  /** The model's name, for calibration only; opens no connection. */
  readonly model?: string;
  /** Who serves the model, for exports: `ollama`, `openai` …; none unless told, and none for another model. */
  readonly provider?: string;
  /** Parameters of the model, in billions, for its reliability; read from its name unless told. */
  readonly modelSize?: number;
  /** What an image or another file counts, in tokens; unless told, what Anthropic, OpenAI and Google publish for their models, and 1,000 for others. */
  readonly fileTokens?: number;
  /** Who writes summaries, or the name of one the store knows; `embedded` unless told. */
  readonly summarizer?: Summarizer | string;
  /** The vocabulary; `o200k_base` unless told, and never another than the session began with. */
  readonly tokenizer?: string;
  /** Share of what is available at which compression starts; 0.98 unless told; where a model writes summaries, as much as leaves 3,000 tokens free, and 0.8 at least. */
  readonly trigger?: number;
  /**
   * Newest entries that stay verbatim, in tokens. Unless told, 30 % of the limit, at most 7,000;
   * in all but the newest third of these, tool results give way to markers.
   */
  readonly preserveRecent?: number;
  /** Longest new checkpoint, in tokens; 1,200 or a tenth of the limit unless told. */
  readonly summaryTokens?: number;
  /** How far the ladder may go on its own; `ladder` unless told. */
  readonly strategy?: 'compress' | 'rollover' | 'ladder';
  /** Whether compression starts by itself; `auto` unless told. */
  readonly compression?: 'auto' | 'manual';
  /** Whether goal markers in assistant text count; true unless told. */
  readonly markers?: boolean;
  /** How checkpoints grow shorter with age: by dropping lines, or by a model that summarizes their entries again in the background; `lines` unless told. */
  readonly aging?: 'lines' | 'model';
  /**
   * Calls before which a checkpoint document is written: regular expressions over tool and arguments, without
   * regard to case; `null` for those of the engine (deleting, resetting, dropping tables), the default.
   */
  readonly destructive?: readonly (string | RegExp)[] | null;
  /** The same for calls that run long; `null` for those of the engine (installing, building, testing, sub-agents), the default. */
  readonly longRunning?: readonly (string | RegExp)[] | null;
  /** Whether snapshots are made before a compression and as the window fills; `auto` unless told. */
  readonly snapshots?: 'auto' | 'manual';
  /** Whether a recovery goes on by itself, or waits for `session.recovery.confirm`; `auto` unless told. */
  readonly recovery?: 'auto' | 'confirm';
  /** Title of the root frame of a new session. */
  readonly title?: string;
  /** The folder of the project, for lists of sessions. */
  readonly folder?: string;
  /** The branch that is checked out in it, for the same. */
  readonly branch?: string;
  /** The program whose session it is, for the same: `claude-code`, `codex` … */
  readonly agent?: string;
  /** Id of the session that it is a sub-agent of, for the same. */
  readonly parent?: string;
}

/** The schemas of {@link SessionOptions}; a summarizer is checked where the store takes it in. */
export const optionFields = { ...resolvedFields, summarizer: anything, title: text };

const sessionOptions = objectOf<SessionOptions>(optionFields);

/** Refuses options that there are not, and values that they do not take; throws `OPTION_INVALID`. */
export function checkOptions(options: SessionOptions): void {
  checkArgument('options', options, sessionOptions);
}

/** Changes the options of a session. */
export async function configure(session: CommandSession, changes: SessionOptions): Promise<void> {
  await decided(session, (writer) => createOrConfigure(writer, changes));
}

/** Creates a session, or changes the options of one that is there; `durable` is to be awaited outside of the queue. */
export async function createOrConfigure(
  writer: SessionWriter,
  changes: SessionOptions,
): Promise<{ readonly durable: Promise<void> }> {
  const before = writer.isNew ? null : writer.state.options;
  checkTokenizer(before, changes);
  const options = resolveOptions(plainOptions(changes), before);
  if (before !== null && isSame(before, options)) return { durable: writer.written };
  const { count } =
    before === null ? await writer.counter(options.tokenizer) : await exactCounter(writer);
  const system = options.system === '' ? 0 : overhead.message + count(options.system);
  if (before !== null) return writer.step({ type: 'configure', options, system });
  const title = changes.title ?? writer.id;
  return writer.step({ type: 'create', session: writer.id, options, system, title });
}

function checkTokenizer(before: Options | null, changes: SessionOptions): void {
  if (before === null || changes.tokenizer === undefined || changes.tokenizer === before.tokenizer)
    return;
  throw fail(
    'TOKENIZER_MISMATCH',
    `The session counts with ${before.tokenizer}, not with ${changes.tokenizer}`,
    { tokenizer: before.tokenizer, given: changes.tokenizer },
  );
}

function plainOptions(changes: SessionOptions): OptionsGiven {
  const { summarizer, title: _, destructive, longRunning, ...others } = changes;
  const rest = {
    ...others,
    ...(destructive === undefined ? {} : { destructive: toPatterns(destructive) }),
    ...(longRunning === undefined ? {} : { longRunning: toPatterns(longRunning) }),
  };
  if (summarizer === undefined) return rest;
  return { ...rest, summarizer: typeof summarizer === 'string' ? summarizer : summarizer.name };
}

/** Whether all options have the same values. */
function isSame(before: Options, after: Options): boolean {
  return (Object.keys(after) as (keyof Options)[]).every(
    (name) => JSON.stringify(before[name]) === JSON.stringify(after[name]),
  );
}
