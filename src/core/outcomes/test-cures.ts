import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { shellText } from '../commands/shell-commands.ts';
import { simpleCommands } from '../commands/shell-words.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { readOnce } from '../values/read-once.ts';
import { saysPassed } from './check-results.ts';
import type { CallRuns, PlacedRun } from './run-places.ts';
import { covers, testRunIn, type TestRun } from './test-runs.ts';

// What cures a failure of tests beside the same call: a run that passed and runs all that failed, or one that
// names each test that failed as passed. Both in the same folder, with the same runner; a script of the
// project runs what it prints before that, or what the form of its count tells.

/** A run of tests that failed, and how it did. */
export interface FailedRun {
  readonly run: PlacedRun;
  readonly result: ToolMessage;
}

/** The run of tests that a call failed for; null where it may have been something else. */
export const failedRun = ({ runs, isAlone }: CallRuns, result: ToolMessage): FailedRun | null =>
  isAlone && runs.length === 1 ? { run: runs[0]!, result } : null;

/** Whether the runs of a call that worked cure one that failed. */
export function isCuredBy(
  { run: failed, result: before }: FailedRun,
  passed: { readonly call: ToolCall; readonly runs: CallRuns; readonly result: ToolMessage },
): boolean {
  const { call, runs, result } = passed;
  const here = runs.runs.filter(({ place }) => place === failed.place);
  if (here.length === 0 || !saysPassed(result) || !isShown(call, result)) return false;
  const narrow = programsOf(failed, outputOf(before));
  const wide = here.flatMap((one) => programsOf(one, outputOf(result)));
  if (wide.some((one) => narrow.some((other) => covers(one, other)))) return true;
  const isLike = (one: TestRun): boolean =>
    narrow.some((other) => covers({ ...one, files: [] }, { ...other, files: ['any'] }));
  const missed = namesFailed(before);
  return (
    wide.some(isLike) && missed.length > 0 && missed.every((name) => namesPassed(result).has(name))
  );
}

const outputOf = ({ content }: ToolMessage): string => withinScanLimit(textOf(content));

/** Whether what a call printed shows a failure, whatever stands behind its pipes: how many files failed to load stands in a line of its own. */
function isShown(call: ToolCall, result: ToolMessage): boolean {
  const script = shellText(call).replace(/"[^"]*"|'[^']*'/g, (quoted) =>
    quoted.replaceAll('|', '/'),
  );
  const filters = [...script.matchAll(/(?<!\|)\|&?(?!\|)\s{0,8}(\w+)([^|;&\n]*)/g)];
  const isWhole = filters.every(
    ([, program = '', rest = '']) =>
      /^(?:tail|tee|cat)$/.test(program) || (/^(?:e?grep|rg)$/.test(program) && /fail/i.test(rest)),
  );
  const said = outputOf(result);
  return (
    isWhole &&
    (!/^[ \t]{0,8}Tests:?\s/m.test(said) || /^[ \t]{0,8}Test (?:Files|Suites):?\s/m.test(said))
  );
}

/** A run, and what the script runs that it is. */
function programsOf(run: TestRun, said: string): readonly TestRun[] {
  if (!run.runner.startsWith('script ')) return [run];
  const printed = [
    ...said.matchAll(/^[ \t]{0,4}(?:>|\$) (?!\S{1,100}@\S{1,60} \S)(\S[^\n]{0,400})$/gm),
  ];
  const programs = printed.flatMap(([, command = '']) =>
    simpleCommands(command).flatMap(({ words }) => testRunIn(words) ?? []),
  );
  if (printed.length > 0) return [run, ...programs.filter(({ runner }) => runner !== run.runner)];
  const runner = signs.find(([, form]) => form.test(said))?.[0];
  return runner === undefined || run.runner !== 'script test' ? [run] : [run, { ...run, runner }];
}

/** By what line of its count a runner is known. */
const signs: readonly (readonly [runner: string, form: RegExp])[] = [
  ['vitest', /^[ \t]{0,8}Test Files {2}\d/m],
  ['jest', /^Test Suites: /m],
  ['mocha', /^[ \t]{0,8}\d{1,6} passing\b/m],
  ['node --test', /^(?:#|ℹ) pass \d/m],
];

/** How runners name what failed and what passed, and the line that counts them. */
const forms: readonly Readonly<Record<'failed' | 'passed' | 'counts', RegExp>>[] = [
  {
    failed: /^[ \t]{0,4}FAIL {1,4}(?:[\w|-]{1,40} {1,4})?(\S{1,300}\.(?:test|spec)\.\w{1,4})\b/gm,
    passed:
      /^[ \t]{0,4}✓ {1,4}(?:[\w|-]{1,40} {1,4})?(\S{1,300}\.(?:test|spec)\.\w{1,4}) \(\d{1,6} tests?\)/gm,
    counts: /^[ \t]{0,8}Test Files {2}[^\n]{1,200}/gm,
  },
  {
    failed: /^FAIL {1,4}(\S{1,300}\.(?:test|spec)\.\w{1,4})\b/gm,
    passed: /^PASS {1,4}(\S{1,300}\.(?:test|spec)\.\w{1,4})\b/gm,
    counts: /^Test Suites: [^\n]{1,200}/gm,
  },
  {
    failed: /^(?:FAILED|ERROR) (\S{1,200}::\S{1,200})/gm,
    passed: /^(\S{1,200}::\S{1,200}) PASSED\b/gm,
    counts: /^(?:=+ )?\d{1,6} (?:failed|passed|errors?)\b[^\n]{0,200} in [\d.]{1,10}s/gm,
  },
  {
    failed: /^test (\S{1,300}) \.\.\. FAILED$/gm,
    passed: /^test (\S{1,300}) \.\.\. ok$/gm,
    counts: /^test result: [^\n]{1,200}/gm,
  },
];

const namesIn = (said: string, form: RegExp): readonly string[] =>
  Array.from(said.matchAll(form), ([, name = '']) => name);

/** The tests, or files of them, that an output names as failed; none where it counts others. */
const namesFailed = readOnce((result: ToolMessage): readonly string[] => {
  const said = outputOf(result);
  for (const { failed, counts } of forms) {
    const names = new Set(namesIn(said, failed));
    const told = Array.from(said.matchAll(counts), ([line]) => line).join('\n');
    const all = namesIn(told, /(\d{1,6}) (?:failed|errors?)\b/g).reduce(
      (sum, one) => sum + Number(one),
      0,
    );
    if (names.size > 0 && names.size === all) return [...names];
  }
  return [];
});

/** The tests, or files of them, that an output names as passed. */
const namesPassed = readOnce(
  (result: ToolMessage): ReadonlySet<string> =>
    new Set(forms.flatMap(({ passed }) => namesIn(outputOf(result), passed))),
);
