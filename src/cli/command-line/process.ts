import { constants } from 'node:os';
import { exits, outputFailure } from '../call/exit.ts';
import { reportFailure } from '../call/report.ts';
import type { Io } from '../io.ts';
import { isPaging, startPager } from './start-pager.ts';

/** Runs a program in this process, with its words, streams and signals; its exit code is that of the process. */
export async function runInProcess(
  program: (words: readonly string[], io: Io) => Promise<number>,
): Promise<void> {
  // The first signal asks the command to end well: it finishes the write in
  // flight and says what there is to say. The second one ends the process.
  const leave = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (signal === 'SIGINT' && isPaging()) return;
      const code = 128 + constants.signals[signal];
      if (leave.signal.aborted) process.exit(code);
      leave.abort(code);
    });

  // A reader that had enough, as `head` does, is no failure; a full disk is. Where
  // stderr itself takes nothing, nobody can be told.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(exits.done);
      const json = process.argv.includes('--json');
      if (stream === process.stdout) reportFailure(outputFailure(error), { io: process, json });
      process.exit(exits.failed);
    });

  // Whatever ends the process, the cursor comes back.
  if (process.stdout.isTTY)
    process.on('exit', () => {
      if (leave.signal.aborted) process.stdout.write('\x1b[?25h');
    });

  const { stdout, stderr, env } = process;
  process.exitCode = await program(process.argv.slice(2), {
    // Only who reads from it opens it.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    startPager,
    signal: leave.signal,
  });
}
