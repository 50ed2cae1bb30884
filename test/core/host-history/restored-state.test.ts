import { expect, test } from 'vitest';
import {
  factsForRewind,
  rewoundState,
  tokensSince,
} from '../../../src/core/host-history/restored-state.ts';
import type { Fact } from '../../../src/core/state/fact.ts';
import { lifecycles } from '../../../machines/lifecycle.ts';
import { newGoal } from '../../../src/core/frames/goal.ts';
import { at } from '../../../src/core/values/persistent-vector.ts';
import type { State } from '../../../src/core/state/state.ts';
import { play, words } from '../../notation/state.ts';

const fact = (type: string, more: object = {}): Fact => ({ type, ...more }) as Fact;

test('of a record those facts are read that outlive going back', () => {
  const kept = [
    'entry.appended',
    'entry.counted',
    'entry.redacted',
    'unit.closed',
    'goal.updated',
    'goal.set',
    'state.restored',
  ];
  const all = [...kept, 'frame.pushed', 'checkpoint.created', 'epoch.raised'].map((type) =>
    fact(type),
  );
  expect(factsForRewind(all).map(({ type }) => type)).toEqual(kept);
});

test('tokens since are summed by frame', () => {
  const appended = (frame: string, shown: number): Fact => fact('entry.appended', { frame, shown });
  const since = [appended('f0', 5), fact('goal.set'), appended('f1', 7), appended('f0', 9)];
  const { state } = play('');
  expect([...tokensSince({ state, since } as never)]).toEqual([
    ['f0', 14],
    ['f1', 7],
  ]);
});

/** An entry that came since, of a person unless it answers a call; with calls where it makes some. */
const entry = (n: number, more: Partial<Record<string, unknown>> = {}): Fact => {
  const role = 'call' in more ? 'tool' : 'calls' in more ? 'assistant' : 'user';
  const given = { form: 'whole', tokens: 3, shown: 3, exact: true, hash: `h${n}`, unit: n };
  const who = { frame: 'f0', role, human: role === 'user' };
  return fact('entry.appended', { entry: `e${n}`, ...given, ...who, ...more });
};
const closed = (...calls: readonly (readonly [id: string, n: number])[]): Fact =>
  fact('unit.closed', {
    frame: 'f0',
    calls: calls.map(([id, n]) => ({ id, n, name: 'read', tokens: 10 })),
  });

/** What going back to a state makes of what came since, of a session that went on as told. */
const back = (old: State, since: readonly Fact[], more: object = {}): State => {
  const given = { cause: 'undo' as const, at: 0, lifecycles, count: words, ...more };
  const present = { ...old, seq: 50, entries: 20 };
  return rewoundState(present, { state: old, since }, given);
};
const itemsOf = ({ views, active }: State): readonly string[] =>
  views.get(active)!.items.map(({ n, form }) => `${n} ${form}`);
const leftOf = ({ timeline }: State): readonly unknown[] => timeline.left.map(({ runs }) => runs);
const callsOf = ({ calls }: State): readonly string[] =>
  calls.map(({ id, n, closed: is }) => `${id} of ${n}${is ? ' closed' : ''}`);

test('what came since stands behind an old state as if it had been said there', () => {
  const { state } = play('u5 a5');
  const now = back(state, [entry(3), entry(4)]);
  expect(itemsOf(now)).toEqual(['1 whole', '2 whole', '3 whole', '4 whole']);
  expect(leftOf(now)).toEqual([]);
  expect(now.seq).toBe(50);
  expect(now.views.get(now.active)!.stuckAt).toBe(16);
});

test('a result stands where its call is open, else it is left', () => {
  const { state } = play('u5 call:read');
  const [{ id } = { id: '' }] = state.calls;
  const answered = back(state, [entry(3, { call: id, unit: 2 })]);
  expect(itemsOf(answered)).toEqual(['1 whole', '2 whole', '3 whole']);
  expect(callsOf(answered)).toEqual([]);
  for (const other of [
    { call: 'x', unit: 2 },
    { call: id, unit: 1 },
  ]) {
    const now = back(state, [entry(3, other)]);
    expect(itemsOf(now)).toEqual(['1 whole', '2 whole']);
    expect(leftOf(now)).toEqual([[[3, 3]]]);
  }
  const twice = back(state, [closed([id, 2]), entry(3, { call: id, unit: 2 })]);
  expect(leftOf(twice)).toEqual([[[3, 3]]]);
});

test('a call that is open there is closed by what answers it not', () => {
  const { state } = play('u5 call:read');
  const [{ id } = { id: '' }] = state.calls;
  const now = back(state, [entry(3)]);
  expect(itemsOf(now)).toEqual(['1 whole', '2 whole', '2 closing', '3 whole']);
  expect(callsOf(now)).toEqual([`${id} of 2 closed`]);
  const inFrame = play('u5 call:read push:a').state;
  expect(callsOf(back(inFrame, [entry(3, { frame: 'f1' })]))).toEqual([`${id} of 2`]);
  expect(itemsOf(back(play('u5').state, [entry(2)]))).toEqual(['1 whole', '2 whole']);
});

test('calls that were closed since are closed where they are open, each once', () => {
  const { state } = play('u5 call:read');
  const [{ id } = { id: '' }] = state.calls;
  expect(itemsOf(back(state, [closed([id, 2])]))).toEqual(['1 whole', '2 whole', '2 closing']);
  const both = back(state, [closed([id, 2], [id, 2])]);
  expect(itemsOf(both)).toEqual(['1 whole', '2 whole', '2 closing']);
  const others = back(state, [closed(['x', 2]), closed([id, 1])]);
  expect(itemsOf(others)).toEqual(['1 whole', '2 whole']);
  expect(callsOf(others)).toEqual([`${id} of 2`]);
  expect(itemsOf(back(state, [closed([id, 2], ['x', 2])]))).toHaveLength(3);
  expect(itemsOf(back(state, [closed([id, 2])], { leaves: true }))).toHaveLength(2);
});

test('an entry of a frame that was made since, or is closed there, is left', () => {
  const old = play('u5 push:a a3 pop').state;
  expect(leftOf(back(old, [entry(3, { frame: 'f1' })]))).toEqual([[[3, 3]]]);
  const before = play('u5');
  const present = { ...play('u5 push:a').state, seq: 50, entries: 20 };
  const past = { state: before.state, since: [entry(2, { frame: 'f1' }), entry(3)] };
  const now = rewoundState(present, past, { cause: 'undo', at: 0, lifecycles, count: words });
  expect(leftOf(now)).toEqual([[[2, 2]]]);
  expect(itemsOf(now)).toEqual(['1 whole', '3 whole']);
  expect(at(now.frames, 1)).toMatchObject({ status: 'invalidated', branch: 51, partial: null });
});

test('what is said of the goal since holds until another is set, or an entry of it is on another branch', () => {
  const old = { ...play('u5').state, goal: newGoal('Ship it') };
  const updated = fact('goal.updated', { goal: newGoal('Ship all of it') });
  const of = (since: readonly Fact[], more: object = {}) =>
    back(old, since, more).goal!.description;
  expect(of([updated])).toBe('Ship all of it');
  expect(of([fact('goal.set', { goal: newGoal('Other') }), updated])).toBe('Ship it');
  expect(of([entry(2), updated])).toBe('Ship all of it');
  expect(of([entry(2), updated], { leaves: true })).toBe('Ship it');
});

test('a snapshot that is restored leaves all that came since; a branch that a host left keeps what it has all the same', () => {
  const { state } = play('u5');
  const all = [entry(2), entry(3), entry(4)];
  const restored = back(state, all, { cause: 'restore', leaves: true });
  expect([itemsOf(restored), leftOf(restored)]).toEqual([['1 whole'], [[[2, 4]]]]);
  const fork = { from: 1, at: 'e3', keep: ['e4'] };
  const forked = back(state, all, { cause: 'fork', fork });
  expect(itemsOf(forked)).toEqual(['1 whole', '2 whole', '4 whole']);
  expect(leftOf(forked)).toEqual([[[3, 3]]]);
});
