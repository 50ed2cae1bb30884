import { InvalidArgumentError } from 'commander';
import type { Section } from '../../../src/index.ts';
import type { MethodKind } from '../index.ts';
import { check, methodsOf, type Typed } from './methods.ts';

/** Options of the evaluation alone. */
export interface EvalOptions {
  readonly budget?: readonly number[] | undefined;
  readonly method?: readonly string[] | undefined;
  readonly format?: string | undefined;
  /** Whether the frames of the files are left out. */
  readonly flat?: boolean | undefined;
  readonly trigger?: string | undefined;
  readonly preserveRecent?: string | undefined;
  readonly option?: Typed | undefined;
  /** Whether every measure is printed, not the leading ones only. */
  readonly all?: boolean | undefined;
  /** The file of a page with charts. */
  readonly html?: string | undefined;
  readonly probes?: readonly string[] | undefined;
  /** A folder. */
  readonly context?: string | undefined;
  readonly sample?: number | undefined;
  readonly section?: Section | undefined;
  readonly seed?: number | undefined;
}

/** What each file goes through. */
export interface Trial {
  readonly budgets: readonly number[];
  readonly methods: readonly MethodKind[];
  /** Whether frames and goals of the files are played, too. */
  readonly frames: boolean;
  readonly format?: string;
}

/** Budgets unless told, in tokens. */
const usual: readonly number[] = [8_000, 16_000, 32_000];

/** The trial that was asked for; rejects where the options or a method of them are wrong. */
export async function trialOf(options: EvalOptions): Promise<Trial> {
  const { format, flat = false } = options;
  const isSample = options.sample !== undefined;
  const budgets = [...new Set(options.budget ?? (isSample ? [16_000] : usual))];
  const names = options.method ?? (isSample ? ['flamestack'] : undefined);
  const methods = methodsOf(names, typedOf(options));
  await check(methods, budgets);
  return { budgets, methods, frames: !flat, ...(format === undefined ? {} : { format }) };
}

/** Refuses options that do not go together, and files that are missing. */
export function checkTogether(files: readonly string[], options: EvalOptions): void {
  const { probes, context, sample, section, seed, all, html } = options;
  const refuse = (message: string): never => {
    throw new InvalidArgumentError(message);
  };
  if (context !== undefined && probes === undefined) refuse('--context is for --probes');
  if (sample !== undefined && probes !== undefined) refuse('--sample and --probes are two runs');
  if ((sample === undefined) !== (section === undefined))
    refuse('--sample and --section go together');
  if (sample !== undefined && (all === true || html !== undefined))
    refuse('--all and --html are not for --sample');
  if (seed !== undefined && sample === undefined) refuse('--seed is for --sample');
  if (files.length === 0 && probes === undefined) refuse("missing required argument 'file'");
  if (files.length > 0 && probes !== undefined && files.length !== probes.length)
    refuse(`There must be one session file for each of ${probes.length} probe files, or none`);
}

/** The options of the engine that were given, by their own names. */
function typedOf({ trigger, preserveRecent, option }: EvalOptions): Typed {
  return {
    ...(trigger === undefined ? {} : { trigger }),
    ...(preserveRecent === undefined ? {} : { preserveRecent }),
    ...option,
  };
}
