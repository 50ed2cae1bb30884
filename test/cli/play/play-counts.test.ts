import { expect, test } from 'vitest';
import { playCounter } from '../../../src/cli/play/play-counts.ts';
import type { SessionFact } from '../../../src/index.ts';

/** What a counter says after some facts, of which only what it looks at is given. */
function counted(...facts: readonly Readonly<Record<string, unknown>>[]) {
  const counter = playCounter();
  for (const fact of facts) counter.addFact(fact as unknown as SessionFact);
  return counter.tally;
}

test('an entry that comes in short and is shortened again is one shortened entry', () => {
  const came = { type: 'entry.appended', entry: 'e3', frame: 'f0', role: 'tool', tokens: 9_000 };
  const again = { type: 'entry.shortened', entry: 'e3', tokens: 400 };
  expect(counted({ ...came, form: 'short' }, again, again).shortened).toBe(1);
});

test('entries that are cleared or put out of view a second time are counted once', () => {
  const cleared = {
    type: 'entry.cleared',
    entries: [
      [2, 9],
      [4, 9],
    ],
  };
  const offloaded = { type: 'entry.offloaded', entries: ['e1'], quotes: [] };
  const counts = counted(cleared, { ...cleared, entries: [[4, 9]] }, offloaded, offloaded);
  expect(counts).toMatchObject({ cleared: 2, offloaded: 1 });
});
