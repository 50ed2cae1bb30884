import { entryId, ordinal } from '../values/id.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';
import type { LeavingEntry, ToolCall } from '../messages/message.ts';
import type { Line } from '../lines/line.ts';
import { saysFailed } from './check-results.ts';
import { cureStep, type FilesOf } from './cure-step.ts';
import { exchangesIn, type Exchange } from './exchanges.ts';
import { failureIn, failuresIn, describeFailure, hasWorked, type Failure } from './failures.ts';
import { bareCommand } from './call-label.ts';

// What failed may be cured after its entries left the window. A line of its own says that it works now; it takes
// in the line of the failure with the first epoch in which both stand in the chronicle: see `settledLines`.

/** A failure that stands in the chronicle, and that nothing there says was cured. */
export interface OpenFailure {
  readonly n: number;
  readonly what: string;
  readonly why: string;
  /** Files that were changed since, in entries that left the window, too. */
  readonly changed?: readonly string[];
}

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
  const open = new Map<string, OpenFailure>();
  const outcomes = mapInParts(lines, part, ({ text }) => outcomeIn(text));
  for (const [index, { n, to }] of lines.entries()) {
    const { cured, failed } = outcomes[index]!;
    for (const what of cured) open.delete(bareCommand(what));
    if (failed === null) continue;
    const what = bareCommand(failed.what);
    open.set(what, { n: failed.isCounted ? to : n, what, why: failed.why });
  }
  return [...open.values()];
}

/** What a line says that works, by name, and what it says that failed and does not work. */
function outcomeIn(text: string): {
  readonly cured: readonly string[];
  readonly failed: { what: string; why: string; isCounted: boolean } | null;
} {
  const failure = failureIn(text);
  if (failure !== null) {
    const { what, why, cured } = failure;
    if (cured !== '') return { cured: [what], failed: null };
    return { cured: [], failed: why === '' ? null : { what, why, isCounted: true } };
  }
  if (working.test(text) && !notYet.test(text))
    return { cured: [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!), failed: null };
  const [, what] = modelFailure.exec(text) ?? [];
  return { cured: [], failed: what === undefined ? null : { what, why: '', isCounted: false } };
}

/**
 * What failed before these exchanges and works in them, unless it failed in them first: that is told
 * by itself. `nameOf` names a call as lines do, `filesOf` finds what it changes.
 */
export function curesIn(
  exchanges: readonly Exchange[],
  failed: readonly OpenFailure[],
  { nameOf, filesOf }: { readonly nameOf: (call: ToolCall) => string; readonly filesOf: FilesOf },
): readonly Failure[] {
  const open = new Map(failed.map((one) => [one.what, one]));
  const ended = exchanges.toSorted((a, b) => a.to - b.to);
  return ended.flatMap(({ n: begun, to, call, work = call, result }) => {
    if (result === undefined) return [];
    const what = bareCommand(nameOf(call));
    const openFailure = open.get(what);
    if (openFailure === undefined) return [];
    open.delete(what);
    if (!hasWorked(result) || saysFailed(work, result)) return [];
    const { why, n, changed = [] } = openFailure;
    const step = cureStep(ended, { from: n, to: begun, why, changed, filesOf });
    const fields = { what, times: 1, since: entryId(n), why, cured: entryId(to), step };
    return [{ n: to, to, text: describeFailure(fields).text, value: 1 }];
  });
}

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
