import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  childrenOnPath,
  addCounts,
  noChildren,
  countOf,
} from '../../../src/core/frames/path-children.ts';
import { isClosed, type Frame, type FrameStatus } from '../../../src/core/frames/frame.ts';
import { frameId, ordinal } from '../../../src/core/values/id.ts';
import {
  change,
  frameOf,
  grow,
  path,
  plant,
  toNode,
  type FrameTree,
} from '../../../src/core/frames/tree.ts';
import { vectorOf } from '../../../src/core/values/persistent-vector.ts';

const identity = { title: 'Task', criteria: '', brief: '' };
const frameWith = (given: Partial<Frame>): Frame => ({
  ...frameOf(plant(identity, 'in_progress'), 'f0'),
  ...given,
});

/** A flat tree of `size` completed children, whose frames count how often they are looked at. */
function watched(size: number): { tree: FrameTree; looks: () => number } {
  let looked = 0;
  const watch = (frame: Frame): Frame =>
    new Proxy(frame, {
      get(target, name, receiver) {
        if (name === 'status') looked += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
  const children = Array.from({ length: size }, (_, at) =>
    watch(
      frameWith({ id: frameId(at + 1), parent: frameId(0), status: 'completed', span: [at, at] }),
    ),
  );
  return { tree: vectorOf([frameWith({}), ...children]), looks: () => looked };
}

test('after one of ten thousand children changed, only its chunk of the tree is looked at again', () => {
  const looks = [100, 10_000].map((size) => {
    const { tree, looks: count } = watched(size);
    childrenOnPath(tree, frameId(0));
    const before = count();
    const last = { ...frameOf(tree, frameId(size)), results: null };
    const next = grow(change(tree, [last]), { parent: frameId(0), identity, status: 'planned' });
    childrenOnPath(next, frameId(0));
    return count() - before;
  });
  expect(looks[1]).toBeLessThanOrEqual(looks[0]! + 64);
  expect(looks[0]).toBeLessThanOrEqual(200);
});

test('children of the path are shown one by one or counted, each once, the newest closed ones first', () => {
  const statuses: FrameStatus[] = ['completed', 'planned', 'blocked', 'invalidated', 'failed'];
  const child = fc.record({ parent: fc.nat(2), status: fc.constantFrom(...statuses) });
  fc.assert(
    fc.property(fc.array(child, { maxLength: 900 }), (children) => {
      const path3 = [0, 1, 2].map((n) =>
        frameWith({ id: frameId(n), parent: n === 0 ? null : frameId(n - 1) }),
      );
      const frames = children.map(({ parent, status }, at) =>
        frameWith({
          id: frameId(at + 3),
          parent: frameId(parent),
          status,
          span: status === 'planned' ? null : [at + 1, at + 1],
        }),
      );
      const tree = vectorOf([...path3, ...frames]);
      expect(path(tree, frameId(2))).toHaveLength(3);
      const { closed, planned, rest } = childrenOnPath(tree, frameId(2));
      const isShut = (frame: Frame): boolean => isClosed(frame) || frame.status === 'blocked';
      expect(closed.every(isShut)).toBe(true);
      expect(closed.length).toBeGreaterThanOrEqual(Math.min(256, frames.filter(isShut).length));
      const shown = [...closed, ...planned];
      const counted = [...rest.values()].reduce(addCounts, noChildren);
      expect(addCounts(counted, countOf(shown))).toEqual(countOf(frames));
      expect(closed.map(({ id }) => ordinal(id))).toEqual(
        closed.map(({ id }) => ordinal(id)).sort((a, b) => a - b),
      );
    }),
    { numRuns: 30 },
  );
});

test('a tree of 20,000 frames, each below the one before, becomes nested nodes', () => {
  let tree = plant(identity, 'in_progress');
  for (let n = 0; n < 20_000; n += 1)
    tree = grow(tree, { parent: frameId(n), identity, status: 'in_progress' });
  let depth = 0;
  for (let node = toNode(tree, frameId(0)); node.children.length > 0; node = node.children[0]!)
    depth += 1;
  expect(depth).toBe(20_000);
});

const span = (from: number, to: number): Frame['span'] => [from, to];

test('counts add up, with the first and the last of their entries', () => {
  const one = { frames: 2, span: span(4, 9) };
  expect(addCounts(one, { frames: 3, span: span(2, 7) })).toEqual({ frames: 5, span: [2, 9] });
  expect(addCounts(one, { frames: 3, span: span(5, 12) })).toEqual({ frames: 5, span: [4, 12] });
  expect(addCounts(one, { frames: 1, span: null })).toEqual({ frames: 3, span: [4, 9] });
  expect(addCounts({ frames: 1, span: null }, one)).toEqual({ frames: 3, span: [4, 9] });
  expect(addCounts(noChildren, noChildren)).toEqual({ frames: 0, span: null });
  expect(countOf([])).toEqual({ frames: 0, span: null });
  expect(countOf([frameWith({ span: span(3, 4) }), frameWith({ span: null })])).toEqual({
    frames: 2,
    span: [3, 4],
  });
});

/** What is listed of frames, each of a parent and a status, below the root; the first is active. */
function listed(
  frames: readonly (readonly [parent: number, status: FrameStatus, more?: Partial<Frame>])[],
  chunks?: readonly number[],
) {
  const all = [
    frameWith({}),
    ...frames.map(([parent, status, more], at) =>
      frameWith({
        id: frameId(at + 1),
        parent: frameId(parent),
        status,
        span: status === 'planned' ? null : span(at, at),
        children: frames.flatMap(([of], index) => (of === at + 1 ? [frameId(index + 1)] : [])),
        ...more,
      }),
    ),
  ];
  const whole = vectorOf(all);
  const cut = chunks?.map((from, index) => all.slice(from, chunks[index + 1]));
  const tree = cut === undefined ? whole : { ...whole, chunks: cut };
  const { closed, planned, rest } = childrenOnPath(tree, frameId(0));
  const ids = (some: readonly Frame[]): string => some.map(({ id }) => id).join(' ');
  return {
    closed: ids(closed),
    planned: ids(planned),
    rest: [...rest].map(([id, { frames: count, span: of }]) => `${id} ${count} ${of?.join('–')}`),
  };
}

test('frames in progress, on a branch that was left or of another parent are no children', () => {
  expect(
    listed([
      [0, 'completed'],
      [0, 'in_progress'],
      [0, 'planned'],
      [0, 'failed', { branch: 'b1' as never }],
      [0, 'planned', { branch: 'b1' as never }],
      [1, 'completed'],
      [1, 'planned'],
      [3, 'planned'],
      [8, 'planned'],
      [0, 'invalidated'],
      [0, 'blocked'],
    ]),
  ).toEqual({ closed: 'f1 f10 f11', planned: 'f3 f8 f9', rest: [] });
});

test('what is beyond the listed ones is counted by parent, of closed ones the oldest', () => {
  const frames = Array.from({ length: 600 }, () => [0, 'completed'] as const);
  const chunks = [0, 101, 201, 345, 473];
  expect(listed(frames, chunks)).toMatchObject({
    closed: frames
      .slice(344)
      .map((_, at) => `f${at + 345}`)
      .join(' '),
    rest: ['f0 344 0–343'],
  });
  expect(listed(frames, [0, 101, 346, 473]).rest).toEqual(['f0 100 0–99']);
});
