import { expect, test } from 'vitest';
import type { OpenSession } from '../../../../src/cli/browse/browsing.ts';
import { lossPane } from '../../../../src/cli/browse/panes/loss-pane.ts';
import { browsingOf, sizeOf } from '../stage.ts';

const { paper } = sizeOf(120, 40, true);

const linesOf = (open: OpenSession): readonly string[] => {
  const { head, rows } = lossPane(open, paper);
  return [...head, ...Array.from({ length: rows.length }, (_, at) => rows.row(at).text)];
};

test('names that stayed are told as those of all the prompt, not of the entries that were compressed', () => {
  expect(linesOf(browsingOf(50).open!)).toContain(
    'Names in all of the prompt: 9 gone, 12 stayed, 2 new',
  );
});
