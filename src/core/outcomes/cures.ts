import { entryId, ordinal } from '../values/id.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';
import type { LeavingEntry, ToolCall } from '../messages/message.ts';
import type { Line } from '../lines/line.ts';
import { saysFailed } from './check-results.ts';
import { cureStep, type FilesOf } from './cure-step.ts';
import { exchangesIn, type Exchange } from './exchanges.ts';
import { failuresIn, hasWorked, type Failure } from './failures.ts';
import { describeFailure, failureIn } from './failure-text.ts';
import { bareCommand } from './call-label.ts';
import { isSamePlace, runFinder, type CallRuns } from '../commands/run-places.ts';
import { failedRun, isRunAgain, leftAfter, type FailedRun, type PassedCall } from './test-cures.ts';

// What failed may be cured after its entries left the window. A line of its own says that it works now; it takes
// in the line of the failure with the first epoch in which both stand in the chronicle: see `settledLines`.

/** A failure that stands in the chronicle, and that nothing there says was cured. */
export interface OpenFailure {
  readonly n: number;
  readonly what: string;
  readonly why: string;
  /** The folder that its call went to; '' for none. */
  readonly place: string;
  /** Files that were changed since, in entries that left the window, too. */
  readonly changed?: readonly string[];
  /** Whether its line stands nowhere in the prompt: then it misleads nobody. */
  readonly isHidden?: boolean;
}

/** What a late cure is worth, of a failure that is told as open, and of one that is not. */
const values = { told: 1, hidden: 0.4 } as const;

/** A failure as a model tells it, with what failed in code marks. */
const modelFailure = /^(?:\*\*)?failed(?:\*\*)?: ?`([^`]+)`/i;

/** Words for something that works, and for one that does not yet. */
const working = /\b(?:pass(?:es|ed)?|works?|worked|cured|fixed|clean|green)\b/i;
const notYet = /\bnot (?:yet )?(?:cured|fixed|mended|working|passing)\b/i;

/** The failures that lines leave open, the newest of each call. */
export function openFailures(
  lines: readonly Pick<Line, 'n' | 'to' | 'text'>[],
  part: Part = atOnce,
): readonly OpenFailure[] {
  const open = new Set<OpenFailure>();
  const outcomes = mapInParts(lines, part, ({ text }) => outcomeIn(text));
  for (const [index, { n, to }] of lines.entries()) {
    const { cured, failed } = outcomes[index]!;
    const told = cured.map(({ what, place }) => ({ what: bareCommand(what), place }));
    const isTold = (one: OpenFailure): boolean =>
      told.some(({ what, place }) => what === one.what && (place ?? one.place) === one.place);
    for (const one of [...open].filter(isTold)) open.delete(one);
    if (failed === null) continue;
    const { isCounted, why, place } = failed;
    const what = bareCommand(failed.what);
    const isBefore = (one: OpenFailure): boolean => one.what === what && one.place === place;
    for (const one of [...open].filter(isBefore)) open.delete(one);
    open.add({ n: isCounted ? to : n, what, why, place });
  }
  return [...open];
}

/** What a line says that works, by name, and what it says that failed and does not work. */
function outcomeIn(text: string): {
  readonly cured: readonly { readonly what: string; readonly place: string | null }[];
  readonly failed: { what: string; why: string; place: string; isCounted: boolean } | null;
} {
  const failure = failureIn(text);
  if (failure !== null) {
    const { what, why, place, cured } = failure;
    if (cured !== '') return { cured: [{ what, place }], failed: null };
    return { cured: [], failed: why === '' ? null : { what, why, place, isCounted: true } };
  }
  if (working.test(text) && !notYet.test(text))
    return {
      cured: [...text.matchAll(/`([^`]+)`/g)].map(([, what]) => ({ what: what!, place: null })),
      failed: null,
    };
  const [, what] = modelFailure.exec(text) ?? [];
  return {
    cured: [],
    failed: what === undefined ? null : { what, why: '', place: '', isCounted: false },
  };
}

/**
 * What failed before these exchanges and works in them, by the same command or by a wider check, unless it failed in
 * them first: that is told by itself. `nameOf` names a call as lines do, `folderOf` a folder, `filesOf` finds what a
 * call changes.
 */
export function curesIn(
  exchanges: readonly Exchange[],
  failed: readonly OpenFailure[],
  given: {
    readonly nameOf: (call: ToolCall) => string;
    readonly folderOf: (folder: string) => string;
    readonly filesOf: FilesOf;
  },
): readonly Failure[] {
  const { nameOf, folderOf, filesOf } = given;
  const open = new Set(failed.map((one) => ({ ...one, run: runOf(one) })));
  const findRuns = runFinder();
  const runs = new Map(exchanges.map(({ call }) => [call, placedFrom(findRuns(call), folderOf)]));
  const ended = exchanges.toSorted((a, b) => a.to - b.to);
  return ended.flatMap(({ n: begun, to, call, work = call, result }) => {
    if (result === undefined || open.size === 0) return [];
    const ran = runs.get(work) ?? { runs: [] };
    const what = bareCommand(nameOf(call));
    const hasPassed = hasWorked(result) && !saysFailed(work, result);
    const passed = { call: work, runs: ran, result };
    const isSame = (one: OpenFailure): boolean => one.what === what && isSameFolder(ran, one.place);
    const isAgain = ({ run }: OpenRun): boolean =>
      ran.runs.length === 0 || isRunAgain(run ?? { runs: ran.runs, result }, passed);
    const same = [...open].filter((one) => isSame(one) && (!hasPassed || isAgain(one)));
    for (const one of same) open.delete(one);
    if (!hasPassed) return [];
    const covered = [...open].filter((one) => isLeftNothing(one, passed));
    for (const one of covered) open.delete(one);
    return [...same, ...covered].map((one) => {
      const { why, place, n, changed = [], isHidden = false } = one;
      const step = cureStep(ended, { from: n, to: begun, why, changed, filesOf });
      const fields = {
        what: one.what,
        times: 1,
        place,
        since: entryId(n),
        why,
        cured: entryId(to),
        step,
      };
      const value = isHidden ? values.hidden : values.told;
      return { n: to, to, text: describeFailure(fields).text, value };
    });
  });
}

interface OpenRun {
  /** The checks that failed and are not known to have passed since; null where the line does not name them all. */
  run: FailedRun | null;
}

/** Takes from what failed what a call that worked has passed; says whether nothing is left. */
function isLeftNothing(failure: OpenRun, passed: PassedCall): boolean {
  if (failure.run === null) return false;
  failure.run = leftAfter(failure.run, passed);
  return failure.run === null;
}

/** The checks of a failure as its line names them; null where that is cut, or a model's. */
function runOf({ what, why, place }: OpenFailure): FailedRun | null {
  if (why === '' || what.includes('…')) return null;
  const call = { name: 'bash', arguments: { command: what, cwd: place } };
  return failedRun(runFinder()(call), { role: 'tool', content: why });
}

/** Runs with their folders named as lines name them. */
const placedFrom = ({ runs }: CallRuns, folderOf: (folder: string) => string): CallRuns => ({
  runs: runs.map((run) => ({ ...run, place: run.place.split('\n').map(folderOf).join('\n') })),
});

/** Whether a call may have run in a folder, however calls begin; one that checks nothing may have anywhere. */
const isSameFolder = ({ runs }: CallRuns, folder: string): boolean =>
  runs.length === 0 || runs.some(({ place }) => isSamePlace(place, `${folder}\n${folder}`));

/** What failed last in entries of a frame above and worked in entries of one below: where it failed, and where it worked. */
export function curedBelow(
  above: readonly LeavingEntry[],
  below: readonly LeavingEntry[],
): ReadonlyMap<number, number> {
  const failures = (entries: readonly LeavingEntry[]): readonly Failure[] =>
    failuresIn(exchangesIn(entries), () => []);
  const open = failures(above).filter(({ text }) => failureIn(text)?.cured === '');
  if (open.length === 0) return new Map();
  const all = failures([...above, ...below].sort((a, b) => a.n - b.n));
  const cures = new Map(all.map(({ n, text }) => [n, failureIn(text)?.cured ?? '']));
  return new Map(
    open.flatMap(({ n, to }) => {
      const cured = cures.get(n) ?? '';
      return cured === '' ? [] : [[to, ordinal(cured)] as const];
    }),
  );
}

/** A failure that worked in an entry of a frame below; 0 for none. */
export function withCure<F extends Failure>(failure: F, cured: number): F {
  const fields = cured === 0 ? null : failureIn(failure.text);
  if (fields === null || fields.cured !== '') return failure;
  return { ...failure, ...describeFailure({ ...fields, cured: entryId(cured) }) };
}

/** The text of a failure, its folder named as lines name it. */
export function withFolder(text: string, folderOf: (folder: string) => string): string {
  const fields = failureIn(text);
  if (fields === null || fields.place === '') return text;
  return describeFailure({ ...fields, place: folderOf(fields.place) }).text;
}
