import { expect, test } from 'vitest';
import { nothingReported, openAround } from '../../../src/core/state/document-schedule.ts';
import { parseTree } from '../../notation/tree.ts';

test('what is open or to do around the path is told, with its status', () => {
  const line =
    'root > (a:completed > b:planned, c:planned, d > (e* > f:planned, g:blocked), h:failed, i:invalidated)';
  const { frames, active } = parseTree(line);
  expect(openAround(frames, active)).toEqual({
    f3: 'planned',
    f4: 'in_progress',
    f5: 'in_progress',
    f6: 'planned',
    f7: 'blocked',
  });
});

test('before the first document nothing is told', () => {
  expect(nothingReported).toEqual({
    id: '',
    messages: 0,
    turns: 0,
    tokens: 0,
    goal: null,
    made: 1,
    frames: {},
    list: [],
  });
});
