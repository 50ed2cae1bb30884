import type { Io } from '../io.ts';
import { readingTime, type Pace } from './pace.ts';

/** What comes after a step: the next one, the one before, one further off, the same again, or the end. */
export type Move =
  | 'next'
  | 'back'
  | 'far-next'
  | 'far-back'
  | 'first'
  | 'last'
  | 'stay'
  | 'quit'
  | 'interrupt';

/** The pace of a play, and the keys of who watches it. */
export interface Deck extends Pace {
  readonly isPaused: boolean;
  /** How fast it goes, in words. */
  readonly speed: string;
  /** Resolves with what comes; waits while it is paused. Rejects on abort. */
  move(): Promise<Move>;
  /** Has what is left played at once. */
  rush(): void;
  /** Gives the terminal back. */
  close(): void;
}

/** A play that nobody steers. */
export const unsteered = (pace: Pace): Deck => ({
  ...pace,
  isPaused: false,
  speed: '',
  move: async () => 'next',
  rush: () => undefined,
  close: () => undefined,
});

/** The keys of a direction as the kinds of terminals send them, and any single key. */
const keys = /\x1b[[O](?:[A-DFH]|[1-8]~)|[^]/g;

const moves: Readonly<Record<string, Move>> = {
  C: 'next',
  D: 'back',
  '5~': 'far-back',
  '6~': 'far-next',
  H: 'first',
  '1~': 'first',
  '7~': 'first',
  F: 'last',
  '4~': 'last',
  '8~': 'last',
};

/** What a pace that is not slowed at all is slowed to, and the fastest that one is made, in steps per second. */
const fastest = 256;
const slowest = 0.25;

/** A play of `speed` steps per second, at once for null, that is steered by the keys of a terminal. */
export function steered(
  { stdin, signal }: Pick<Io, 'stdin' | 'signal'>,
  wanted: number | null,
): Deck {
  let speed = wanted;
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
    if (key === '+' || key === '=') {
      speed = speed === null || speed * 2 > fastest ? null : speed * 2;
      return 'stay';
    }
    if (key === '-') {
      speed = Math.max(slowest, speed === null ? fastest : speed / 2);
      return 'stay';
    }
    const move = moves[key.slice(2)] ?? null;
    if (move !== null && key.length > 1 && move !== 'last') isPaused = true;
    return key.length > 1 ? move : null;
  };

  stdin.setRawMode?.(true);
  stdin.on('data', hear);
  stdin.resume();
  signal.addEventListener('abort', leave);
  return {
    get isPaused() {
      return isPaused;
    },
    get speed() {
      return speed === null
        ? 'at once'
        : `${speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed)} ${speed === 1 ? 'step' : 'steps'} a second`;
    },
    async step(read) {
      const time = speed === null ? 0 : 1_000 / speed;
      due = Math.max(due, performance.now() - 1_000) + time + read * readingTime;
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
    rush() {
      speed = null;
      isPaused = false;
    },
    close() {
      signal.removeEventListener('abort', leave);
      stdin.off('data', hear);
      stdin.setRawMode?.(false);
      stdin.pause();
    },
  };
}
