import type { ToolCall } from '../messages/message.ts';
import { isCheck } from './checks.ts';
import { lookups } from './lookups.ts';
import { shellText } from './shell-commands.ts';
import { simpleCommands, type ShellCommand } from './shell-words.ts';
import { checkRunIn, commandRun, type CheckRun } from './check-runs.ts';

// Where checks are run. Some hosts begin each call in the same folder, others where the last call went to, and
// a log does not say which. So a place is both, and two are the same where they are so either way.

/** A run of a check, or of what a call does beside it. */
export interface PlacedRun extends CheckRun {
  /** The folder that it is run in: where each call begins anew, and where a shell stays. */
  readonly place: string;
  readonly text: string;
  /** Whether it passed where its call ended well: nothing stands behind it but `&&`. */
  readonly isSure: boolean;
}

/** Whether two places may be the same folder, however calls begin. */
export function isSamePlace(one: string, other: string): boolean {
  const others = other.split('\n');
  return one.split('\n').some((folder, way) => folder === others[way]);
}

/** Commands beside a check that do not fail for what it checks: they look around, or write what it reads in its form. */
const beside = new RegExp(
  `^(?:(?:${lookups}|tee|sleep|true|set|export|exit|head|tail)\\b|git (?:status|diff|log|show|add)\\b|(?:gofmt|rustfmt|(?:cargo|go|mix|deno|ruff|terraform) (?:fmt|format)|(?:npm|pnpm|yarn|bun|mise|make|just|task|npx prettier|prettier)(?: (?:run|exec))?(?: -\\S{1,20})? (?:fmt|format|--write))\\b)`,
);
const onlyChecks = /\s--?(?:check\S{0,20}|l|d)(?:\s|$)/;

/** Whether a command beside checks does not fail for what they check. */
export const isBeside = (command: string): boolean =>
  beside.test(command) && !onlyChecks.test(command);

/** What a script has that goes to another folder. */
const goes = /\b(?:cd|pushd|popd)\b/;

/** The checks of a call, with what else it runs that may fail; none of a call that checks nothing. */
export interface CallRuns {
  readonly runs: readonly PlacedRun[];
}

/** The folder that a call which checks something goes to by itself; '' for none that is known. */
export function folderOf({ runs }: CallRuns): string {
  const [folder = ''] = runs[0]?.place.split('\n') ?? [];
  return folder.includes('?') || /[\s:;`]/.test(folder) ? '' : folder;
}

/** Finds the runs of calls, which are given in their order. */
export function runFinder(): (call: ToolCall) => CallRuns {
  let stays = '';
  let unknown = 0;
  return (call) => {
    const { arguments: args } = call;
    const own = typeof args === 'string' ? undefined : (args['workdir'] ?? args['cwd']);
    let [anew, after] = typeof own === 'string' ? [own, own] : ['', stays];
    const runs: PlacedRun[] = [];
    const script = shellText(call).trim();
    const commands = isCheck(script) || goes.test(script) ? simpleCommands(script) : [];
    for (const [index, { words }] of commands.entries()) {
      const [program = '', folder = ''] = words;
      if (/^(?:cd|pushd|popd)$/.test(program)) {
        const isPath = program === 'cd' && folder !== '' && !/^-|[$`~]/.test(folder);
        const to = isPath ? folder : `/?${(unknown += 1)}`;
        [anew, after] = [joined(anew, to), joined(after, to)];
        continue;
      }
      const run = checkRunIn(words) ?? commandRun(words);
      const text = words.join(' ');
      runs.push({ ...run, text, place: `${anew}\n${after}`, isSure: isSure(commands, index) });
    }
    if (typeof own !== 'string') stays = after;
    const main = runs.filter(({ text }) => !isBeside(text));
    return { runs: main.some(isKnown) ? main : runs.some(isKnown) ? runs : [] };
  };
}

const isKnown = ({ isCheck }: PlacedRun): boolean => isCheck;

/** Whether a command has passed where its script ended well: it ran whatever came before, and what comes behind it needs it. */
function isSure(commands: readonly ShellCommand[], index: number): boolean {
  const endOf = ({ end = '' }: ShellCommand): string => end.trimEnd();
  const rest = commands.slice(index).map(endOf);
  return (
    !commands.slice(0, index).some((one) => /^\|\||\(/.test(endOf(one))) &&
    /^(?:&&)?$/.test(rest[0]!) &&
    rest.every((end) => /^(?:&&|\|&?)?$/.test(end))
  );
}

/** A folder as seen from another; one that this ends with is the same, for nobody goes to `app` of `app`. */
function joined(from: string, to: string): string {
  if (from === to || from.endsWith(`/${to}`)) return from;
  const whole = to.startsWith('/') || from === '' ? to : `${from}/${to}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..' && (parts.at(-1) ?? '..') !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${whole.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
