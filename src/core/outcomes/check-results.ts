import { allChecksIn } from '../commands/checks.ts';
import { shellText } from '../commands/shell-commands.ts';
import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { readOnce } from '../values/read-once.ts';
import { isSureCause } from './failure-reason.ts';
import { printedIn } from './printed.ts';

// A check that failed may end well for its host: a pipe or another command stands behind it
// (`npm test | tail`), or the host says nothing of how it ended. What it printed tells: a count
// of what failed, or a cause as compilers print it. Of any other command a text proves nothing.

/** Words of which the lines consist in which tools count what they checked. */
const counting = new Set(
  (
    'test tests run runs skips file files suite suites result ok passed passing pass passes failed failing failure failures fail ' +
    'error errors warning warnings problem problems skipped todo pending ignored xfailed xpassed deselected ' +
    'total example examples spec specs doctest doctests property properties assertion assertions issue issues and in of ' +
    'found finished generated fixed remaining checked source snapshots flaky measured filtered out s ms seconds ℹ'
  ).split(' '),
);

/** How much failed: `2 failed`, `fail 2`, and behind a word with a sign, where that counts so: `Tests: 3, Failures: 1`. */
const failing =
  /\b[1-9]\d{0,6} (?:tests? )?(?:fail(?:ed|ing|ures?)?|errors?)\b|^\W{0,2}fail [1-9]/i;
const labelled = /\b(?:fail(?:ed|ures?)?|errors?)[:=] {0,8}\d/i;
const labelledFailing = /\b(?:fail(?:ed|ures?)?|errors?)[:=] {0,8}[1-9]/i;
const passing =
  /\b[1-9]\d{0,6} (?:(?:tests? )?pass(?:ed|ing)?\b|(?:tests?|examples?|specs?|runs),.{0,100}\b0 failures\b)/i;
/** Errors that a tool has mended. */
const mended = /\b0 remaining\b/;

/** What other tools print when they fail. */
const refusing =
  /^(?:npm (?:error|ERR!)|make(?:\[\d{1,4}\])?: \*{3}|error: script "|FAIL(?:ED|URE)?(?:$|[\s:(])|BUILD FAILED|(?:\[[\w:.-]{1,40}\] )?ERROR task failed|(?:error|fatal|panic)(?:\[\w{1,20}\])?:(?: |$))/;

/** Longest line of an output that is read, in UTF-16 units, and most of them. */
const most = { line: 300, lines: 4_000 } as const;

/** Whether a call is a check whose output says that it failed, however it ended. */
export function saysFailed(call: ToolCall, result: ToolMessage): boolean {
  if (allChecksIn(call).length === 0) return false;
  const { exit, hasFailed } = outputOf(result);
  return hasFailed && (exit !== 0 || /[|;\n]/.test(shellText(call).trim()));
}

/** Whether an output says that tests passed, and of nothing that it failed. */
export function saysPassed(result: ToolMessage): boolean {
  const { hasFailed, hasPassed, hasRefused } = outputOf(result);
  return hasPassed && !hasFailed && !hasRefused;
}

/** Whether an output says that there is nothing wrong, or that tests passed, and of nothing that it failed. */
export function saysClean(result: ToolMessage): boolean {
  const { hasFailed, hasPassed, hasRefused, isClean } = outputOf(result);
  return (hasPassed || isClean) && !hasFailed && !hasRefused;
}

/** What an output says of itself: with which status it ended, and whether a check that printed it failed. */
const outputOf = readOnce((result: ToolMessage) => {
  const { exit, text } = printedIn(textOf(result.content));
  const lines = withinScanLimit(text)
    .split(/[\r\n]+/, most.lines)
    .map((line) => line.trim())
    .filter((line) => line.length > 0 && line.length <= most.line);
  const tallies = lines.filter(isTally);
  const isCounted = tallies.some((line) => passing.test(line));
  const hasRefused = lines.some((line) => refusing.test(line) || isSureCause(line));
  const hasFailed = tallies.some(countsFailures) || (!isCounted && hasRefused);
  const hasPassed = isCounted || lines.some((line) => passes.test(line));
  const isClean = lines.some((line) => clean.test(line));
  return { exit, hasFailed, hasPassed, hasRefused, isClean };
});

/** How checkers say that they found nothing. */
const clean =
  /^(?:\[[\w:.-]{1,60}\] )?(?:Success: )?(?:(?:Found )?0 (?:issues|errors|problems|warnings)|no (?:issues|errors|problems|offenses)|all checks passed|all matched files use|found no issues)\b/i;

/** How Go, Node, PHPUnit, Python and Java say that tests passed: `ok  	example.com/shop	0.2s`, `# pass 3`. */
const passes =
  /^ok\s+\S+\s+(?:[\d.]+s\b|\(cached\))|^\W{0,2}pass [1-9]|^OK(?:$| \([1-9])|^(?:\[INFO\] )?BUILD SUCCESS/;

/** Whether a line only counts. */
function isTally(line: string): boolean {
  if (!/\d/.test(line) || !/fail|error|pass/i.test(line)) return false;
  const words = line.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return words.every((word) => /^\d+(?:m?s)?$/.test(word) || counting.has(word));
}

function countsFailures(line: string): boolean {
  if (mended.test(line)) return false;
  return (labelled.test(line) ? labelledFailing : failing).test(line);
}
