import type { CommandCall } from '../call/call.ts';
import { servePage } from '../sessions/serve-page.ts';
import { inspections, type InspectedPart } from './inspect-events.ts';

/** Serves a page that shows the moves of a session, until the person ends it; gives the exit code. */
export const showPage = (
  said: string | undefined,
  part: InspectedPart,
  call: CommandCall,
): Promise<number> =>
  servePage(call, said, {
    page: 'inspector',
    routes: (id) => ({
      async *inspections(signal) {
        yield { live: part.live === true };
        yield* inspections({ ...call, io: { ...call.io, signal } }, id, part);
      },
    }),
  });
