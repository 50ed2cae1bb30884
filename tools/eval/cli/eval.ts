import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import {
  evaluate,
  totalsOf,
  type Evaluation,
  type EvaluationOptions,
  type Total,
} from '../index.ts';
import type { CommandCall } from '../../../src/cli/call.ts';
import { check, methodsOf, type Typed } from './methods.ts';
import { pageLines } from './page.ts';
import { probeFiles } from './probes.ts';
import { exits, toFailure } from '../../../src/cli/exit.ts';
import { cleanLine } from '../../../src/cli/render/clean.ts';
import { number, percent } from '../../../src/cli/render/size.ts';
import { statusLine, type StatusLine } from '../../../src/cli/render/status.ts';
import { reportFailure } from '../../../src/cli/report.ts';

/** Options of `eval` alone. */
export interface EvalOptions {
  readonly budget?: readonly number[] | undefined;
  readonly method?: readonly string[] | undefined;
  readonly format?: string | undefined;
  /** Whether the frames of the files are left out. */
  readonly flat?: boolean | undefined;
  readonly trigger?: string | undefined;
  readonly preserveRecent?: string | undefined;
  readonly option?: Typed | undefined;
  readonly probes?: readonly string[] | undefined;
  /** A folder. */
  readonly context?: string | undefined;
}

/** Budgets unless told, in tokens. */
const usual: readonly number[] = [8_000, 16_000, 32_000];

/** Measures what a window keeps of session files, each once, in memory; a bad file does not stop the rest. Gives the exit code. */
export async function evalFiles(
  given: readonly string[],
  options: EvalOptions,
  call: CommandCall,
): Promise<number> {
  const { signal } = call.io;
  const { format, flat = false } = options;
  const files = [...new Set(given)];
  const budgets = [...new Set(options.budget ?? usual)];
  const methods = methodsOf(options.method, typedOf(options));
  const { probes, context } = options;
  if (probes === undefined && context !== undefined)
    throw new InvalidArgumentError('--context is for --probes');
  if (probes === undefined && files.length === 0)
    throw new InvalidArgumentError("missing required argument 'file'");
  await check(methods, budgets);
  if (probes !== undefined)
    return probeFiles(
      { probes, sessions: given, budgets, methods, frames: !flat, format, context },
      call,
    );
  const status = statusLine(call);
  const exam = {
    budgets,
    methods,
    frames: !flat,
    signal,
    ...(format === undefined ? {} : { format }),
  };
  const evaluations: Evaluation[] = [];
  for (const file of files) {
    const evaluation = await evaluateOne(file, exam, { call, status });
    status.clear();
    if (signal.aborted) return signal.reason as number;
    if (evaluation !== null) evaluations.push(evaluation);
  }
  const results = evaluations.flatMap((evaluation) => evaluation.results);
  const totals = totalsOf(results);
  const subjects = evaluations.map(({ subject }) => subject);
  const kinds = methods.map(({ name, about }) => ({ name, about }));
  if (call.json)
    call.emit('flamestack.eval/1', { budgets, flat, methods: kinds, subjects, totals, results });
  else if (evaluations.length > 0)
    call.print(...pageLines({ evaluations, totals, methods, frames: !flat }, call.paper()));
  if (evaluations.length < files.length) return exits.failed;
  return totals.every(isSound) ? exits.done : exits.check;
}

/** Whether what keeps a log kept it whole, and made contexts that any server takes. */
function isSound({ tally }: Total): boolean {
  const faults = Object.values(tally.faults).reduce((sum, times) => sum + times, 0);
  return tally.brokenLogs === null || faults + tally.brokenLogs === 0;
}

/** The options of the engine that were given, by their own names. */
function typedOf({ trigger, preserveRecent, option }: EvalOptions): Typed {
  return {
    ...(trigger === undefined ? {} : { trigger }),
    ...(preserveRecent === undefined ? {} : { preserveRecent }),
    ...option,
  };
}

/** One file; null where it could not be measured, which is told, or was not to be. */
async function evaluateOne(
  file: string,
  options: EvaluationOptions,
  { call, status }: { readonly call: CommandCall; readonly status: StatusLine },
): Promise<Evaluation | null> {
  const name = cleanLine(basename(file));
  try {
    return await evaluate(file, {
      ...options,
      onProgress: ({ run, done }) =>
        status.say(() => {
          const what = run === null ? 'reading' : `${number(run.budget)} ${run.method}`;
          return `${percent(done)}  ${what}  ${name}`;
        }),
    });
  } catch (error) {
    status.clear();
    if (!call.io.signal.aborted) reportFailure(toFailure(error), call);
    return null;
  }
}
