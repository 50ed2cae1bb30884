import { openStore, type Session, type Store } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { paceText } from '../call/pace-text.ts';
import { statusLine } from '../call/status-line.ts';
import { number } from '../paper/size.ts';

/** A session as it would be in another window, in a store in memory; its entries have the same ids. */
export interface OtherWindow extends AsyncDisposable {
  /** In tokens. */
  readonly window: number;
  readonly store: Store;
  readonly session: Session;
}

/** Plays a session through another window, in memory. */
export async function playThrough(
  session: Session,
  { window, call }: { readonly window: number; readonly call: CommandCall },
): Promise<OtherWindow> {
  const { entries } = session.state;
  const status = statusLine(call);
  const begun = performance.now();
  const store = await openStore(':memory:');
  try {
    await store.import(linesOf(session), {
      id: session.id,
      window,
      format: 'flamestack',
      signal: call.io.signal,
      onProgress: ({ appended }) =>
        status.say(() => {
          const share = Math.min(1, appended / entries);
          const pace = paceText({ count: appended, what: 'entries', share }, begun);
          return `${pace}  through ${number(window)} tokens`;
        }),
    });
    const played = await store.open(session.id);
    await played.settled();
    return { window, store, session: played, [Symbol.asyncDispose]: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  } finally {
    status.clear();
  }
}

async function* linesOf(session: Session): AsyncGenerator<string> {
  for await (const line of session.export()) yield `${JSON.stringify(line)}\n`;
}
