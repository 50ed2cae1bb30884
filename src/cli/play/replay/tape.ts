import type { ReplayStep } from '../../../index.ts';

/** Steps that can be walked both ways. */
export interface Tape {
  /** The step after the last one that was given; null behind the end. */
  next(): Promise<ReplayStep | null>;
  /** The step before it; null before the beginning. */
  back(): Promise<ReplayStep | null>;
  /** A step that was given already. */
  to(seq: number): Promise<ReplayStep>;
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

  const to = async (seq: number): Promise<ReplayStep> => {
    const [oldest] = held;
    if (oldest !== undefined && seq < oldest.seq) {
      await steps.return?.();
      steps = read(Math.max(first, seq - mostHeld + 1))[Symbol.asyncIterator]();
      held = [];
      while (held.at(-1)?.seq !== seq) await pull();
    }
    index = held.findIndex((step) => step.seq === seq);
    return held[index]!;
  };

  return {
    to,
    async next() {
      if (index + 1 === held.length) return pull();
      index += 1;
      return held[index]!;
    },
    async back() {
      const seq = held[index]?.seq ?? first;
      return seq === first ? null : to(seq - 1);
    },
  };
}
