import { expect, test } from 'vitest';
import { factsForRewind, tokensSince } from '../../../src/core/host-history/restored-state.ts';
import type { Fact } from '../../../src/core/state/fact.ts';
import { play } from '../../notation/state.ts';

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
