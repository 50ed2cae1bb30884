import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bandsOf } from '../../src/viewer/page/session/bands.ts';
import {
  addStep,
  emptyHistory,
  indexAt,
  placesOn,
  type History,
} from '../../src/viewer/page/session/history.ts';
import type { FrameNews, News, Step } from '../../src/viewer/page/session/wire.ts';

const stepOf = (over: Partial<Step>): Step => ({
  seq: 1,
  frame: 'f0',
  at: 0,
  turn: 0,
  said: 0,
  sizes: [10, 0, 0, 0, 0, 0, 0, 90],
  limit: 200,
  due: 150,
  news: [],
  ...over,
});

const steps = fc
  .array(
    fc.record({
      at: fc.integer({ min: -5, max: 50 }),
      turn: fc.nat(2),
      said: fc.nat(900),
      size: fc.nat(5_000),
    }),
    { minLength: 1, maxLength: 300 },
  )
  .map((each) => {
    let [at, turn, said] = [1_000, 0, 0];
    return each.map((one, index) => {
      at += one.at;
      turn += one.turn;
      said += one.said;
      return stepOf({ seq: index + 1, at, turn, said, sizes: [7, 0, 0, 0, 0, 0, 0, one.size] });
    });
  });

test('on every axis steps stand in their order, from 0 to 1, and each place finds a step at it', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom('turns', 'time', 'tokens'), (all, axis) => {
      const places = placesOn(axis, all);
      expect(places).toHaveLength(all.length);
      expect(places[0]).toBe(0);
      for (const [index, place] of places.entries()) {
        expect(place).toBeLessThanOrEqual(1);
        if (index > 0) expect(place).toBeGreaterThanOrEqual(places[index - 1]!);
        expect(places[indexAt(places, place)]).toBe(place);
      }
      expect([indexAt(places, -1), indexAt(places, 2)]).toEqual([0, all.length - 1]);
    }),
  );
});

test('a drawing has few corners for each column, and its highest step', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { areas, most } = bandsOf(all, placesOn('turns', all), { width: 20, height: 100 });
      const totals = all.map(({ sizes }) => sizes.reduce((sum, size) => sum + size, 0));
      expect(most).toBe(Math.max(200, ...totals));
      expect(areas).toHaveLength(8);
      const highest = (100 - (Math.max(...totals) / most) * 100).toFixed(1);
      expect(areas[7]).toContain(`,${highest}`);
      expect(areas[7]!.split('L').length).toBeLessThanOrEqual(2 * 2 * 4 * 21);
    }),
  );
});

test('what falls, falls at the step where it fell, and not on the way there', () => {
  const all = [0, 1, 2].map((turn) =>
    stepOf({ turn, sizes: [0, 0, 0, 0, 0, 0, 0, turn === 2 ? 50 : 100] }),
  );
  const { areas } = bandsOf(all, placesOn('turns', all), { width: 100, height: 100 });
  expect(areas[7]).toMatch(/^M0\.0,50\.0L50\.0,50\.0L100\.0,50\.0L100\.0,75\.0L/);
});

const frame = (id: string, status: string, parent: string | null = 'f0'): FrameNews => ({
  type: 'frame',
  frame: id,
  parent,
  title: `Task ${id}`,
  status,
});

function told(...news: readonly (readonly News[])[]): History {
  const history = emptyHistory();
  for (const [index, each] of news.entries())
    addStep(history, stepOf({ seq: index + 1, turn: index, news: each }));
  return history;
}

test('a frame spans the steps from its beginning to its end; planned it has neither', () => {
  const { frames, losses } = told(
    [frame('f0', 'in_progress', null)],
    [frame('f1', 'planned'), frame('f2', 'planned', 'f1')],
    [frame('f1', 'in_progress')],
    [frame('f1', 'blocked')],
    [frame('f1', 'in_progress')],
    [frame('f1', 'completed'), frame('f2', 'invalidated')],
  );
  expect(frames.get('f0')).toMatchObject({ depth: 0, from: 0, to: null });
  expect(frames.get('f1')).toMatchObject({ depth: 1, from: 2, to: 5, status: 'completed' });
  expect(frames.get('f2')).toMatchObject({ depth: 2, from: null, to: 5 });
  expect(losses).toEqual([{ at: 5, frame: 'f1' }]);
});

test('a frame that going back opens again goes on', () => {
  const { frames } = told(
    [frame('f0', 'in_progress', null)],
    [frame('f1', 'in_progress')],
    [frame('f1', 'completed')],
    [
      {
        type: 'tree',
        what: 'pop',
        frames: [frame('f0', 'in_progress', null), frame('f1', 'in_progress')],
      },
    ],
  );
  expect(frames.get('f1')).toMatchObject({ from: 1, to: null });
  expect(frames.get('f0')).toMatchObject({ from: 0, to: null });
});

test('a frame that had ended before somebody went back has the end that it had', () => {
  const { frames, losses } = told(
    [frame('f0', 'in_progress', null)],
    [frame('f1', 'in_progress')],
    [frame('f1', 'completed')],
    [
      {
        type: 'tree',
        what: 'compression',
        frames: [frame('f0', 'in_progress', null), frame('f1', 'completed')],
      },
    ],
  );
  expect(frames.get('f1')).toMatchObject({ from: 1, to: 2 });
  expect(losses).toEqual([{ at: 2, frame: 'f1' }]);
});

test('a frame on a branch that was left ends there', () => {
  const { frames } = told(
    [frame('f0', 'in_progress', null)],
    [frame('f1', 'in_progress')],
    [{ type: 'tree', what: 'push', frames: [frame('f0', 'in_progress', null)] }],
  );
  expect(frames.get('f1')).toMatchObject({ from: 1, to: 2 });
});

test('a step is one loss: of its frames the outermost, and a compression before them', () => {
  const compressed: News = {
    type: 'compressed',
    frame: 'f0',
    checkpoint: 'c1',
    from: 'e1',
    to: 'e9',
    before: 90,
    after: 30,
    names: 9,
    kept: 3,
    by: 'embedded',
  };
  const { losses, compressions } = told(
    [frame('f0', 'in_progress', null), frame('f1', 'in_progress')],
    [frame('f2', 'in_progress', 'f1'), compressed],
    [frame('f1', 'failed'), frame('f2', 'invalidated', 'f1')],
    [frame('f3', 'in_progress')],
    [frame('f3', 'completed'), compressed],
  );
  expect(losses).toEqual([
    { at: 1, compression: 0 },
    { at: 2, frame: 'f1' },
    { at: 4, compression: 1 },
  ]);
  expect(compressions.map(({ at }) => at)).toEqual([1, 4]);
});

test('a server that counted much less than was sent is told as trouble', () => {
  const counted = (sent: number, count: number): News => ({
    type: 'counted',
    sent,
    counted: count,
    cached: 0,
  });
  const { happenings, counts } = told([counted(1_000, 900)], [counted(10_000, 4_096)]);
  expect(counts.map(({ at }) => at)).toEqual([0, 1]);
  expect(happenings).toEqual([
    {
      at: 1,
      kind: 'bad',
      label: 'trouble',
      text: 'the server counted 4,096 of 10,000 tokens',
      ref: null,
    },
  ]);
});
