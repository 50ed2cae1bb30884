import type { ReplayStep } from '../../../index.ts';

/** Steps that can be walked both ways. */
export interface Tape {
  /** The step after the last one that was given; null behind the end. */
  next(): Promise<ReplayStep | null>;
  /** The step before it; null before the beginning. */
  back(): Promise<ReplayStep | null>;
}

/** Steps that are held, so that going back a little reads nothing. */
const mostHeld = 256;

/** The steps that `read` gives from one on, from `first`. */
export function openTape(read: (from: number) => AsyncIterable<ReplayStep>, first: number): Tape {
  let steps = read(first)[Symbol.asyncIterator]();
  let held: ReplayStep[] = [];
  let index = -1;

  const pull = async (): Promise<ReplayStep | null> => {
    const { value, done } = await steps.next();
    if (done === true) return null;
    held.push(value);
    if (held.length > mostHeld) held.shift();
    index = held.length - 1;
    return value;
  };

  return {
    async next() {
      if (index + 1 === held.length) return pull();
      index += 1;
      return held[index]!;
    },
    async back() {
      const seq = held[index]?.seq ?? first;
      if (seq === first) return null;
      if (index === 0) {
        await steps.return?.();
        steps = read(Math.max(first, seq - mostHeld))[Symbol.asyncIterator]();
        held = [];
        while (held.at(-1)?.seq !== seq - 1) await pull();
      } else index -= 1;
      return held[index]!;
    },
  };
}
