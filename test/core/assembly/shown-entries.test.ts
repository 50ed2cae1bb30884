import { expect, test } from 'vitest';
import {
  headOf,
  itemOut,
  type Assembly,
  type OutMessage,
} from '../../../src/core/assembly/assembly.ts';
import { uncoveredEntries } from '../../../src/core/assembly/coverage.ts';
import { difference } from '../../../src/core/assembly/diff.ts';
import { droppedEntries } from '../../../src/core/assembly/dropped-entries.ts';
import { play, type Played } from '../../notation/state.ts';

// An entry is shown by a message of its own, or among what people said earlier.

function messagesOf({ state, bodies }: Played): readonly OutMessage[] {
  const { items } = state.views.get(state.active)!;
  return [...headOf(state, bodies), ...items.map((item) => itemOut(item, bodies))];
}

const assemblyOf = (line: string): Assembly => {
  const messages = messagesOf(play(line));
  const total = messages.reduce((sum, { tokens }) => sum + tokens, 0);
  return { id: 'a', epoch: 1, messages, budget: { total } as Assembly['budget'], openCalls: [] };
};

const line = 'u5 u6 a9 u7 a9 checkpoint:7 epoch u8';

test('what people said earlier is covered', () => {
  const played = play(line);
  const messages = messagesOf(played);
  expect(messages[0]).toMatchObject({ kind: 'made', entries: ['e1', 'e2'] });
  expect(uncoveredEntries(played.state, messages)).toEqual([]);
  const checkpoints = [...played.state.views].map(([id, view]) => [
    id,
    { ...view, checkpoints: [] },
  ]);
  const bare = { ...played.state, views: new Map(checkpoints as never) } as typeof played.state;
  expect(uncoveredEntries(bare, messages)).toEqual([3, 5]);
});

test('where a server drops the start, what people said earlier went with it', () => {
  const { messages } = assemblyOf(line);
  const newest = messages.slice(2).reduce((sum, { tokens }) => sum + tokens, 0);
  expect(droppedEntries(messages, { ratio: 1, overhead: 0 }, newest)).toEqual([
    { from: 'e1', to: 'e2' },
  ]);
});

test('an entry that joins what was said earlier is still there', () => {
  const [before, after] = [assemblyOf('u5 u6 a9 u7 a9'), assemblyOf(line)];
  expect(difference(before, after).entries.map(({ entry, after }) => `${entry} ${after}`)).toEqual([
    'e3 null',
    'e5 null',
    'e6 entry',
  ]);
});
