import type { Session } from '../../index.ts';
import type { Lines } from '../../viewer/server.ts';
import type { CommandCall } from '../call/call.ts';
import { playThrough, type OtherWindow } from '../sessions/other-window.ts';
import { servePage, type ServedPage } from '../sessions/serve-page.ts';
import { readSession } from '../sessions/with-session.ts';
import {
  changeAt,
  changeFrom,
  entriesBehind,
  entriesNaming,
  entriesOfFrame,
  entriesWith,
  movesAt,
  promptAt,
  sourcesOf,
} from './session-answers.ts';
import { sessionSteps, storedSteps } from './session-steps.ts';

/** Options of `view` alone. */
export interface ViewOptions {
  /** Whether it goes on with what comes. */
  readonly live?: boolean | undefined;
  /** Another window to see it in beside its own, in tokens. */
  readonly window?: number | undefined;
}

/** Serves the page of a session, until the person ends it; gives the exit code. */
export async function view(
  said: string | undefined,
  { live = false, window }: ViewOptions,
  call: CommandCall,
): Promise<number> {
  await using other =
    window === undefined
      ? null
      : await readSession(call, said, (session) => playThrough(session, { window, call }));
  return await servePage(call, other?.session.id ?? said, sessionPage(call, { live, other }));
}

/** The page of a session, which goes on with what comes where it is `live`, or has another window beside its own. */
export function sessionPage(
  call: CommandCall,
  { live, other = null }: { readonly live: boolean; readonly other?: OtherWindow | null },
): ServedPage {
  return {
    page: 'session',
    routes: (id) => {
      const answer = answering(call, id);
      return {
        steps: (signal) => sessionSteps(call, id, { live, signal, other: other?.window }),
        prompt: answer((session, { seq }) => promptAt(session, seq)),
        change: answer((session, { seq }) => changeAt(session, seq)),
        moves: answer((session, { seq }) => movesAt(session, seq)),
        entries: answer((session, { of }) => entriesBehind(session, of)),
        frame: answer((session, { of }) => entriesOfFrame(session, of)),
        search: answer((session, { of }) => entriesWith(session, of)),
        sources: answer((session, { of, seq }) => sourcesOf(session, { text: of, seq })),
        named: answer((session, { of, seq }) => entriesNaming(session, { name: of, seq })),
        ...(other !== null && {
          otherSteps: (signal) => storedSteps(other.store, other.session, signal),
          otherPrompt: answer((_, { seq }) => promptAt(other.session, seq)),
          more: answer((session, asked) => changeFrom(other.session, session, asked)),
        }),
      };
    },
  };
}

/** What a link of the page asks for: an id or words, a step, and one of the other window. */
interface Asked {
  readonly of: string;
  readonly seq: number;
  readonly other: number;
}

/** A route that gives one answer of a session. */
const answering =
  (call: CommandCall, id: string) =>
  (work: (session: Session, asked: Asked) => Promise<unknown>): Lines =>
    async function* (_, asked) {
      const of = asked.get('of') ?? '';
      const [seq, other] = [Number(asked.get('seq')), Number(asked.get('other'))];
      yield await readSession(call, id, (session) => work(session, { of, seq, other }));
    };
