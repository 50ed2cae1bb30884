import { endOfInput, interrupt, type TerminalKeys } from './keys.ts';
import type { Person } from './person.ts';

/** Two of Ctrl-C within this mean to leave, in milliseconds. */
const twiceWithin = 2_000;

/** Keys that stop work under way. */
export interface StopKeys {
  /** Does as Ctrl-C does, where something else reads the keys. */
  press(): void;
  /** Does work that Ctrl-C stops; Ctrl-D, and Ctrl-C twice, leave as well. */
  during: Person['during'];
}

/** What stops work at these keys, or by `signal`; `leave` is called when somebody wants out. */
export function stopKeys(around: {
  readonly keys: TerminalKeys;
  readonly signal: AbortSignal;
  readonly leave: () => void;
}): StopKeys {
  const { keys, signal, leave } = around;
  let press = (): void => undefined;
  return {
    press: () => press(),
    async during(work) {
      const ending = new AbortController();
      const end = (): void => ending.abort();
      const outer = press;
      press = pressOf(end, leave);
      const back = keys.divert((text) => {
        if (text.startsWith(endOfInput) && !keys.isAhead) {
          leave();
          end();
          return '';
        }
        const times = text.split(interrupt).length - 1;
        for (let time = 0; time < times; time += 1) press();
        return times === 0 ? text : '';
      });
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      try {
        return await work(ending.signal);
      } finally {
        press = outer;
        back();
        signal.removeEventListener('abort', end);
      }
    },
  };
}

/** Ends at each press, and leaves where one follows another soon. */
function pressOf(end: () => void, leave: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - last < twiceWithin) leave();
    last = now;
    end();
  };
}
