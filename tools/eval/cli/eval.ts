import { basename } from 'node:path';
import {
  evaluate,
  totalsOf,
  type Evaluation,
  type EvaluationOptions,
  type Total,
} from '../index.ts';
import type { CommandCall } from '../../../src/cli/call/call.ts';
import { evalDocument } from './html/eval-document.ts';
import type { Trial } from './options.ts';
import { evalHeadline } from './print/headline.ts';
import { pageLines } from './print/page.ts';
import { exits, toFailure } from '../../../src/cli/call/exit.ts';
import { cleanLine } from '../../../src/cli/paper/clean.ts';
import { number, percent } from '../../../src/cli/paper/size.ts';
import { statusLine, type StatusLine } from '../../../src/cli/call/status-line.ts';
import { reportFailure } from '../../../src/cli/call/report.ts';
import { noteMore, writePage, type Looks } from './looks.ts';

/** Measures what a window keeps of session files, each once, in memory; a bad file does not stop the rest. Gives the exit code. */
export async function evalFiles(
  files: readonly string[],
  trial: Trial & Looks,
  call: CommandCall,
): Promise<number> {
  const { signal } = call.io;
  const { budgets, methods, frames, all, html } = trial;
  const status = statusLine(call);
  const evaluations: Evaluation[] = [];
  for (const file of files) {
    const evaluation = await evaluateOne(file, { ...trial, signal }, { call, status });
    status.clear();
    if (signal.aborted) return signal.reason as number;
    if (evaluation !== null) evaluations.push(evaluation);
  }
  const results = evaluations.flatMap((evaluation) => evaluation.results);
  const totals = totalsOf(results);
  const subjects = evaluations.map(({ subject }) => subject);
  const kinds = methods.map(({ name, about }) => ({ name, about }));
  if (call.json)
    call.emit('flamestack.eval/1', {
      budgets,
      flat: !frames,
      methods: kinds,
      subjects,
      totals,
      results: results.map(({ course: _course, ...result }) => result),
    });
  if (evaluations.length > 0) {
    const report = { evaluations, totals, methods, frames };
    const paper = call.paper();
    if (!call.json) call.print(...(all ? pageLines : evalHeadline)(report, paper));
    noteMore('every measure, what was lost, what the words mean', trial, call);
    if (html !== undefined) await writePage(html, evalDocument(report, paper), call);
  }
  if (evaluations.length < files.length) return exits.failed;
  return totals.every(isSound) ? exits.done : exits.check;
}

/** Whether what keeps a log kept it whole, and made contexts that any server takes. */
function isSound({ tally }: Total): boolean {
  const faults = Object.values(tally.faults).reduce((sum, times) => sum + times, 0);
  return tally.brokenLogs === null || faults + tally.brokenLogs === 0;
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
