import { expect, test } from 'vitest';
import { emptyDocument, type CheckpointDocument } from '../../../src/core/documents/document.ts';
import { foldDocuments } from '../../../src/core/documents/fold-documents.ts';

/** A document that tells what changed since another, '' where it tells all. */
const document = (
  id: string,
  after: string,
  more: Partial<CheckpointDocument> = {},
): CheckpointDocument => ({ ...emptyDocument, id, after, ...more });

const item = (text: string, done = false) => ({ text, done });
const file = (path: string, change: string) => ({ path, change });

test('documents are one from the last that tells all on', () => {
  const all = foldDocuments([
    document('d1', '', { actions: [item('Old')] }),
    document('d2', 'd1', { actions: [item('Older')] }),
    document('d3', '', { goal: 'Ship it', asked: 'e1', actions: [item('Read'), item('Write')] }),
    document('d4', 'd3', {
      goal: 'Ship…',
      isSameGoal: true,
      actions: [item('Read', true)],
      next: 'Write',
    }),
  ]);
  expect(all).toMatchObject({
    id: 'd4',
    after: '',
    goal: 'Ship it',
    asked: 'e1',
    isSameGoal: false,
    next: 'Write',
  });
  expect(all!.actions).toEqual([item('Read', true), item('Write')]);
  expect(foldDocuments([])).toBe(undefined);
});

test('where none tells all, the first is where it begins, and its goal may be told in part', () => {
  const all = foldDocuments([
    document('d4', 'd3', { goal: 'Ship…', isSameGoal: true, files: [file('a.ts', 'created')] }),
    document('d5', 'd4', {
      goal: 'Ship…',
      isSameGoal: true,
      files: [file('b.ts', 'changed')],
      edited: 'x',
    }),
    document('d6', 'd5', { goal: 'Fix it', edited: 'y' }),
  ]);
  expect(all).toMatchObject({ id: 'd6', goal: 'Fix it', isSameGoal: false, edited: 'x\n\ny' });
  expect(all!.files.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
  expect(foldDocuments([document('d4', 'd3', { isSameGoal: true })])).toMatchObject({
    isSameGoal: true,
  });
});
