import { isInterruption } from '../messages/machine-text.ts';
import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { refusalIn } from '../messages/refusal.ts';
import { isEdit } from '../commands/edit-calls.ts';
import { shellText } from '../commands/shell-commands.ts';
import { simpleCommands } from '../commands/shell-words.ts';
import { entryId } from '../values/id.ts';
import { readOnce } from '../values/read-once.ts';
import { saysFailed } from './check-results.ts';
import { cureStep, type FilesOf } from './cure-step.ts';
import { isGoingOn, type Exchange } from './exchanges.ts';
import { isFailedLookup } from './failed-lookups.ts';
import { reasonIn } from './failure-reason.ts';
import { bothOf, describeFailure } from './failure-text.ts';
import { printedIn } from './printed.ts';
import { folderOf, runFinder } from '../commands/run-places.ts';
import { failedRun, isRunAgain, leftAfter, type FailedRun } from './test-cures.ts';
import { callLabel, keyOf } from './call-label.ts';

// What failed, and what cured it: a result that failed with the line of it that
// tells why, and the next result of the same call that did not.

/** What a failure is worth whose reason another call has before it. */
const againShare = 0.5;

/** A call that failed, perhaps several times, until it worked. */
export interface Failure {
  readonly n: number;
  /** Position of the last time it failed. */
  readonly to: number;
  readonly text: string;
  /** How much it tells: what worked at the second attempt tells little. */
  readonly value: number;
}

/** A call that has failed, and may work later. */
interface OpenFailure {
  readonly n: number;
  readonly what: string;
  to: number;
  times: number;
  /** Why it failed first, and why at last. */
  readonly first: string;
  why: string;
  /** Position of the result that worked; 0 before one does. */
  cured: number;
  /** What was done before it worked. */
  step: string;
  /** The folder that its call went to, '' for none. */
  readonly place: string;
  /** The checks that it ran when it failed last; null for none. */
  run: FailedRun | null;
}

/** The failures among exchanges, oldest first; of one call's in a row the first tells, the others are counted; `filesOf` finds what a call changes. */
export function failuresIn(exchanges: readonly Exchange[], filesOf: FilesOf): readonly Failure[] {
  const open = new Map<string, OpenFailure>();
  const failures: OpenFailure[] = [];
  // Results of calls made at once may come in another order.
  const ended = exchanges.toSorted((a, b) => a.to - b.to);
  const findRuns = runFinder();
  const runs = new Map(exchanges.map(({ call }) => [call, findRuns(call)]));
  for (const exchange of ended) {
    const { n: begun, to, call: ownCall, work: call = ownCall, result } = exchange;
    if (result === undefined) continue;
    if (isGoingOn(exchange) && !saysFailed(call, result)) continue;
    const key = `${call.name} ${keyOf(call)}`;
    const openFailure = open.get(key);
    const ran = runs.get(call) ?? findRuns(call);
    if (!hasFailed(result) && !saysFailed(call, result)) {
      if (!hasWorked(result)) continue;
      const passed = { call, result, runs: ran };
      for (const [which, one] of open) {
        const isSame = one === openFailure && (one.run === null || isRunAgain(one.run, passed));
        if (!isSame && (one.run === null || one.to >= begun)) continue;
        const left = isSame ? null : leftAfter(one.run!, passed);
        one.run = left ?? one.run;
        if (left !== null) continue;
        one.cured = to;
        one.step = cureStep(ended, { from: one.to, to: begun, why: one.why, filesOf });
        open.delete(which);
      }
      continue;
    }
    if (wasNotRun(result) || isShownText(call, result)) continue;
    if (waitsFor.test(shellText(call)) && !fails.test(textOf(result.content))) continue;
    const why = reasonIn(textOf(result.content));
    if (isEdit(call) && isMismatch.test(textOf(result.content).slice(0, longestSlip))) continue;
    // It says nothing of the command before the pipe, which failed for a reason of its own before.
    if (openFailure !== undefined && isMisuse.test(why)) continue;
    if (isFailedLookup(call, why, textOf(result.content))) continue;
    if (openFailure === undefined) {
      const failure = {
        n: to,
        to,
        times: 1,
        first: why,
        why,
        what: callLabel(call),
        place: folderOf(ran),
        cured: 0,
        step: '',
        run: failedRun(ran, result),
      };
      open.set(key, failure);
      failures.push(failure);
    } else {
      openFailure.times += 1;
      openFailure.to = to;
      openFailure.run = failedRun(ran, result);
      if (why !== '') openFailure.why = why;
    }
  }
  const seenReasons = new Set<string>();
  return failures.map(({ n, to, cured, first, why, ...one }) => {
    const cure = cured === 0 ? '' : entryId(cured);
    const { text, value } = describeFailure({
      ...one,
      why: bothOf(first, why),
      since: '',
      cured: cure,
    });
    const share = why.includes(' ') && seenReasons.has(why) ? againShare : 1;
    seenReasons.add(why);
    return { n, to, text, value: value * share };
  });
}

/** What a host answers in place of a call that it did not make, or broke off, as a person asked or because another failed beside it; that what was to end has ended; and that a call had not the arguments of its tool. */
const notRun =
  /^(?:Skipped due to queued user message\b|Command aborted|(?:<tool_use_error>)?(?:Cancelled: parallel tool call|Sibling tool call errored|Task \S{1,40} is not running|InputValidationError)\b)/;

/** Whether a person or the host refused a call, or broke it off. */
const wasNotRun = (result: ToolMessage): boolean => {
  const output = textOf(result.content);
  return refusalIn(result) !== null || isInterruption(output) || notRun.test(output);
};

/** A command that ends with another status than 0 as long as what it asks for goes on. */
const waitsFor = /\bgh (?:pr checks|run (?:view|watch))\b/;
const fails = /\bfail/i;

/** Whether a result that nobody says failed shows what a file holds, be it of errors. */
function isShownText(call: ToolCall, result: ToolMessage): boolean {
  const { exit, text } = printedIn(textOf(result.content));
  if (result.isError === true || (exit !== null && exit > 0) || text.startsWith('fatal:'))
    return false;
  const commands = simpleCommands(shellText(call));
  return (
    commands.length > 0 && commands.every(({ words }) => shows.test(words.slice(0, 2).join(' ')))
  );
}

const shows = /^(?:(?:cat|head|tail|sed|nl|bat)\b|git (?:show|diff|log|blame)$)/;

/** A program that was given an option which it does not have. */
const isMisuse = /^\S{1,40}: (?:invalid|illegal|unrecognized) option\b/;

/** An edit that did not find its place, which says nothing of the work. */
const isMismatch =
  /(?:not|n['’]t) (?:find|found|match)|failed to find|must match exactly|not been read|modified since|not unique|found \d+ matches|no changes/i;

/** Where an editor says that an edit did not find its place, in UTF-16 units; behind that it may show the text. */
const longestSlip = 400;

/** Whether a result that failed says nothing of the work: a person or the host refused the call, or an edit did not find its place. */
export const isOfNoWork = (result: ToolMessage, why: string): boolean =>
  wasNotRun(result) || isMismatch.test(why);

/** How an output begins that says of itself that it failed; programs that name themselves before what went wrong, and PowerShell. */
const start =
  /^(?:Script failed\n|apply_patch verification failed|collab \w{1,20} failed:|<tool_use_error>|Error\b|error(?:\[|:| TS)|fatal:|FAIL(?:ED)?\b|npm ERR!|Traceback |panic:|\S+: command not found|\S{1,40}: (?:invalid|illegal|unrecognized) option\b|Command failed|Command exited with code [1-9]|\*\* \(|(?:gh|curl|ssh|scp|docker|kubectl|bash|sh|zsh): (?!using\b|warning\b)\S|[\w.$:-]{1,60} : [^\n]{8,200}\n(?:[^\n]{0,200}\n){0,2}At (?:line|[A-Z]:))/;

/** How an output ends that failed, where the pipe behind the command did not: `git push | tail`. */
const end = /\n(?:fatal|error): [^\n]{1,400}\s*$/;

/** Whether a result says that its call failed. */
export const hasFailed: (result: ToolMessage) => boolean = readOnce((result: ToolMessage) => {
  if (result.isError === true) return true;
  const { exit, text } = printedIn(textOf(result.content));
  if (exit !== null && exit > 0) return true;
  return (exit === null && start.test(text)) || end.test(text.slice(-600));
});

/** Whether a result says nothing of trouble: what stands behind a pipe ends well although the command did not. */
export const hasWorked = (result: ToolMessage): boolean =>
  !hasFailed(result) && !trouble.test(textOf(result.content).slice(0, mostSearched));

/** UTF-16 units of a result that are searched for trouble. */
const mostSearched = 20_000;
const trouble = /^(?:error|fatal|panic)(?:\[\w+\])?:(?:\s|$)/im;

/** Whether a call was carried out, as far as the log tells: it did not fail, and was not broken off before its result. */
export const wasDone = ({ call, result }: Pick<Exchange, 'call' | 'result'>): boolean =>
  result === undefined ? call.id === undefined : !hasFailed(result);
