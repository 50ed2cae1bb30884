import { expect, test } from 'vitest';
import type { Inspection } from '../../src/index.ts';
import type { Move } from '../../src/viewer/page/move.ts';
import {
  actorsAt,
  addMove,
  emptyTimeline,
  lastMove,
  movesWith,
} from '../../src/viewer/page/inspector/timeline.ts';

const move = (actor: string, told: Partial<Inspection> = {}): Inspection => ({
  seq: 1,
  n: 0,
  at: 0,
  actor,
  machine: 'frame',
  version: '1',
  event: { type: 'init' },
  from: null,
  value: 'planned',
  context: {},
  status: 'active',
  ...told,
});

const told: readonly Move[] = [
  move('s', { machine: 'session', value: 'open' }),
  move('s/f0', { parent: 's' }),
  move('s/effect/k', { parent: 's/f0', machine: 'effect', value: 'pending' }),
  move('s/f1', { parent: 's/f0' }),
  move('s/effect/k', { parent: 's/f0', machine: 'effect', from: 'pending', status: 'done' }),
  move('s/f1', { parent: 's/f0', from: 'planned', value: 'completed', status: 'done' }),
];

const timeline = emptyTimeline();
for (const one of told) addMove(timeline, one);

test('actors stand below their parents, as they were at a moment', () => {
  const names = (cursor: number, ended: boolean): readonly string[] =>
    actorsAt(timeline, cursor, ended).map(
      ({ actor, depth, move: at }) => `${depth} ${actor.name} ${at.value}`,
    );
  expect(names(0, false)).toEqual(['0 s open']);
  expect(names(3, false)).toEqual([
    '0 s open',
    '1 s/f0 planned',
    '2 s/effect/k pending',
    '2 s/f1 planned',
  ]);
  expect(names(5, false)).toEqual(['0 s open', '1 s/f0 planned', '2 s/f1 completed']);
  expect(names(5, true)).toHaveLength(4);
});

test('the last move of an actor is found at every moment', () => {
  const actor = timeline.actors.get('s/f1')!;
  expect([0, 2, 3, 4, 5, 9].map((cursor) => lastMove(actor, cursor))).toEqual([-1, -1, 0, 0, 1, 1]);
});

test('moves are narrowed by words of actor, event and state; ends of frames are marked', () => {
  expect(movesWith(timeline, 'EFFECT')).toEqual([2, 4]);
  expect(movesWith(timeline, 'completed')).toEqual([5]);
  expect(timeline.marks).toEqual([5]);
});
