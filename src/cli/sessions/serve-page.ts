import { once } from 'node:events';
import { startViewer, type Lines, type PageName, type Viewer } from '../../viewer/server.ts';
import type { CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { keepLink } from './page-links.ts';
import { readSession } from './with-session.ts';

/** A page of a session, and what it may ask. */
export interface ServedPage {
  readonly page: PageName;
  /** What whoever has the link sees; the session unless told. */
  readonly shows?: string;
  /** Where the link leads to in the page, behind `#`. */
  readonly place?: string;
  /** What the page may ask of the session with this id; `signal` aborts with the command, too. */
  readonly routes: (id: string) => Readonly<Record<string, Lines>>;
}

/** Serves a page of the session that a person means, until they end it; gives the exit code. */
export async function servePage(
  call: CommandCall,
  said: string | undefined,
  page: ServedPage,
): Promise<number> {
  const id = await readSession(call, said, async (session) => session.id);
  const { signal } = call.io;
  const viewer = await startPage(call, id, page);
  const { shows = 'the session', place } = page;
  const link = place === undefined ? viewer.link : `${viewer.link}&${place}`;
  const forget = await keepLink(call, { session: id, link });
  if (call.json) call.emit('flamestack.page/1', { session: id, link });
  else call.print(link);
  call.note(`Whoever has this link sees ${shows}. Ctrl-C ends the page.`);
  if (!signal.aborted) await once(signal, 'abort');
  await Promise.all([viewer.close(), forget()]);
  signal.throwIfAborted();
  return exits.done;
}

/** Serves a page of the session `id` to whoever has its link, until it is closed. */
export function startPage(call: CommandCall, id: string, page: ServedPage): Promise<Viewer> {
  const { signal } = call.io;
  const untilEnd =
    (route: Lines): Lines =>
    (gone, query) =>
      route(AbortSignal.any([signal, gone]), query);
  const routes = Object.entries(page.routes(id)).map(([name, route]) => [name, untilEnd(route)]);
  return startViewer({
    page: page.page,
    routes: Object.fromEntries(routes) as Readonly<Record<string, Lines>>,
  });
}
