import { expect, test } from 'vitest';
import { headOf, itemOut, type OutMessage } from '../../../src/core/assembly/assembly.ts';
import { hasUnreported, uncoveredEntries } from '../../../src/core/assembly/coverage.ts';
import { droppedEntries } from '../../../src/core/assembly/dropped-entries.ts';
import { breadcrumbsOf, checkpointAt } from '../../../src/core/assembly/in-view.ts';
import { entryId } from '../../../src/core/values/id.ts';
import { play } from '../../notation/state.ts';

/** What is sent of a played session, without these entries. */
function sent(line: string, without: readonly string[] = []): readonly OutMessage[] {
  const { state, bodies } = play(line, { system: 'Be careful.' });
  const { items } = state.views.get(state.active)!;
  const all = [...headOf(state, bodies), ...items.map((item) => itemOut(item, bodies))];
  return all.filter(({ entry }) => !without.includes(entry ?? ''));
}

test.each([
  ['u5 a9 u6 a9', [], []],
  ['u5 a9 u6 a9', ['e2', 'e4'], [2, 4]],
  ['u5 a9 u6 a9', ['e1', 'e2', 'e3', 'e4'], [1, 2, 3, 4]],
  ['u5 a9 u6 a9 u7 a9 checkpoint:7 epoch a9 a9', ['e5', 'e7'], [7]],
  ['u5 a9 a9 checkpoint:7 a9 a9 checkpoint:7 epoch a9', ['e1', 'e6'], [6]],
  ['u5 a9 push:x a9 a3 epoch', ['e1', 'e2', 'e3'], [3]],
  ['u5 a9 push:x a9 a3 pop a9 epoch', ['e2', 'e5'], [2, 5]],
  ['u5 a9 push:x a9 a3 block a9 epoch', ['e5'], [5]],
  ['u5 a9 u6 a3 offloaded:e1 epoch', ['e4'], [4]],
] as const)('of “%s” without %j, nothing leads to %j', (line, without, uncovered) => {
  expect(uncoveredEntries(play(line).state, sent(line, without))).toEqual(uncovered);
});

test('what lies on a branch that was left needs no other place', () => {
  const { state } = play('u5 a9 a9 a9');
  const range = { from: entryId(2), to: entryId(3), entries: 2 };
  const left = [{ id: 1, cause: 'undo', ...range, runs: [[2, 3]] }] as const;
  const timeline = { ...state.timeline, left };
  expect(uncoveredEntries({ ...state, timeline }, [])).toEqual([1, 4]);
});

test('an entry is reported once', () => {
  const reported = [{ from: entryId(2), to: entryId(4) }];
  expect(hasUnreported([2, 3, 4], reported)).toBe(false);
  expect(hasUnreported([2, 5], reported)).toBe(true);
  expect(hasUnreported([1], reported)).toBe(true);
  expect(hasUnreported([], reported)).toBe(false);
  expect(hasUnreported([1], [])).toBe(true);
});

test.each([
  [82, 1, 0, ''],
  [81, 1, 0, 'e1–e1'],
  [62, 1, 0, 'e1–e1'],
  [61, 1, 0, 'e1–e2'],
  [0, 1, 0, 'e1–e3'],
  [164, 2, 0, ''],
  [163, 2, 0, 'e1–e1'],
  [92, 1, 10, ''],
  [91, 1, 10, 'e1–e1'],
])(
  'of 80 tokens and a prompt of 2 a server that counted %d, %d for one, with %d beside, dropped %s',
  (...row) => {
    const [reported, ratio, overhead, dropped] = row;
    const spans = droppedEntries(sent('u20 a20 u20 a20'), { ratio, overhead }, reported);
    expect(spans.map(({ from, to }) => `${from}–${to}`).join()).toBe(dropped);
  },
);

test('breadcrumbs lead to what people said out of view, in its order', () => {
  const line = 'u5 a9 u6 a3 offloaded:e1 push:x u5 a7 u5 a2 offloaded:e5,e7 push:y u4 a3';
  const { state, bodies } = play(line);
  expect(
    breadcrumbsOf(state, bodies).map(({ type, reference, hint, entries }) =>
      [type, reference, hint, entries].join(' | '),
    ),
  ).toEqual([
    'action | e1 | 1 message of people, out of view | e1',
    'decision | e1 | never e1 | e1',
    'action | e5–e7 | 2 messages of people, out of view | e5,e7',
    'decision | e5 | never e5 | e5',
    'decision | e7 | never e7 | e7',
  ]);
  const none = play('u5 a9 u6 a3 checkpoint:4');
  expect(breadcrumbsOf(none.state, none.bodies)).toEqual([]);
});

test('a checkpoint is found with its frame, whichever frame that is', () => {
  const { state } = play('u5 a9 checkpoint:4 push:x u5 a7 checkpoint:3');
  expect(checkpointAt(state, 'c1')).toMatchObject({ frame: 'f0', checkpoint: { id: 'c1' } });
  expect(checkpointAt(state, 'c2')).toMatchObject({ frame: 'f1', checkpoint: { id: 'c2' } });
  expect(() => checkpointAt(state, 'c9')).toThrow('There is no checkpoint "c9" in an open frame');
  try {
    checkpointAt(state, 'c9');
  } catch (error) {
    expect(error).toMatchObject({ code: 'CHECKPOINT_NOT_FOUND', detail: { checkpoint: 'c9' } });
  }
});
