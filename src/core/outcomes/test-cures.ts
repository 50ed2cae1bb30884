import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { shellText } from '../commands/shell-commands.ts';
import { simpleCommands } from '../commands/shell-words.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { saysPassed } from './check-results.ts';
import { isSamePlace, type CallRuns, type PlacedRun } from './run-places.ts';
import { covers, testRunIn, type TestRun } from './test-runs.ts';

// What cures a failure of tests beside the same call: a run that passed and runs all that failed, in the same
// folder, with the same runner; a script of the project runs what it prints before that, or what the form of its
// count tells.

/** A run of tests that failed, and how it did. */
export interface FailedRun {
  readonly run: PlacedRun;
  readonly result: ToolMessage;
}

/** The run of tests that a call failed for; null where it may have been something else. */
export const failedRun = ({ runs, isAlone }: CallRuns, result: ToolMessage): FailedRun | null =>
  isAlone && runs.length === 1 ? { run: runs[0]!, result } : null;

/** A call of tests that worked. */
interface PassedCall {
  readonly call: ToolCall;
  readonly runs: CallRuns;
  readonly result: ToolMessage;
}

/** Whether the runs of a call that worked cure one that failed. */
export function isCuredBy({ run: failed, result: before }: FailedRun, passed: PassedCall): boolean {
  const { runs, result } = passed;
  const here = runs.runs.filter(({ place }) => place === failed.place);
  if (here.length === 0 || !showsPassed(passed)) return false;
  const narrow = programsOf(failed, outputOf(before));
  const wide = here.flatMap((one) => programsOf(one, outputOf(result)));
  return wide.some((one) => narrow.some((other) => covers(one, other)));
}

/** Whether a call that worked is the one that failed, run again: in the folder where that was, and with nothing behind it that hides how it ended. */
export function isRunAgain({ run }: FailedRun, passed: PassedCall): boolean {
  const isHere = passed.runs.runs.some(({ place }) => isSamePlace(place, run.place));
  return isHere && (!withoutQuotedPipes(passed.call).includes('|') || showsPassed(passed));
}

const showsPassed = ({ call, result }: PassedCall): boolean =>
  saysPassed(result) && isShown(call, result);

const outputOf = ({ content }: ToolMessage): string => withinScanLimit(textOf(content));

/** The script of a call, in which what is quoted has no pipe. */
const withoutQuotedPipes = (call: ToolCall): string =>
  shellText(call).replace(/"[^"]*"|'[^']*'/g, (quoted) => quoted.replaceAll('|', '/'));

/** Whether what a call printed shows a failure, whatever stands behind its pipes: how many files failed to load stands in a line of its own. */
function isShown(call: ToolCall, result: ToolMessage): boolean {
  const filters = [
    ...withoutQuotedPipes(call).matchAll(/(?<!\|)\|&?(?!\|)\s{0,8}(\w+)([^|;&\n]*)/g),
  ];
  const isWhole = filters.every(
    ([, program = '', rest = '']) =>
      /^(?:tail|tee|cat)$/.test(program) || (/^(?:e?grep|rg)$/.test(program) && /fail/i.test(rest)),
  );
  const output = outputOf(result);
  return (
    isWhole &&
    (!/^[ \t]{0,8}Tests:?\s/m.test(output) || /^[ \t]{0,8}Test (?:Files|Suites):?\s/m.test(output))
  );
}

/** A run, and what the script runs that it is. */
function programsOf(run: TestRun, output: string): readonly TestRun[] {
  if (!run.runner.startsWith('script ')) return [run];
  const printed = [
    ...output.matchAll(/^[ \t]{0,4}(?:>|\$) (?!\S{1,100}@\S{1,60} \S)(\S[^\n]{0,400})$/gm),
  ];
  const programs = printed.flatMap(([, command = '']) =>
    simpleCommands(command).flatMap(({ words }) => {
      const program = testRunIn(words);
      return program === null ? [] : { ...program, options: [...run.options, ...program.options] };
    }),
  );
  if (printed.length > 0) return [run, ...programs.filter(({ runner }) => runner !== run.runner)];
  const runner = signs.find(([, form]) => form.test(output))?.[0];
  return runner === undefined || run.runner !== 'script test' ? [run] : [run, { ...run, runner }];
}

/** By what line of its count a runner is known. */
const signs: readonly (readonly [runner: string, form: RegExp])[] = [
  ['vitest', /^[ \t]{0,8}Test Files {2}\d/m],
  ['jest', /^Test Suites: /m],
  ['mocha', /^[ \t]{0,8}\d{1,6} passing\b/m],
  ['node --test', /^(?:#|ℹ) pass \d/m],
];
