import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignedSteps } from '../../src/viewer/page/session/model/axis/aligned.ts';
import {
  apart,
  bandsOf,
  countsOf,
  merged,
} from '../../src/viewer/page/session/model/axis/bands.ts';
import {
  addStep,
  emptyHistory,
  type History,
} from '../../src/viewer/page/session/model/history.ts';
import { indexAt, placesOn } from '../../src/viewer/page/session/model/axis/places.ts';
import { aboutOf, nameOf } from '../../src/viewer/page/session/model/words/loss.ts';
import type { FrameNews, News, Step } from '../../src/viewer/page/session/model/wire.ts';

const stepOf = (over: Partial<Step>): Step => ({
  seq: 1,
  frame: 'f0',
  at: 0,
  written: 0,
  turn: 0,
  epoch: 1,
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

test('what comes before the first word takes no room on the axis of turns', () => {
  const steps = [0, 0, 5, 9, 20].map((said, index) =>
    stepOf({ seq: index + 1, turn: [0, 0, 1, 1, 2][index]!, said }),
  );
  expect([...placesOn('turns', steps)]).toEqual([0, 0, 0, 0.5, 1]);
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
    stepOf({ turn, said: 1, sizes: [0, 0, 0, 0, 0, 0, 0, turn === 2 ? 50 : 100] }),
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

test('entries that were shortened, and those outside of a frame that began, are losses, each with an event', () => {
  const history = emptyHistory();
  const step = (working: number, ...news: readonly News[]): void =>
    addStep(history, stepOf({ sizes: [10, 0, human, 0, 0, 0, 0, working], news }));
  let human = 0;
  step(90, frame('f0', 'in_progress', null));
  step(2_690, { type: 'shortened', entries: ['e2', 'e3'], hidden: 0 });
  step(1_890, { type: 'shortened', entries: ['e5', 'e7', 'e9'], hidden: 1 });
  step(0, frame('f1', 'in_progress'));
  step(0, frame('f2', 'in_progress', 'f1'));
  step(900);
  step(400, { type: 'tree', what: 'push', frames: [frame('f0', 'in_progress', null)] });
  // What a person said stands among older words then, and is not lost.
  human = 410;
  step(0, frame('f3', 'in_progress'));
  expect(history.losses).toEqual([
    { at: 1, shortened: '2 entries shortened' },
    { at: 2, shortened: '3 entries shortened, 1 entry put out of view' },
    { at: 3, begun: 'f1' },
    { at: 6, back: 'push' },
  ]);
  expect(history.happenings.map(({ label, text }) => `${label}: ${text}`)).toEqual([
    'shortened: 2 entries shortened, 100 → 2,700 tokens',
    'shortened: 3 entries shortened, 1 entry put out of view, 2,700 → 1,900 tokens',
    'frame: Task f1: began; what was said before stands outside of it, 1,900 → 10 tokens',
    'frame: Task f2: began',
    'frame: push taken back, or again',
    'frame: Task f3: began',
  ]);
  expect(history.losses.map((one) => `${nameOf(history, one)}, ${aboutOf(history, one)}`)).toEqual([
    '2 entries shortened, what stands for each leads to it',
    '3 entries shortened, 1 entry put out of view, what stands for each leads to it',
    'Frame began: Task f1, f1: what was said before stands outside of it',
    'Taken back, or again: push, what was decided is as it was before',
  ]);
});

const entry = (n: number): News => ({
  type: 'entry',
  entry: `e${n}`,
  frame: 'f0',
  role: 'user',
  human: true,
  at: 0,
  tokens: 5,
  text: '',
});

test('steps of two windows stand at the same entry, and as far behind it as both go', () => {
  const history = told([], [entry(1)], [], [], [entry(2)], [], [entry(3), entry(4)], []);
  const other = told([], [entry(1)], [], [entry(2)], [entry(3)], [entry(4)], [], []);
  expect([...alignedSteps(history, other)]).toEqual([0, 1, 2, 2, 3, 3, 5, 6]);
  expect([...alignedSteps(history, told([]))]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect([...alignedSteps(history, history)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a cut stands before what else a step lost, with how it was recovered', () => {
  const cut: News = { type: 'cut', rule: 'count.cut', isCertain: true, lost: ['e1-e4'] };
  const goesOn = (stage: 'announced' | 'asked' | 'cancelled' | 'recovered'): News => ({
    type: 'recovery',
    stage,
    text: stage,
  });
  const { losses, cuts } = told(
    [frame('f0', 'in_progress', null), frame('f1', 'in_progress')],
    [frame('f1', 'failed'), cut, goesOn('announced')],
    [goesOn('asked')],
    [goesOn('recovered')],
    [goesOn('recovered')],
  );
  expect(losses).toEqual([
    { at: 1, cut: 0 },
    { at: 3, cut: 0 },
    { at: 4, cut: 1 },
  ]);
  expect(cuts.map(({ news, stages }) => [news?.rule, ...stages.map(({ at }) => at)])).toEqual([
    ['count.cut', 1, 2, 3],
    [undefined, 4],
  ]);
});

const answer: News = {
  type: 'entry',
  entry: 'e1',
  frame: 'f0',
  role: 'assistant',
  human: false,
  at: 0,
  tokens: 5,
  text: '',
};

test('what was sent is what the prompt held before each answer, and the whole log what was said by then', () => {
  const counted: News = { type: 'counted', sent: 100, counted: 120, ours: 100, cached: 60 };
  const history = emptyHistory();
  for (const step of [
    stepOf({ said: 90 }),
    stepOf({ said: 290, news: [answer] }),
    stepOf({ said: 300 }),
    stepOf({ said: 310, news: [answer, counted], sizes: [10, 5, 0, 0, 0, 0, 0, 50] }),
    stepOf({ news: [counted] }),
  ])
    addStep(history, step);
  expect(history.costs.map(({ sent, whole }) => [sent, whole])).toEqual([
    [0, 0],
    [100, 100],
    [100, 100],
    [200, 410],
    [265, 735],
  ]);
  expect(history.costs.at(-1)).toMatchObject({
    calls: 3,
    countedCalls: 2,
    sentInCounted: 200,
    counted: 240,
    cached: 120,
  });
});

test('the whole log is compared with the goal that both would be sent', () => {
  const history = emptyHistory();
  const sizes = [10, 5, 0, 0, 40, 0, 0, 50];
  addStep(history, stepOf({ said: 50, sizes }));
  addStep(history, stepOf({ said: 60, sizes, news: [{ ...entry(1), role: 'assistant' } as News] }));
  expect(history.costs.at(-1)).toMatchObject({ calls: 1, sent: 105, whole: 105 });
});

test('what a prompt begins with as the one before did need not be read again, in a new epoch system and tools alone', () => {
  const history = emptyHistory();
  for (const step of [
    stepOf({ sizes: [10, 5, 0, 0, 0, 0, 0, 50] }),
    stepOf({ news: [answer], sizes: [10, 5, 0, 0, 0, 0, 0, 80] }),
    stepOf({ news: [answer], sizes: [10, 5, 0, 0, 0, 0, 0, 20], epoch: 2 }),
    stepOf({ news: [answer], sizes: [10, 5, 0, 0, 0, 0, 0, 30], epoch: 2 }),
    stepOf({ news: [answer], epoch: 2 }),
  ])
    addStep(history, step);
  expect(history.costs.map(({ sent, again }) => [sent, again])).toEqual([
    [0, 0],
    [65, 0],
    [160, 65],
    [195, 80],
    [240, 115],
  ]);
});

test('what a server counted is a dot for each column, the worst of it, and a line down where much is missing', () => {
  const canvas = { width: 10, height: 100, most: 1_000 };
  const { dots, gaps } = countsOf(
    [
      { place: 0, sent: 500, ours: 510 },
      { place: 0.01, sent: 500, ours: 100 },
      { place: 0.5, sent: 500, ours: 450 },
    ],
    canvas,
  );
  expect([dots, gaps]).toEqual(['M0,90.0h0M5,55.0h0', 'M0,50.0V90.0']);
});

test('a server that counted much less than was sent is told as trouble', () => {
  const counted = (sent: number, count: number): News => ({
    type: 'counted',
    sent,
    counted: count,
    ours: count,
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

test('of marks that would overlap the more important one stays', () => {
  const places = Float64Array.from({ length: 101 }, (_, at) => at / 100);
  const all = [10, 12, 50, 51, 90].map((at) => ({ at }));
  const shown = (important: readonly number[]): readonly number[] =>
    apart([...important.map((at) => ({ at })), ...all], places, 20).map(({ at }) => at);
  expect(shown([])).toEqual([10, 50, 90]);
  expect(shown([12, 51])).toEqual([12, 51, 90]);
});

test('marks that would overlap are one, in the middle of what they stand for, and none is left out', () => {
  const groupsOf = (...places: readonly number[]): readonly string[] =>
    merged(
      places.map((place, index) => ({ first: index, last: index, place })),
      ({ first, last }) => (first === last ? 0.05 : 0.1),
    ).map(({ first, last, place }) => `${first}-${last} at ${place.toFixed(3)}`);
  expect(groupsOf(0.1, 0.2, 0.3)).toEqual(['0-0 at 0.100', '1-1 at 0.200', '2-2 at 0.300']);
  expect(groupsOf(0.1, 0.2, 0.24, 0.5)).toEqual(['0-0 at 0.100', '1-2 at 0.220', '3-3 at 0.500']);
  // A mark that grew may reach the one before it.
  expect(groupsOf(0.14, 0.2, 0.22)).toEqual(['0-2 at 0.180']);
  expect(groupsOf()).toEqual([]);
});
