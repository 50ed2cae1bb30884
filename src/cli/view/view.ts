import type { Session } from '../../index.ts';
import type { Lines } from '../../viewer/server.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { reportFailure } from '../call/report.ts';
import { playThrough, type OtherWindow } from '../sessions/other-window.ts';
import { keptLinks } from '../sessions/page-links.ts';
import { servePage, type ServedPage } from '../sessions/serve-page.ts';
import { readSession, readStore } from '../sessions/with-session.ts';
import {
  changeAt,
  changeFrom,
  compareSessions,
  entriesBehind,
  entriesNaming,
  entriesOfFrame,
  entriesInStore,
  lackingAt,
  listedSessions,
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
  /** Another session to see beside it, in words of a person. */
  readonly beside?: string | undefined;
  /** Whether the links of pages that are served are told, and none is. */
  readonly link?: boolean | undefined;
}

/** Serves the page of a session, until the person ends it; gives the exit code. */
export async function view(
  said: string | undefined,
  { live = false, window, beside, link }: ViewOptions,
  call: CommandCall,
): Promise<number> {
  if (link === true) return tellLinks(call);
  const second =
    beside === undefined ? undefined : await readSession(call, beside, async ({ id }) => id);
  await using other =
    window === undefined
      ? null
      : await readSession(call, said, (session) => playThrough(session, { window, call }));
  return await servePage(call, other?.session.id ?? said, {
    ...sessionPage(call, { live, other }),
    ...(second !== undefined && { place: `beside=${encodeURIComponent(second)}` }),
  });
}

/** Tells the links of the pages that are served; gives the exit code. */
async function tellLinks(call: CommandCall): Promise<number> {
  const links = await keptLinks(call);
  for (const one of links)
    if (call.json) call.emit('flamestack.page/1', one);
    else call.print(one.link);
  if (links.length > 0) return exits.done;
  const message = 'No page is served. flamestack view serves one.';
  const exit = exits.nothing;
  if (call.json)
    reportFailure({ code: 'PAGE_MISSING', message, detail: {}, advice: '', exit }, call);
  else call.note(message);
  return exit;
}

/**
 * The page of a session, which goes on with what comes where it is `live`, or has another window beside its own. It
 * may ask of every session of the store, to show one beside it.
 */
export function sessionPage(
  call: CommandCall,
  { live, other = null }: { readonly live: boolean; readonly other?: OtherWindow | null },
): ServedPage {
  return {
    page: 'session',
    shows: 'the sessions of this store',
    routes: (id) => {
      const lanes = { call, id, other };
      const answer = (work: (session: Session, query: LinkQuery) => Promise<unknown>): Lines =>
        async function* (_, params) {
          yield await inLane(lanes, params, (session) => work(session, queryIn(params)));
        };
      return {
        steps: (signal, params) => stepsOf(lanes, params, { live, signal }),
        sessions: async function* () {
          yield await listedSessions(call);
        },
        prompt: answer((session, { seq }) => promptAt(session, seq)),
        change: answer((session, { seq }) => changeAt(session, seq)),
        lacking: answer((session, { seq }) => lackingAt(session, seq)),
        moves: answer((session, { seq }) => movesAt(session, seq)),
        entries: answer((session, { of }) => entriesBehind(session, of)),
        frame: answer((session, { of }) => entriesOfFrame(session, of)),
        search: answer((session, { of }) => entriesInStore(call, session, of)),
        sources: answer((session, { of, seq }) => sourcesOf(session, { text: of, seq })),
        named: answer((session, { of, seq }) => entriesNaming(session, { name: of, seq })),
        async *compare(_, params) {
          yield await readStore(call, async (store) => {
            await using session = await store.open(sessionIn(params.get('own') ?? '') ?? id);
            await using second = await store.open(sessionIn(params.get('lane') ?? '') ?? id);
            return await compareSessions([session, second], queryIn(params));
          });
        },
        ...(other !== null && {
          more: answer((session, params) => changeFrom(other.session, session, params)),
        }),
      };
    },
  };
}

/** What a link of the page asks for: an id or words, a step, and one of what stands beside it. */
interface LinkQuery {
  readonly of: string;
  readonly seq: number;
  readonly other: number;
}

const queryIn = (params: URLSearchParams): LinkQuery => ({
  of: params.get('of') ?? '',
  seq: Number(params.get('seq')),
  other: Number(params.get('other')),
});

/** The session of a page, and what may stand beside it. */
interface Lanes {
  readonly call: CommandCall;
  readonly id: string;
  readonly other: OtherWindow | null;
}

/** The session that a link asks of: the page's own, the one of another window, or another one by its whole id. */
async function inLane<T>(
  { call, id, other }: Lanes,
  params: URLSearchParams,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const lane = params.get('lane') ?? '';
  if (lane === 'window' && other !== null) return work(other.session);
  return readStore(call, async (store) => {
    await using session = await store.open(sessionIn(lane) ?? id);
    return await work(session);
  });
}

/** The steps of what a link asks of. */
function stepsOf(
  { call, id, other }: Lanes,
  params: URLSearchParams,
  { live, signal }: { readonly live: boolean; readonly signal: AbortSignal },
): AsyncIterable<unknown> {
  const lane = params.get('lane') ?? '';
  if (lane === 'window' && other !== null) return storedSteps(other.store, other.session, signal);
  const window = lane === '' ? other?.window : undefined;
  return sessionSteps(call, sessionIn(lane) ?? id, { live, signal, other: window });
}

/** The id of another session that a link names; null for none. */
const sessionIn = (lane: string): string | null => /^session:([^]+)$/.exec(lane)?.[1] ?? null;
