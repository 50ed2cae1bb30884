import { expect, test } from 'vitest';
import type { Frame } from '../../../src/core/frames/frame.ts';
import { isClosed, isOpen, rootTitle } from '../../../src/core/frames/frame.ts';
import { frameText, isTelling } from '../../../src/core/frames/frame-text.ts';
import { recentResults, resultsOnPath } from '../../../src/core/frames/recent-results.ts';
import { change, frameOf } from '../../../src/core/frames/tree.ts';
import { frameId, textId } from '../../../src/core/values/id.ts';
import { play } from '../../notation/state.ts';

const { frames } = play('push:a a2 a2 pop').state;
const [root, a] = [frameOf(frames, 'f0'), frameOf(frames, 'f1')];

const results = {
  ...a.results!,
  brief: 'It broke',
  artifacts: ['a.ts'],
  decisions: ['Use tabs', 'No cache'],
};

test.each<readonly [string, Frame, string, readonly string[]]>([
  ['the root', root, '', ['Frame f0 "root": in_progress']],
  [
    'a frame',
    { ...a, results: null },
    '',
    ['Frame f1 "a": completed, part of f0, entries e1–e2', 'Success criteria: a works'],
  ],
  [
    'a frame with all there is',
    {
      ...a,
      status: 'failed',
      retryOf: frameId(9),
      reason: 'No time',
      results: { ...results, harvested: ['decisions'], failing: ['npm test'] },
    },
    'It broke\nin two',
    [
      'Frame f1 "a": failed, part of f0, tries f9 again, entries e1–e2',
      'Success criteria: a works',
      'Results:',
      'It broke',
      'in two',
      'Failing, told from the log:',
      '- npm test',
      'Reason: No time',
      'Decisions, told from the log:',
      '- Use tabs',
      '- No cache',
      'Artifacts:',
      '- a.ts',
    ],
  ],
  [
    'a frame whose reason is its results',
    {
      ...a,
      criteria: ' ',
      span: null,
      reason: 'It broke',
      results: { ...results, decisions: [], harvested: ['artifacts'] },
    },
    'It broke',
    [
      'Frame f1 "a": completed, part of f0',
      'Results: It broke',
      'Artifacts, told from the log:',
      '- a.ts',
    ],
  ],
])('the text of %s', (...[, frame, text, lines]) => {
  expect(frameText(frame, text).split('\n')).toEqual(lines);
});

test('a frame tells more than its title where it has criteria, results or a reason, and is on no branch that was left', () => {
  const bare: Frame = { ...a, criteria: '', results: null };
  const all: Frame[] = [
    bare,
    { ...bare, criteria: 'x' },
    { ...bare, results },
    { ...bare, reason: '' },
    { ...a, branch: 3 },
  ];
  expect(all.map(isTelling)).toEqual([false, true, true, true, false]);
});

test.each([
  ['planned', false, false],
  ['in_progress', true, false],
  ['blocked', true, false],
  ['completed', false, true],
  ['failed', false, true],
  ['invalidated', false, true],
] as const)('a frame that is %s is open: %j, closed: %j', (status, open, closed) => {
  expect([isOpen({ ...a, status }), isClosed({ ...a, status })]).toEqual([open, closed]);
});

test.each([
  [' Move  the\ntokens ', 'Move the tokens'],
  [' \n', 'Session'],
  ['x'.repeat(61), 'x'.repeat(60)],
  ['😀'.repeat(61), '😀'.repeat(60)],
])('the title of a root is one line: %j is %j', (title, line) => {
  expect(rootTitle(title)).toBe(line);
});

test('of the newest children those with results that are not too long may stand in full, the newest first', () => {
  const line = 'push:a pop plan:p push:b pop push:c pop push:x push:y pop';
  const { state } = play(line);
  const [c] = [frameOf(state.frames, 'f4')];
  const sized = (tokens: number) =>
    change(state.frames, [{ ...c, results: { ...c.results!, text: textId(1), tokens } }]);
  const of = (tokens: number) =>
    recentResults(sized(tokens), frameOf(sized(tokens), 'f0')).map(({ id }) => id);
  expect(of(8_000)).toEqual(['f4', 'f3', 'f1']);
  expect(of(8_001)).toEqual(['f3', 'f1']);
  expect([...resultsOnPath(state.frames, state.active)]).toEqual(['f4', 'f3', 'f1', 'f6']);
});

test('of many children 128 with results, among the newest 256', () => {
  const children = (count: number, step: string): string => Array(count).fill(step).join(' ');
  const of = (line: string): readonly string[] => {
    const { state } = play(line);
    return recentResults(state.frames, frameOf(state.frames, 'f0')).map(({ id }) => id);
  };
  const many = of(children(130, 'push:a pop'));
  expect([many.length, many[0], many.at(-1)]).toEqual([128, 'f130', 'f3']);
  const old = `${children(3, 'push:a pop')} ${children(254, 'plan:p')}`;
  expect(of(old)).toEqual(['f3', 'f2']);
});
