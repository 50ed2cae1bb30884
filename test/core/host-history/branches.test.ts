import { expect, test } from 'vitest';
import {
  branchesAfter,
  branchesIn,
  isOnOtherBranch,
  ownBranchesIn,
} from '../../../src/core/host-history/branches.ts';
import type { State } from '../../../src/core/state/state.ts';
import {
  freshTimeline,
  leftWith,
  type AbandonedBranch,
  type RewindCause,
} from '../../../src/core/state/timeline.ts';

/** `fork 7: 3 4` is a branch that record 7 left, with entries e3 and e4. */
function branch(words: string): readonly AbandonedBranch[] {
  const [, cause, id, all] = /^(\w+) (\d+): (.+)$/.exec(words)!;
  return leftWith(all!.split(' ').map(Number), { id: Number(id), cause: cause as RewindCause });
}

const shown = (left: readonly AbandonedBranch[]): readonly string[] =>
  left.map(({ cause, id, runs, after }) => {
    const ends = runs.map(([from, to]) => `${from}–${to}`).join(' ');
    return `${cause} ${id}: ${ends}${after === undefined ? '' : ` after ${after}`}`;
  });

const state = (entryCount: number, ...left: string[]): State =>
  ({ entryCount, timeline: { ...freshTimeline, left: left.flatMap(branch) } }) as unknown as State;

test('a host and a snapshot leave branches of their own, a step that is taken back does not', () => {
  const all = state(9, 'fork 3: 1', 'undo 4: 2', 'restore 5: 3', 'redo 6: 4');
  expect(shown(branchesIn(all))).toEqual(['fork 3: 1–1']);
  expect(shown(ownBranchesIn(all))).toEqual(['fork 3: 1–1', 'restore 5: 3–3']);
});

test.each<readonly [string, State, State, string | null, readonly number[]]>([
  ['nothing was left', state(9), state(3), null, []],
  ['a host forks at e5 and keeps e7', state(9), state(4), 'e5 e7', [5, 6, 8, 9]],
  ['a snapshot left e5', state(9, 'restore 5: 5'), state(3), null, [5]],
  ['a step that is taken back left e5', state(9, 'undo 5: 5'), state(3), null, []],
  ['back before the fork that left e5–e6', state(9, 'fork 7: 5 6'), state(4), null, [5, 6]],
  // The branch of e5 and e6 is taken again: what came after it is on another one.
  ['back onto the branch of e5–e6', state(9, 'fork 7: 5 6'), state(5), null, [7, 8, 9]],
  [
    'back onto it, where e8 was left, too',
    state(9, 'fork 7: 5 6', 'fork 8: 8'),
    state(6),
    null,
    [7, 8, 9],
  ],
  ['back after the fork', state(9, 'fork 7: 5 6'), state(7, 'fork 7: 5 6'), null, [5, 6]],
])('%s', (...[, present, old, fork, off]) => {
  const [at, ...keep] = (fork ?? '').split(' ') as `e${number}`[];
  const point = { old, fork: fork === null ? undefined : { from: 1, at: at!, keep } };
  const isOff = isOnOtherBranch(present, point as Parameters<typeof isOnOtherBranch>[1]);
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].filter(isOff)).toEqual(off);
});

test.each<readonly [string, State, number, RewindCause, readonly number[], readonly string[]]>([
  ['a host leaves e5–e6', state(6), 4, 'fork', [5, 6], ['fork 20: 5–6 after e4']],
  ['a host leaves all', state(2), 0, 'fork', [1, 2], ['fork 20: 1–2 after null']],
  ['a snapshot leaves e5–e6', state(6), 4, 'restore', [5, 6], ['restore 20: 5–6']],
  ['nothing is left', state(6), 4, 'restore', [], []],
  [
    'the entry before a fork is on the active branch',
    state(6, 'fork 7: 3 4'),
    4,
    'fork',
    [5, 6],
    ['fork 20: 5–6 after e2'],
  ],
  [
    'what was left stays left',
    state(8, 'fork 7: 5 6'),
    4,
    'restore',
    [5, 6, 7],
    ['fork 7: 5–6', 'restore 20: 7–7'],
  ],
  [
    'what is there again is not left',
    state(8, 'fork 7: 5 6'),
    4,
    'fork',
    [6, 8],
    ['fork 7: 6–6', 'fork 20: 8–8 after e7'],
  ],
  [
    'the branch that is taken again gives its place to what came after it',
    state(8, 'fork 7: 5 6'),
    5,
    'undo',
    [7, 8],
    ['fork 20: 7–8 after e4'],
  ],
])('%s', (...[, present, entries, cause, off, left]) => {
  const point = { old: state(entries), fork: undefined };
  expect(shown(branchesAfter(present, point, { off, id: 20, cause }))).toEqual(left);
});
