import { textOf } from '../messages/message.ts';
import { commandsIn } from '../commands/shell-commands.ts';
import { clip, oneLine, withinScanLimit } from '../text/sentences.ts';
import type { Exchange } from './exchanges.ts';
import { reasonIn } from './failure-reason.ts';
import { hasFailed } from './failures.ts';

/** A command with what came out of it. */
export interface CommandOutcome {
  readonly n: number;
  readonly command: string;
  readonly result: string;
}

/** Commands that check, build or run the work. */
const checking =
  /(?:^|[\s:_./-])(?:tests?|check|lint|build|compile|types?|tsc|tsgo|vitest|jest|mocha|pytest|tox|mypy|ruff|flake8|eslint|oxlint|biome|prettier|clippy|rspec|rubocop|phpunit|dialyzer|credo|format|fmt|vet|bench|e2e|ci|verify|audit|migrate|start|serve|dev|make|gradlew?|mvn|cmake)(?=$|[\s:_.-])/;

/** Commands that look around, or change nothing but files. */
const aside =
  /^(?:ls|cat|head|tail|sed|awk|grep|rg|find|fd|git|gh|mkdir|cp|mv|rm|touch|chmod|bash|sh|kill|ps|for|while|if|sleep)\b|["'`\\]$/;

/** Longest command and longest result that are told, in UTF-16 units. */
const longest = { command: 80, result: 110 } as const;

/** The commands among calls that check or build something, with what came out. */
export function commandOutcomes(exchanges: readonly Exchange[]): readonly CommandOutcome[] {
  return exchanges.flatMap(({ to: n, call, result }) => {
    if (result === undefined) return [];
    const commands = commandsIn(call).filter((one) => checking.test(one) && !aside.test(one));
    const said = withinScanLimit(textOf(result.content));
    const failed = hasFailed(result) || saysFailed.test(said);
    const told = failed ? commands.slice(0, 1) : commands;
    return told
      .filter((command) => command.length <= longest.command)
      .map((command) => ({ n, command, result: failed ? failure(said) : success(said) }));
  });
}

/** What tools print that failed, where the pipe behind them did not: `npm run check | head`. */
const saysFailed =
  /^(?:npm (?:error|ERR!)|make(?:\[\d+\])?: \*{3}|error: (?:could not compile|aborting)|error: script "|[^\s(]{1,200}\(\d+,\d+\): error TS\d)/m;

const tally =
  /^.*\b\d+ (?:[a-z]+ )?(?:tests?|pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|warnings?|problems?|examples?|specs?|doctests?|assertions)\b.*$/gim;

/** What a failed command says: how much failed, or why. */
function failure(said: string): string {
  const counted = [...said.matchAll(tally)].findLast(([line]) =>
    /\b[1-9]\d* [^\n]*(?:fail|err|prob)/i.test(line),
  );
  const why = counted === undefined ? reasonIn(said) : oneLine(counted[0]);
  return why === '' ? 'failed' : `failed: ${clip(why, longest.result)}`;
}

/** What a command that worked says of how much it checked. */
function success(said: string): string {
  const counted = [...said.matchAll(tally)].at(-1);
  return counted === undefined ? 'worked' : clip(oneLine(counted[0]), longest.result);
}
