import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Question } from './answer.ts';

/** What came of a question: an answer, or the end of the process that was asked. */
export type Outcome = Answer | { readonly ended: 'abort' | 'hang' };

/** Asks a process that may be ended by what it opens. */
export interface Opener {
  ask(question: Question): Promise<Outcome>;
  close(): void;
}

/** How long a store may take, in milliseconds. */
const patience = 60_000;

/** Opens stores in a child process; a new one where that ends. */
export function newOpener(): Opener {
  let child: ChildProcess | null = null;
  const start = (): ChildProcess => fork(fileURLToPath(new URL('worker.js', import.meta.url)));
  return {
    ask: (question) =>
      new Promise((resolve) => {
        const asked = (child ??= start());
        const settle = (outcome: Outcome): void => {
          clearTimeout(timer);
          asked.off('message', settle).off('exit', onExit);
          resolve(outcome);
        };
        const onExit = (): void => {
          child = null;
          settle({ ended: 'abort' });
        };
        const timer = setTimeout(() => {
          asked.off('exit', onExit);
          asked.kill('SIGKILL');
          child = null;
          settle({ ended: 'hang' });
        }, patience);
        asked.on('message', settle).on('exit', onExit);
        asked.send(question);
      }),
    close: () => child?.disconnect(),
  };
}
