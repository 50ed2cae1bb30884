import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { shellText } from '../commands/shell-commands.ts';
import { simpleCommands } from '../commands/shell-words.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { saysClean, saysPassed } from './check-results.ts';
import { isBeside, isSamePlace, type CallRuns, type PlacedRun } from '../commands/run-places.ts';
import {
  isPrintedInPart,
  isStrict,
  printedCommands,
  printedScripts,
} from '../commands/printed-commands.ts';
import { checkRunIn, commandRun, covers, type CheckRun } from '../commands/check-runs.ts';

// What cures the failure of a check beside the same call: a run that passed and checks all that failed, in the same
// folder, with the same program; a script of the project runs what it prints before that, or what the form of its
// count tells, and where it failed all of that has to pass. Of a call that ran several checks all have to pass, in whichever calls.

/** The checks that a call failed for, and how it did. */
export interface FailedRun {
  /** Those that are not known to have passed since. */
  readonly runs: readonly PlacedRun[];
  readonly result: ToolMessage;
}

/** The checks that a call failed for; null for a call that checks nothing. */
export const failedRun = ({ runs }: CallRuns, result: ToolMessage): FailedRun | null =>
  runs.length > 0 ? { runs, result } : null;

/** A call that worked. */
export interface PassedCall {
  readonly call: ToolCall;
  readonly runs: CallRuns;
  readonly result: ToolMessage;
}

/** What is left of a failure after a call that worked; null where that cures it. */
export function leftAfter(failed: FailedRun, passed: PassedCall): FailedRun | null {
  const { runs, result } = passed;
  const before = outputOf(failed.result);
  const printed = outputOf(result);
  const isCovered = (one: PlacedRun): boolean => {
    const wide = runs.runs
      .filter((run) => run.place === one.place && hasPassed(run, passed))
      .flatMap((run) => programsOf(run, printed));
    if (wide.length === 0) return false;
    const isPassed = (narrow: CheckRun): boolean => wide.some((run) => covers(run, narrow));
    if (isPassed(one)) return true;
    const parts = partsOf(one, before);
    return parts.length > 0 && parts.every(isPassed);
  };
  const left = failed.runs.filter((one) => !isCovered(one));
  if (left.length === failed.runs.length) return failed;
  return left.length === 0 ? null : { ...failed, runs: left };
}

/** Whether a run of a call that worked has passed: a count of tests says so, or how the call ended, or what the one checker of the call prints. */
const hasPassed = (run: PlacedRun, passed: PassedCall): boolean =>
  run.isTest
    ? showsPassed(passed)
    : run.isSure || (run.isCheck && passed.runs.runs.length === 1 && showsClean(passed));

/** Whether a call that worked is the one that failed, run again: in the folder where that was, and with nothing behind it that hides how it ended. */
export function isRunAgain({ runs }: FailedRun, passed: PassedCall): boolean {
  const isHere = runs.some((run) =>
    passed.runs.runs.some(({ place }) => isSamePlace(place, run.place)),
  );
  if (!isHere) return false;
  if (!runs.some(({ isTest }) => isTest)) return isUncounted(passed.call) || showsClean(passed);
  return !withoutQuotedPipes(passed.call).includes('|') || showsPassed(passed);
}

const showsPassed = ({ call, result }: PassedCall): boolean =>
  saysPassed(result) && isShown(call, result);

const showsClean = ({ call, result }: PassedCall): boolean =>
  saysClean(result) && isShown(call, result);

const outputOf = ({ content }: ToolMessage): string => withinScanLimit(textOf(content));

/** The script of a call, in which what is quoted has no pipe. */
const withoutQuotedPipes = (call: ToolCall): string =>
  shellText(call).replace(/"[^"]*"|'[^']*'/g, (quoted) => quoted.replaceAll('|', '/'));

/** The programs behind the pipes of a call, and what they are given. */
const filtersOf = (call: ToolCall): readonly RegExpMatchArray[] => [
  ...withoutQuotedPipes(call).matchAll(/(?<!\|)\|&?(?!\|)\s{0,8}(\w+)([^|;&\n]*)/g),
];

/** Whether nothing behind the pipes of a call only counts what is there, or takes a part of each line. */
const isUncounted = (call: ToolCall): boolean =>
  filtersOf(call).every(
    ([, program = '', rest = '']) =>
      !/^(?:wc|awk|cut|jq)$/.test(program) &&
      !(/^(?:e?grep|rg)$/.test(program) && /\s(?:-\w*[cq]\w*|--count|--quiet)\b/.test(rest)),
  );

/** Whether what a call printed shows a failure, whatever stands behind its pipes: how many files failed to load stands in a line of its own. */
function isShown(call: ToolCall, result: ToolMessage): boolean {
  const output = outputOf(result);
  const isWhole = filtersOf(call).every(
    ([, program = '', rest = '']) =>
      /^(?:tail|tee|cat)$/.test(program) ||
      (program === 'head' && output.split('\n').length < mostShown(rest)) ||
      (/^(?:e?grep|rg)$/.test(program) && /fail/i.test(rest)),
  );
  return (
    isWhole &&
    (!/^[ \t]{0,8}Tests:?\s/m.test(output) || /^[ \t]{0,8}Test (?:Files|Suites):?\s/m.test(output))
  );
}

/** Most lines that `head` shows. */
const mostShown = (options: string): number => Number(/-n?\s?(\d{1,6})/.exec(options)?.[1] ?? 10);

/** A run that passed, and what the script has run that it is: commands and scripts that it printed, but none whose failure it may have passed over. */
function programsOf(run: CheckRun, output: string): readonly CheckRun[] {
  if (!run.runner.startsWith('script ')) return [run];
  const commands = commandsIn(output);
  const needed = commands.filter(isStrict);
  const programs = [...needed, ...printedScripts(output).map((name) => `npm run ${name}`)].flatMap(
    (command) => simpleCommands(command).flatMap(({ words }) => checkRunIn(words) ?? []),
  );
  if (commands.length === 0) return [run, ...countedBy(run, output)];
  return [run, ...programs.filter(({ runner }) => runner !== run.runner).map(optionsOf(run))];
}

/** All that has to pass where a script failed that does not pass itself: which of it failed is not known. None where not all of it was printed. */
function partsOf(run: CheckRun, output: string): readonly CheckRun[] {
  if (!run.runner.startsWith('script ')) return [];
  const commands = commandsIn(output);
  if (isPrintedInPart(output)) return [];
  if (commands.length === 0) return countsFailed.test(output) ? countedBy(run, output) : [];
  const scripts = new Set(printedScripts(output).map((name) => `script ${name}`));
  return commands.flatMap((command) =>
    simpleCommands(command)
      .filter(({ words }) => !isBeside(words.join(' ')))
      .map(({ words }) => checkRunIn(words) ?? commandRun(words))
      .filter(({ runner }) => !scripts.has(runner))
      .map(optionsOf(run)),
  );
}

const commandsIn = (output: string): readonly string[] =>
  printedCommands(output).map(({ command }) => command);

const optionsOf =
  ({ options }: CheckRun) =>
  (program: CheckRun): CheckRun => ({ ...program, options: [...options, ...program.options] });

/** The runner of a script for tests, as the form of its count tells. */
function countedBy(run: CheckRun, output: string): readonly CheckRun[] {
  const runner = signs.find(([, form]) => form.test(output))?.[0];
  return runner === undefined || run.runner !== 'script test' ? [] : [{ ...run, runner }];
}

/** How the runners that are known so count what failed. */
const countsFailed =
  /^[ \t]{0,8}(?:Test (?:Files|Suites):?[^\n]{0,80}\b[1-9]\d{0,5} failed|[1-9]\d{0,5} failing|(?:#|ℹ) fail [1-9])/m;

/** By what line of its count a runner is known. */
const signs: readonly (readonly [runner: string, form: RegExp])[] = [
  ['vitest', /^[ \t]{0,8}Test Files {2}\d/m],
  ['jest', /^Test Suites: /m],
  ['mocha', /^[ \t]{0,8}\d{1,6} passing\b/m],
  ['node --test', /^(?:#|ℹ) pass \d/m],
];
