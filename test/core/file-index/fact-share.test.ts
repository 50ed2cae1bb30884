import { expect, test } from 'vitest';
import { shareOf } from '../../../src/core/file-index/fact-share.ts';

test.each([
  ['port: 8080', 0.33],
  ['limits.port: 8080', 0.33],
  ['dependencies.left-pad: "^1.3.0"', 0.1],
  ['load(id: string): Row', 1],
  ['## The store', 0.15],
  ['TestLoadKeepsRows(t *testing.T) (if ok: Fatalf “no rows”)', 0.4],
  ['newPots(tb testing.TB, size int)', 0.4],
  ['test “a row is kept”', 0.4],
  ['Testing(t *thing.T)', 1],
  ['setup()', 0.1],
  ['_common_setup()', 0.1],
  ['tearDownClass(cls)', 0.1],
  ['setupRows()', 1],
])('%s weighs %d', (text, share) => {
  expect(shareOf(text)).toBe(share);
});
