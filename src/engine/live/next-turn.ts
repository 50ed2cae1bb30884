import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

// Work that lets others get their turn goes on in a later one. Several pieces of it that came together would
// keep everything else waiting for the sum of them, so those that come late in a turn wait for the next. The
// timers are those of Node: a program's fake ones would keep every session waiting for a tick of theirs.

/** How long the pieces of one turn may have taken before another goes on in it, in milliseconds. */
const longest = 5;

/** Pieces that wait, the oldest first. */
const waiting: (() => void)[] = [];

/** When the first piece of this turn went on; null where none has. */
let begun: number | null = null;

/** Waits for a turn of the event loop that has room for what comes. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    setImmediate(goOn);
  });
}

/**
 * Lets the oldest piece go on, where there is room in this turn, and in any case the first of a turn: each wait
 * asks once, whichever piece that serves.
 */
function goOn(): void {
  if (begun === null) beginTurn();
  else if (performance.now() - begun > longest) {
    setImmediate(goOn);
    return;
  }
  waiting.shift()!();
}

function beginTurn(): void {
  begun = performance.now();
  setImmediate(() => (begun = null));
}
