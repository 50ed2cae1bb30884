import { openStore, type Session } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { statusLine } from '../call/status-line.ts';
import { number, percent } from '../paper/size.ts';

/** Plays a session through another window, in memory, and gives what it comes to there to `work`. */
export async function inWindow<T>(
  session: Session,
  { window, call }: { readonly window: number; readonly call: CommandCall },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { entries } = session.state;
  const status = statusLine(call);
  await using store = await openStore(':memory:');
  try {
    await store.import(linesOf(session), {
      id: session.id,
      window,
      format: 'flamestack',
      signal: call.io.signal,
      onProgress: ({ appended }) =>
        status.say(
          () =>
            `${percent(Math.min(1, appended / entries))} played through ${number(window)} tokens`,
        ),
    });
  } finally {
    status.clear();
  }
  await using other = await store.open(session.id);
  await other.settled();
  call.note(
    `As it would be in a window of ${number(window)} tokens (its own has ${number(session.state.budget.window)}); nothing is kept.`,
  );
  return await work(other);
}

async function* linesOf(session: Session): AsyncGenerator<string> {
  for await (const line of session.export()) yield `${JSON.stringify(line)}\n`;
}
