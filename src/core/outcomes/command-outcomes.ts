import { textOf, type ToolCall } from '../messages/message.ts';
import { checksIn, everyday, isCheck } from '../commands/checks.ts';
import { printedCommands, type PrintedCommand } from '../commands/printed-commands.ts';
import { folderOf, runFinder } from '../commands/run-places.ts';
import { commandsIn, shellText } from '../commands/shell-commands.ts';
import { simpleCommands, withoutRedirections } from '../commands/shell-words.ts';
import { clip, oneLine, withinScanLimit } from '../text/sentences.ts';
import { saysFailed } from './check-results.ts';
import { isGoingOn, type Exchange } from './exchanges.ts';
import { reasonIn } from './failure-reason.ts';
import { hasFailed, hasWorked, isOfNoWork } from './failures.ts';

/** A command with what came out of it. */
export interface CommandOutcome {
  readonly n: number;
  readonly command: string;
  readonly result: string;
  /** The folder that its call went to; '' for none that is known. */
  readonly place: string;
  /** What a script that worked printed of what it runs. */
  readonly printed?: readonly PrintedCommand[];
}

/** Programs that everybody knows how to use, and those of scripts that were written for one run. */
const familiar = new RegExp(
  `^(?:${everyday}|do|done|then|fi|echo|printf|cd|pwd|wc|sort|uniq|xargs|tee|tr|cut|jq|which|test|true|export|source|set|timeout|python3?|node|tsx|deno|bun|ruby|perl|php|\\[)$`,
);

/** What stands before the program that a command runs. */
const runner =
  /^(?:npx|bunx|uvx|uv|poetry|pipenv|pnpm|yarn|bundle|run|exec|dlx|sudo|env|time|nohup|-.*|\w+=.*)$/;

/** What stands behind the first word of a test in a script: `(( rc != 1 ))`. */
const compares = /^(?:[=!<>]=?|=~|-(?:eq|ne|lt|le|gt|ge))$/;

/** Longest text of a call that is searched for what it uses, in UTF-16 units. */
const mostUsed = 2_000;

/** How a call uses programs of which the work has a way of its own, each with what changes from one use to the next as `…`: `gh api repos/acme/shop/pulls/…/comments`. */
function usedIn(call: ToolCall): readonly string[] {
  return simpleCommands(shellText(call).slice(0, mostUsed)).flatMap((command) => {
    const words = withoutRedirections(command.words);
    const program = words.find((word) => !runner.test(word)) ?? '';
    if (words.length < 3 || familiar.test(program) || compares.test(words[1]!)) return [];
    const used = words.map(withoutWords).join(' ');
    return isCheck(used) ? [] : [used];
  });
}

/** A word of a command without what was said in it, and without numbers of what it is about. */
const withoutWords = (word: string): string =>
  /\s/.test(word) || word.length > 80
    ? `${/^[\w.-]{1,30}=/.exec(word)?.[0] ?? ''}…`
    : word.replace(/(?<!\w)(?:\d{4,}|(?=[a-f]*\d)[0-9a-f]{7,40})(?!\w)/g, '…');

/** Longest command and longest result that are told, in UTF-16 units. */
const longest = { command: 80, used: 120, result: 110 } as const;

/** The commands among calls that check or build something, or use a program in a way of their own, with what came out. */
export function commandOutcomes(exchanges: readonly Exchange[]): readonly CommandOutcome[] {
  const findRuns = runFinder();
  return exchanges.flatMap((exchange) => {
    const place = folderOf(findRuns(exchange.call));
    const { to: n, call: ownCall, work: call = ownCall, result } = exchange;
    if (result === undefined || isGoingOn(exchange) || isOfNoWork(result, '')) return [];
    const used = hasWorked(result) ? usedIn(call) : [];
    const output = withinScanLimit(textOf(result.content));
    const failed = hasFailed(result) || saysFailed(call, result);
    const checks = reportedChecks(call, failed);
    const ran = checks.filter((command) => tests.test(command));
    return [
      ...checks
        .filter((command) => command.length <= longest.command)
        .map((command) => {
          const isCounted = checks.length === 1 || (ran.length === 1 && ran[0] === command);
          const result = failed ? failure(output) : isCounted ? success(output) : 'worked';
          const printed = failed || checks.length > 1 ? [] : printedCommands(output);
          return { n, command, result, place, ...(printed.length > 0 && { printed }) };
        }),
      ...used
        .filter((command) => command.length <= longest.used)
        .map((command) => ({ n, command, result: 'worked', place })),
    ];
  });
}

/**
 * The checks of a call that its result tells of: of commands that go on whatever came of the ones before, the one that runs
 * tests, else the last, as which the call ended; of others all, as one where any of them may have failed.
 */
function reportedChecks(call: ToolCall, failed: boolean): readonly string[] {
  const checks = checksIn(call);
  if (!/[;\n]/.test(shellText(call).trim()))
    return failed && checks.length > 1 ? [checks.join(' && ')] : checks;
  const ran = checks.filter((command) => tests.test(command));
  if (ran.length === 1) return ran;
  const last = commandsIn(call).at(-1);
  return checks.filter((command) => command === last).slice(-1);
}

const tally =
  /^.*\b\d+ (?:[a-z]+ )?(?:tests?|pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|warnings?|problems?|examples?|specs?|doctests?|assertions)\b.*$/gim;

/** A command that runs tests: of several that one call runs, how much was checked is said by the one that does. */
const tests = /\b(?:tests?|spec|pytest|vitest|jest|mocha|rspec|phpunit|bats|e2e)\b/;

/** What a failed command says: how much failed, or why. */
function failure(output: string): string {
  const counted = [...output.matchAll(tally)].findLast(([line]) =>
    /\b[1-9]\d* [^\n]*(?:fail|err|prob)/i.test(line),
  );
  const why = counted === undefined ? reasonIn(output) : oneLine(counted[0]);
  return why === '' ? 'failed' : `failed: ${clip(why, longest.result)}`;
}

/** The first number of a line that counts. */
const countIn = (line: string): number => Number(/\d+/.exec(line)?.[0] ?? 0);

/** What a command that worked says of how much it checked. */
function success(output: string): string {
  const counts = Array.from(output.matchAll(tally), ([line]) => line);
  // A runner counts each of several parts; the largest is the one that was meant.
  const most = Math.max(...counts.map(countIn));
  const counted = counts.findLast((line) => countIn(line) === most);
  return counted === undefined ? 'worked' : clip(oneLine(counted), longest.result);
}
