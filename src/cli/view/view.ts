import type { Session } from '../../index.ts';
import type { Lines } from '../../viewer/server.ts';
import type { CommandCall } from '../call/call.ts';
import { servePage, type ServedPage } from '../sessions/serve-page.ts';
import { readSession } from '../sessions/with-session.ts';
import {
  changeAt,
  entriesBehind,
  entriesNaming,
  entriesOfFrame,
  entriesWith,
  movesAt,
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
export const view = (
  said: string | undefined,
  { live = false }: ViewOptions,
  call: CommandCall,
): Promise<number> => servePage(call, said, sessionPage(call, live));

/** The page of a session, which goes on with what comes where it is `live`. */
export function sessionPage(call: CommandCall, live: boolean): ServedPage {
  return {
    page: 'session',
    routes(id) {
      const answer = (work: (session: Session, asked: Asked) => Promise<unknown>): Lines =>
        async function* (_, asked) {
          const [of, seq] = [asked.get('of') ?? '', Number(asked.get('seq'))];
          yield await readSession(call, id, (session) => work(session, { of, seq }));
        };
      return {
        steps: (signal) => sessionSteps(call, id, { live, signal }),
        prompt: answer((session, { seq }) => promptAt(session, seq)),
        change: answer((session, { seq }) => changeAt(session, seq)),
        moves: answer((session, { seq }) => movesAt(session, seq)),
        entries: answer((session, { of }) => entriesBehind(session, of)),
        frame: answer((session, { of }) => entriesOfFrame(session, of)),
        search: answer((session, { of }) => entriesWith(session, of)),
        sources: answer((session, { of, seq }) => sourcesOf(session, { text: of, seq })),
        named: answer((session, { of, seq }) => entriesNaming(session, { name: of, seq })),
      };
    },
  };
}

/** What a link of the page asks for: an id or words, and a step. */
interface Asked {
  readonly of: string;
  readonly seq: number;
}
