import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTurn } from '../../../src/engine/live/next-turn.ts';

/** In which turn of the event loop each of several pieces of work goes on that come together and take so many milliseconds each. */
async function turnsOf(pieces: number, takes: number): Promise<readonly number[]> {
  let now = 0;
  let turn = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const count = (): void => {
    turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  onTestFinished(() => {
    clearImmediate(next);
    clock.mockRestore();
  });
  const piece = async (): Promise<number> => {
    await nextTurn();
    now += takes;
    return turn;
  };
  return Promise.all(Array.from({ length: pieces }, piece));
}

test('short pieces of work go on in one turn', async () => {
  expect(await turnsOf(4, 1)).toEqual([1, 1, 1, 1]);
});

test('pieces that take long go on one in a turn, in the order in which they came', async () => {
  expect(await turnsOf(4, 6)).toEqual([1, 2, 3, 4]);
});

test('a piece goes on under the fake timers of a test, and none keeps a later one from its turn', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await nextTurn();
  vi.useRealTimers();
  expect(await turnsOf(2, 6)).toEqual([1, 2]);
});

test('pieces go on by a clock that makes a leap each time it is looked at', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 500));
  onTestFinished(() => clock.mockRestore());
  await Promise.all(Array.from({ length: 9 }, () => nextTurn()));
});
