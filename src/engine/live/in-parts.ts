import { setImmediate as nextTurn } from 'node:timers/promises';
import { newRuns, type Part } from '../../core/values/parts.ts';
import type { Clock } from './clock.ts';

/** How long work goes on before others get their turn, in milliseconds. */
const longest = 10;

/** Does pure work, with a turn of the event loop wherever that took a while by the clock. */
export async function inParts<T>(clock: Clock, work: (part: Part) => T): Promise<T> {
  const elapsed = (): number => clock.elapsed?.() ?? 0;
  let end = elapsed() + longest;
  const runs = newRuns(() => elapsed() > end);
  for (;;) {
    const done = runs.run(work);
    if (done !== null) return done.value;
    await nextTurn();
    end = elapsed() + longest;
  }
}
