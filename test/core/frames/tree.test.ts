import { expect, test } from 'vitest';
import { frameTable } from '../../../machines/index.ts';
import type { FrameEvent } from '../../../src/core/frames/frame.ts';
import {
  aroundPath,
  cascade,
  change,
  childrenLeft,
  frameOf,
  leftFrames,
  nearestLiving,
  nextStatus,
  toNode,
} from '../../../src/core/frames/tree.ts';
import { frameId } from '../../../src/core/values/id.ts';
import { parseTree, printTree } from '../../notation/tree.ts';

const f = frameId;

test.each([
  ['frame.start', 'started'],
  ['frame.complete', 'completed'],
  ['frame.fail', 'failed'],
  ['frame.block', 'blocked'],
  ['frame.invalidate', 'invalidated'],
] as readonly (readonly [FrameEvent, string])[])(
  'what refuses %s says so in words',
  (event, word) => {
    const { frames } = parseTree('root > done:completed');
    const refused = expect.objectContaining({
      code: 'FRAME_STATUS',
      detail: { frame: 'f1', status: 'completed', event },
      message: `Frame "done" (f1) is completed and cannot be ${word}`,
    });
    expect(() => nextStatus(frameTable, frameOf(frames, 'f1'), event)).toThrow(refused);
  },
);

test('a status follows the table', () => {
  const { frames } = parseTree('root > (a:planned, b)');
  expect(nextStatus(frameTable, frameOf(frames, 'f1'), 'frame.start')).toBe('in_progress');
  expect(nextStatus(frameTable, frameOf(frames, 'f2'), 'frame.complete')).toBe('completed');
});

test('children around a path are those of each of its frames, the root first', () => {
  const { frames } = parseTree('root > (a > (b, c), d)');
  expect(aroundPath(frames, f(1)).map(({ title }) => title)).toEqual(['a', 'd', 'b', 'c']);
});

test('what is invalidated takes all below with it but what is closed, parents first', () => {
  const { frames } = parseTree('root > (a > (b:planned, c:completed > d:blocked), e)');
  const fallen = cascade(frames, f(1), frameTable);
  expect(fallen.map(({ title }) => title).toSorted()).toEqual(['a', 'b', 'd']);
  expect(fallen[0]!.title).toBe('a');
  expect(new Set(fallen.map(({ status }) => status))).toEqual(new Set(['invalidated']));
  const node = toNode(change(frames, fallen), f(0));
  expect(printTree(node)).toBe(
    'root* > (a:invalidated > (b:invalidated, c:completed > d:invalidated), e)',
  );
});

test('work goes on in the nearest frame of the path that is in progress, at last in the root', () => {
  const { frames } = parseTree('root:completed > a > (b:blocked > c:planned, d:planned)');
  expect(nearestLiving(frames, f(3))).toBe('f1');
  expect(nearestLiving(frames, f(0))).toBe('f0');
});

test('planned, blocked and open children keep a frame from being closed', () => {
  const { frames } = parseTree(
    'root > (a:planned, b:blocked, c:completed, d:failed, e:invalidated, g)',
  );
  const left = childrenLeft(frames, frameOf(frames, 'f0')).map(({ title }) => title);
  expect(left).toEqual(['a', 'b', 'g']);
});

test('frames of a branch that was left are in no tree, and told apart with their entries', () => {
  const { frames } = parseTree('root > (a, b, c)');
  const tree = change(frames, [
    { ...frameOf(frames, 'f1'), branch: 7, span: [4, 9] },
    { ...frameOf(frames, 'f2'), branch: 7 },
  ]);
  expect(leftFrames(tree)).toEqual([
    { id: 'f1', title: 'a', parent: 'f0', entries: { from: 'e4', to: 'e9' } },
    { id: 'f2', title: 'b', parent: 'f0', entries: null },
  ]);
  expect(printTree(toNode(tree, f(3)))).toBe('root > c*');
});
