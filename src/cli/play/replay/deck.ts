import type { Io } from '../../io.ts';
import type { Pace } from '../pace.ts';

/** What comes after a step: the next one, the one before, the same again, or the end. */
export type Move = 'next' | 'back' | 'stay' | 'quit' | 'interrupt';

/** The pace of a replay, and the keys of who watches it. */
export interface Deck extends Pace {
  readonly isPaused: boolean;
  /** Resolves with what comes; waits while it is paused. Rejects on abort. */
  move(): Promise<Move>;
  /** Gives the terminal back. */
  close(): void;
}

/** A replay that nobody steers. */
export const unsteered = (pace: Pace): Deck => ({
  ...pace,
  isPaused: false,
  move: async () => 'next',
  close: () => undefined,
});

/** The arrows as both kinds of terminals send them, and any single key. */
const keys = /\x1b[[O][CD]|[^]/g;

/** A replay of `speed` steps per second, at once for null, that is steered by the keys of a terminal. */
export function steered(
  { stdin, signal }: Pick<Io, 'stdin' | 'signal'>,
  speed: number | null,
): Deck {
  const pressed: string[] = [];
  let isPaused = false;
  let wake = (): void => undefined;
  let due = performance.now();

  const hear = (chunk: string | Buffer): void => {
    pressed.push(...(String(chunk).match(keys) ?? []));
    wake();
  };
  const leave = (): void => wake();
  const woken = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const moveOf = (key: string): Move | null => {
    if (key === ' ') {
      isPaused = !isPaused;
      return 'stay';
    }
    if (key === 'q' || key === '\x04') return 'quit';
    if (key === '\x03') return 'interrupt';
    if (!/^\x1b[[O]/.test(key)) return null;
    isPaused = true;
    return key.endsWith('D') ? 'back' : 'next';
  };

  stdin.setRawMode?.(true);
  stdin.on('data', hear);
  stdin.resume();
  signal.addEventListener('abort', leave);
  return {
    get isPaused() {
      return isPaused;
    },
    async step() {
      due = Math.max(due, performance.now() - 1_000) + (speed === null ? 0 : 1_000 / speed);
      const wait = due - performance.now();
      if (!isPaused && pressed.length === 0 && !signal.aborted)
        await woken(speed === null ? 0 : Math.max(0, wait));
    },
    async move() {
      for (;;) {
        signal.throwIfAborted();
        const key = pressed.shift();
        const move = key === undefined ? null : moveOf(key);
        if (move !== null) return move;
        if (pressed.length > 0) continue;
        if (!isPaused) return 'next';
        await woken();
        due = performance.now();
      }
    },
    close() {
      signal.removeEventListener('abort', leave);
      stdin.off('data', hear);
      stdin.setRawMode?.(false);
      stdin.pause();
    },
  };
}
