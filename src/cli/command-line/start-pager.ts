import { spawn } from 'node:child_process';
import type { Pager } from '../io.ts';

/** Exit codes of a shell that found no such program, or may not start it. */
const notStarted = [126, 127];

/** Whether a pager has the terminal: then Ctrl-C is its own. */
let running = 0;
export const isPaging = (): boolean => running > 0;

/** Starts a pager at the terminal of this process, as a shell does. */
export function startPager(command: string): Pager {
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LESSCHARSET: 'utf-8', ...process.env },
  });
  let isLeft = false;
  running += 1;
  const ended = new Promise<number | null>((resolve) => {
    const end = (code: number | null): void => {
      if (!isLeft) running -= 1;
      isLeft = true;
      resolve(code);
    };
    child.on('close', end);
    child.on('error', () => end(notStarted[0]!));
  });
  // Who quits a pager has seen enough.
  child.stdin.on('error', () => undefined);
  return {
    get isLeft() {
      return isLeft;
    },
    write: (text) => void child.stdin.write(text),
    async end() {
      child.stdin.end();
      return !notStarted.includes((await ended) ?? 0);
    },
  };
}
