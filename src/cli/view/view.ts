import { once } from 'node:events';
import type { Session } from '../../index.ts';
import { startViewer, type Lines } from '../../viewer/server.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { readSession } from '../sessions/with-session.ts';
import {
  changeAt,
  entriesBehind,
  entriesNaming,
  entriesOfFrame,
  entriesWith,
  promptAt,
  sourcesOf,
} from './session-answers.ts';
import { sessionSteps } from './session-steps.ts';

/** Options of `view` alone. */
export interface ViewOptions {
  /** Whether it goes on with what comes. */
  readonly live?: boolean | undefined;
}

/** Serves the page of a session, until the person ends it; gives the exit code. */
export async function view(
  said: string | undefined,
  { live = false }: ViewOptions,
  call: CommandCall,
): Promise<number> {
  const id = await readSession(call, said, async (session) => session.id);
  const { signal } = call.io;
  const answer = (work: (session: Session, asked: URLSearchParams) => Promise<unknown>): Lines =>
    async function* (_, asked) {
      yield await readSession(call, id, (session) => work(session, asked));
    };
  const viewer = await startViewer({
    page: 'session',
    routes: {
      steps: (gone) => sessionSteps(call, id, { live, signal: AbortSignal.any([signal, gone]) }),
      prompt: answer((session, asked) => promptAt(session, Number(asked.get('seq')))),
      change: answer((session, asked) => changeAt(session, Number(asked.get('seq')))),
      entries: answer((session, asked) => entriesBehind(session, asked.get('of') ?? '')),
      frame: answer((session, asked) => entriesOfFrame(session, asked.get('of') ?? '')),
      search: answer((session, asked) => entriesWith(session, asked.get('of') ?? '')),
      sources: answer((session, asked) =>
        sourcesOf(session, { text: asked.get('of') ?? '', seq: Number(asked.get('seq')) }),
      ),
      named: answer((session, asked) =>
        entriesNaming(session, { name: asked.get('of') ?? '', seq: Number(asked.get('seq')) }),
      ),
    },
  });
  if (call.json) call.emit('flamestack.page/1', { session: id, link: viewer.link });
  else call.print(viewer.link);
  call.note('Whoever has this link sees the session. Ctrl-C ends the page.');
  if (!signal.aborted) await once(signal, 'abort');
  await viewer.close();
  signal.throwIfAborted();
  return exits.done;
}
