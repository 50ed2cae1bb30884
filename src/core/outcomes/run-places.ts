import type { ToolCall } from '../messages/message.ts';
import { shellText } from '../commands/shell-commands.ts';
import { simpleCommands } from '../commands/shell-words.ts';
import { testRunIn, type TestRun } from './test-runs.ts';

// Where tests are run. Some hosts begin each call in the same folder, others where the last call went to, and
// a log does not say which. So a place is both, and two are the same where they are so either way.

/** A run of tests, with the folder that it is run in: where each call begins anew, and where a shell stays. */
export interface PlacedRun extends TestRun {
  readonly place: string;
}

/** Whether two places may be the same folder, however calls begin. */
export function isSamePlace(one: string, other: string): boolean {
  const others = other.split('\n');
  return one.split('\n').some((folder, way) => folder === others[way]);
}

/** Commands beside a run of tests that do not fail for it. */
const beside =
  /^(?:cd|echo|printf|tail|head|e?grep|rg|cat|tee|sleep|true|set|export|exit|ls|pwd|pushd|popd)$/;

/** What a script has that runs tests or goes to another folder; a test is cheaper than to read its commands. */
const mayTell = /\b(?:cd|pushd|popd|tests?|vitest|jest|mocha|ava|pytest|rspec|phpunit|nextest|t)\b/;

/** The runs of tests of a call; `isAlone` where it runs nothing else that may fail. */
export interface CallRuns {
  readonly runs: readonly PlacedRun[];
  readonly isAlone: boolean;
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
    let isAlone = true;
    const script = shellText(call);
    for (const { words } of mayTell.test(script) ? simpleCommands(script) : []) {
      const [program = '', folder = ''] = words;
      if (/^(?:cd|pushd|popd)$/.test(program)) {
        const isKnown = program === 'cd' && folder !== '' && !/^-|[$`~]/.test(folder);
        const to = isKnown ? folder : `/?${(unknown += 1)}`;
        [anew, after] = [joined(anew, to), joined(after, to)];
        continue;
      }
      const run = testRunIn(words);
      if (run !== null) runs.push({ ...run, place: `${anew}\n${after}` });
      else if (!beside.test(program)) isAlone = false;
    }
    if (typeof own !== 'string') stays = after;
    return { runs, isAlone };
  };
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
