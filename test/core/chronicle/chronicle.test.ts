import fc from 'fast-check';
import { emptyIndex } from '../../../src/core/file-index/file-index.ts';
import { expect, test } from 'vitest';
import {
  emptyChronicle,
  floorWithin,
  keptLines,
  linesAbove,
  noFloor,
  readLines,
  withLines,
  withoutFaded,
  worthAt,
  type KeptLine,
} from '../../../src/core/chronicle/chronicle.ts';
import { linesTokens, type Line } from '../../../src/core/lines/line.ts';
import { frameId, textId } from '../../../src/core/values/id.ts';

const [f0, f1] = [frameId(0), frameId(1)];

const line = (id: number, given: Partial<KeptLine> = {}): KeptLine => ({
  id,
  frame: f0,
  n: id,
  to: given.n ?? id,
  turn: 1,
  kind: 'said',
  file: '',
  tokens: 10,
  worth: 1,
  source: textId(1),
  row: 0,
  made: 0,
  names: 0,
  ...given,
});

const lines = fc
  .array(
    fc.record({ worth: fc.integer({ min: 1, max: 40 }), tokens: fc.nat(60), made: fc.nat(9) }),
    {
      maxLength: 60,
    },
  )
  .map((all) => all.map((one, index) => line(index + 1, one)));

test('the lines above a floor are within the cap', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: -50, max: 3_000 }), fc.nat(20), (all, cap, now) => {
      const floor = floorWithin(all, cap, { present: noFloor, now });
      const shown = linesAbove(all, floor);
      expect(linesTokens(shown)).toBeLessThanOrEqual(Math.max(0, cap));
      if (linesTokens(all) <= cap) expect(shown).toEqual(all);
    }),
  );
});

test('a floor stays while its lines fit, and what comes behind them leaves them as they are', () => {
  fc.assert(
    fc.property(lines, lines, fc.nat(2_000), (all, more, cap) => {
      const floor = floorWithin(all, cap, { present: noFloor, now: 10 });
      const later = more.map((one, index) =>
        line(all.length + index + 1, { ...one, id: 900, made: 10 }),
      );
      const next = floorWithin([...all, ...later], cap, { present: floor, now: 11 });
      const shown = linesAbove([...all, ...later], floor);
      const isSparse = shown.length < all.length + later.length && linesTokens(shown) < 0.6 * cap;
      if (linesTokens(shown) <= cap && !isSparse) expect(next).toBe(floor);
      expect(shown.slice(0, linesAbove(all, floor).length)).toEqual(linesAbove(all, floor));
    }),
  );
});

test('a floor that is raised leaves room to grow, and one that hides much falls', () => {
  const all = Array.from({ length: 100 }, (_, n) => line(n + 1, { worth: n + 1 }));
  const raised = floorWithin(all, 1_000, { present: noFloor, now: 1 });
  const shown = linesAbove(all, raised);
  expect(linesTokens(shown)).toBeLessThanOrEqual(800);
  expect(linesTokens(shown)).toBeGreaterThan(700);
  expect(shown.at(-1)!.worth).toBe(100);
  expect(floorWithin(all, 1_200, { present: raised, now: 2 })).toBe(raised);
  const fallen = floorWithin(all, 1_400, { present: raised, now: 2 });
  expect(linesAbove(all, fallen).length).toBeGreaterThan(shown.length);
});

test('what was hidden while all caps were scaled to 0.7 comes back under whole ones', () => {
  const all = Array.from({ length: 100 }, (_, n) => line(n + 1, { worth: n + 1 }));
  const squeezed = floorWithin(all, 700, { present: noFloor, now: 1 });
  const whole = floorWithin(all, 1_000, { present: squeezed, now: 2 });
  expect(linesAbove(all, whole).length).toBeGreaterThan(linesAbove(all, squeezed).length);
});

test('a line is worth less with each compression since it was made, and never more than at first', () => {
  const one = line(1, { worth: 2, made: 3 });
  expect([0, 3, 4, 53].map((now) => worthAt(one, now).toFixed(2))).toEqual([
    '2.00',
    '2.00',
    '1.96',
    '0.73',
  ]);
});

test('lines of a range stand in place of those it had, and in the order of their entries', () => {
  const add = (before: typeof emptyChronicle, ...added: KeptLine[]) =>
    withLines(before, { frame: added[0]!.frame, root: '/r', lines: added, events: [] }, 0);
  const first = add(emptyChronicle, line(1, { n: 2 }), line(2, { n: 9 }));
  const child = add(first, line(3, { n: 5, frame: f1 }));
  expect(child).toMatchObject({ made: 3, root: '/r' });
  expect(child.lines.map(({ id }) => id)).toEqual([1, 3, 2]);
  const again = add(child, line(4, { n: 2 }), line(5, { n: 7, to: 12 }));
  expect(again.lines.map(({ id }) => id)).toEqual([4, 3, 5]);
  expect(withLines(again, { frame: f0, root: '', lines: [], events: [] }, 0).lines).toBe(
    again.lines,
  );
});

test('a list takes the place of the one before', () => {
  const listed = (id: number, n: number) => line(id, { n, kind: 'list' });
  const added = [listed(1, 2), line(2, { n: 3 })];
  const one = withLines(emptyChronicle, { frame: f0, root: '', lines: added, events: [] }, 0);
  const two = withLines(one, { frame: f0, root: '', lines: [listed(3, 8)], events: [] }, 0);
  expect(two.lines.map(({ id }) => id)).toEqual([2, 3]);
});

test('the lines of closed frames are forgotten', () => {
  const chronicle = {
    made: 2,
    root: '',
    lines: [line(1), line(2, { frame: f1 })],
    index: emptyIndex,
  };
  const given = { standing: new Set<number>(), floor: noFloor };
  const left = withoutFaded(chronicle, { ...given, isOpen: (frame) => frame === f0 });
  expect(left.lines.map(({ id }) => id)).toEqual([1]);
  expect(withoutFaded(left, { ...given, isOpen: () => true })).toBe(left);
});

test('of many lines that stand nowhere those of the least worth are forgotten, never one that stands', () => {
  const all = Array.from({ length: 1_500 }, (_, n) => line(n + 1, { worth: n + 1 }));
  const { lines: left } = withoutFaded(
    { made: 1_500, root: '', lines: all, index: emptyIndex },
    { isOpen: () => true, standing: new Set([1, 7]), floor: { floor: 1_400, asOf: 0 } },
  );
  expect(left).toHaveLength(400);
  expect(left.slice(0, 3).map(({ id }) => id)).toEqual([1, 7, 1_103]);
});

test('lines are read back from the text that holds them', () => {
  const texts = ['the lock is held twice', 'changed a.ts'];
  const made = texts.map((text, n): Line => ({
    n,
    to: n,
    turn: 0,
    kind: 'said',
    text,
    tokens: 3,
    worth: 1,
    file: '',
  }));
  const kept = keptLines(made, {
    frame: f0,
    source: textId(4),
    after: 7,
    compressions: 2,
    names: [3],
  });
  expect(kept.map(({ id, row, names }) => [id, row, names])).toEqual([
    [8, 0, 3],
    [9, 1, 0],
  ]);
  expect(kept[0]).not.toHaveProperty('text');
  const read = readLines(kept.toReversed(), (id) => (id === textId(4) ? texts.join('\n') : ''));
  expect(read.map(({ text }) => text)).toEqual(texts.toReversed());
});

test('lines that touch a range are those it had, at both its ends, of its frame', () => {
  const before = { ...emptyChronicle, lines: [line(1, { n: 2, to: 4 }), line(2, { n: 9 })] };
  const added = (...lines: KeptLine[]) =>
    withLines(before, { frame: f0, root: '', lines, events: [] }, 0).lines.map(({ id }) => id);
  expect(added(line(3, { n: 4 }))).toEqual([3, 2]);
  expect(added(line(3, { n: 5 }))).toEqual([1, 3, 2]);
  expect(added(line(3, { n: 7, to: 9 }))).toEqual([1, 3]);
  expect(added(line(3, { n: 7, to: 8 }))).toEqual([1, 3, 2]);
});

test('a correction stands in place of the lines that it corrects, and of no other', () => {
  const before = { ...emptyChronicle, made: 2, lines: [line(1, { n: 2 }), line(2, { n: 9 })] };
  const given = { frame: f0, root: '', events: [], gone: [1] };
  const after = withLines(before, { ...given, lines: [line(3, { n: 9 })] }, 0);
  expect(after.lines.map(({ id }) => id)).toEqual([2, 3]);
  expect(withLines(before, { ...given, lines: [] }, 0)).toMatchObject({
    made: 2,
    lines: [{ id: 2 }],
  });
});

test('a list of another frame stays', () => {
  const other = line(1, { n: 2, kind: 'list', frame: f1 });
  const said = line(2, { n: 4 });
  const before = { ...emptyChronicle, lines: [other, said] };
  const lines = [line(3, { n: 8, kind: 'list' })];
  const after = withLines(before, { frame: f0, root: '', lines, events: [] }, 0);
  expect(after.lines.map(({ id }) => id)).toEqual([1, 2, 3]);
});

test('files and commands of closed frames are forgotten, too', () => {
  const index = {
    files: [{ frame: f0 }, { frame: f1 }],
    commands: [{ frame: f1 }, { frame: f0 }],
  } as unknown as typeof emptyIndex;
  const given = { standing: new Set<number>(), floor: noFloor };
  const isOpen = (frame: string): boolean => frame === f0;
  const left = withoutFaded({ ...emptyChronicle, index }, { ...given, isOpen });
  expect(left.index).toEqual({ files: [{ frame: f0 }], commands: [{ frame: f0 }] });
});

test('two lines are kept for each that is shown or stands', () => {
  const all = Array.from({ length: 3_000 }, (_, n) => line(n + 1, { worth: n + 1 }));
  const kept = (floor: number, length = all.length, standing: readonly number[] = []) =>
    withoutFaded(
      { made: 0, root: '', lines: all.slice(0, length), index: emptyIndex },
      { isOpen: () => true, standing: new Set(standing), floor: { floor, asOf: 0 } },
    ).lines;
  expect([kept(2_701).length, kept(2_801).length, kept(2_601).length]).toEqual([600, 400, 800]);
  expect(kept(2_701)[0]!.id).toBe(2_401);
  expect(kept(2_701, 3_000, [1, 2])).toHaveLength(604);
  expect(kept(5_000, 400)).toHaveLength(400);
  expect(kept(5_000, 401)).toHaveLength(400);
});

test('without lines the floor stays', () => {
  const present = { floor: 4, asOf: 1 };
  expect(floorWithin([], 0, { present, now: 9 })).toBe(present);
  expect(floorWithin([line(1)], 0, { present: noFloor, now: 9 }).floor).toBe(Number.MAX_VALUE);
});

test('a row that a text does not have is empty', () => {
  expect(readLines([line(1, { row: 4 })], () => 'a')[0]!.text).toBe('');
});
