import { spawn } from 'node:child_process';
import { number } from '../../paper/size.ts';
import { withoutKeys } from '../model/server-key.ts';

/** The result of a command. */
export interface CommandResult {
  /** What it wrote to both streams, the middle left out where it is long. */
  readonly output: string;
  /** Null where it was killed. */
  readonly code: number | null;
  /** Whether it took too long. */
  readonly isLate: boolean;
}

/** How long a command that was asked to end may take for it, in milliseconds. */
const grace = 1_000;

/** How long output is waited for after a command has ended, in milliseconds. */
const outputLull = 100;

/**
 * Runs a shell command in a process group of its own, which ends with it: by
 * itself, after `timeout` milliseconds, or when the signal aborts, in which case
 * it rejects with the signal's reason.
 */
export async function runCommand(
  command: string,
  given: { folder: string; signal: AbortSignal; timeout: number; longest: number },
): Promise<CommandResult> {
  const { folder, signal, timeout, longest } = given;
  signal.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: folder,
    env: withoutKeys(process.env),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = boundedOutput(longest);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', output.add);
  }
  const kill = (with_: NodeJS.Signals): void => endGroup(child.pid, with_);
  const killed = (): void => kill('SIGKILL');
  let last: NodeJS.Timeout | undefined;
  const end = (): void => {
    kill('SIGTERM');
    last ??= setTimeout(killed, grace);
  };
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    end();
  }, timeout);
  signal.addEventListener('abort', end);
  process.on('exit', killed);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
      child.once('exit', (code) => setTimeout(() => resolve(code), outputLull));
    });
    signal.throwIfAborted();
    return { output: output.text(), code, isLate };
  } finally {
    clearTimeout(late);
    clearTimeout(last);
    killed();
    process.off('exit', killed);
    signal.removeEventListener('abort', end);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** Signals a process and all that it started; one that is gone is no failure. */
function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Keeps the beginning and the end of a text that comes in pieces. */
function boundedOutput(longest: number): { add: (piece: string) => void; text: () => string } {
  const half = Math.floor(longest / 2);
  let head = '';
  let tail = '';
  let left = 0;
  return {
    add(piece) {
      const room = half - head.length;
      head += piece.slice(0, Math.max(0, room));
      tail += piece.slice(Math.max(0, room));
      const over = tail.length - half;
      // Cutting at each piece would copy the tail each time.
      if (over <= half) return;
      left += over;
      tail = tail.slice(over);
    },
    text() {
      const over = Math.max(0, tail.length - half);
      const out = left + over;
      const rest = tail.slice(over);
      return out === 0 ? head + rest : `${head}\n[${number(out)} characters left out]\n${rest}`;
    },
  };
}
