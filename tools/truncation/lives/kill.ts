import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../../../src/index.ts';
import { playStep, playAfterCut, type Outcome } from './life.ts';
import type { Random } from '../../random.ts';
import { beginRun, type Run } from './run.ts';
import { subjectOf, type Subject } from './subject.ts';
import { firstLines } from './first-lines.ts';

// A process is killed when it asks for a summary: what was said is in the log, and the
// checkpoint that is to stand for it is not. Its host begins anew, with the newest message.

/** Which session is played, and which of its summaries is the last thing that the process asks for. */
export interface KillPoint {
  readonly file: string;
  readonly window: number;
  readonly summary: number;
}

/** A session without its frames and goals, so that the log alone says how far it came. */
export async function flatSubject(file: string, window: number): Promise<Subject> {
  const subject = await subjectOf(file, window);
  const steps = subject.history.steps.filter(({ type }) => type === 'entry');
  return { ...subject, history: { ...subject.history, steps } };
}

/** What a process does that will be killed: plays until it asks for that summary. */
export async function playUntilKilled(
  { file, window, summary }: KillPoint,
  location: string,
): Promise<void> {
  const subject = await flatSubject(file, window);
  let asked = 0;
  const summarizer = firstLines(() => {
    asked += 1;
    if (asked === summary) process.kill(process.pid, 'SIGKILL');
  });
  await using run = await beginRun(subject, { summarizer, location });
  for (const step of subject.history.steps) await playStep(run, step);
}

/** Lets the program `victim` be killed, opens what it left, and looks at what the session knows; null where it asked for fewer summaries. */
export async function playKilled(
  subject: Subject,
  { killing, victim, random }: { killing: KillPoint; victim: string; random: Random },
): Promise<{ readonly outcome: Omit<Outcome, 'spared'>; readonly from: number } | null> {
  const folder = await mkdtemp(join(tmpdir(), 'flamestack-killed-'));
  try {
    const location = join(folder, 'store');
    const { file, window, summary } = killing;
    const child = spawn(
      process.execPath,
      [victim, file, String(window), String(summary), location],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (signal !== 'SIGKILL') return null;
    await using run = await beginRun(subject, { summarizer: firstLines(), location });
    const { newest, from } = await farthest(run, subject);
    const outcome = await playAfterCut(run, subject, {
      from,
      random,
      async happen() {
        run.list = [newest];
        await run.session.sync(run.list);
      },
    });
    return { outcome, from };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The newest message that came into the log, and the step after it. */
async function farthest(
  { session }: Run,
  { history }: Subject,
): Promise<{ readonly newest: Message; readonly from: number }> {
  let entries = 0;
  for await (const _ of session.log()) entries += 1;
  let met = 0;
  for (const [index, step] of history.steps.entries()) {
    if (step.type !== 'entry' || step.entry.message === null) continue;
    met += 1;
    if (met === entries) return { newest: step.entry.message, from: index + 1 };
  }
  throw new Error(`The log has ${entries} entries, and the history ${met}`);
}
