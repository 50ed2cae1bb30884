import { once } from 'node:events';
import { startViewer } from '../../viewer/server.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { openToRead } from '../sessions/open-store.ts';
import { latestFirst, pickSession } from '../sessions/pick.ts';
import { inspections, type InspectedPart } from './inspect-events.ts';

/** Serves a page that shows the moves of a session, until the person ends it; gives the exit code. */
export async function showPage(
  said: string | undefined,
  part: InspectedPart,
  call: CommandCall,
): Promise<number> {
  const id = await sessionOf(said, call);
  const { signal } = call.io;
  const viewer = await startViewer({
    routes: {
      async *inspections(gone) {
        yield { live: part.live === true };
        const io = { ...call.io, signal: AbortSignal.any([signal, gone]) };
        yield* inspections({ ...call, io }, id, part);
      },
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

/** The session that is meant, by its id; throws where there is none. */
async function sessionOf(said: string | undefined, call: CommandCall): Promise<string> {
  await using store = await openToRead(call);
  return pickSession(await latestFirst(store), said).id;
}
