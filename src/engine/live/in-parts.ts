import { newRuns, type Part } from '../../core/values/parts.ts';
import type { Clock } from './clock.ts';
import { nextTurn } from './next-turn.ts';

/** How long work goes on before others get their turn, in milliseconds; as long as the way back to it took, where that is more. */
const longest = 10;

/** Does pure work, with a turn of the event loop wherever that took a while by the clock; after work that did, one before what comes of it. */
export async function inParts<T>(clock: Clock, work: (part: Part) => T): Promise<T> {
  const elapsed = (): number => clock.elapsed?.() ?? 0;
  let [start, end] = [0, 0];
  const runs = newRuns({
    begin: () => (end = elapsed() + Math.max(longest, elapsed() - start)),
    isOver: () => elapsed() > end,
  });
  for (let isLong = false; ; isLong = true) {
    start = elapsed();
    const done = runs.run(work);
    if (isLong || done === null) await nextTurn();
    if (done !== null) return done.value;
  }
}
