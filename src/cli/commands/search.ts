import type { Between, Hit, RecallFilter, Role } from '../../index.ts';
import { quote, storeArgument, storeFolder, type Call } from '../call.ts';
import { exits } from '../exit.ts';
import { cleanLine } from '../render/clean.ts';
import { hitLines, moreText } from '../render/hit.ts';
import { openPatiently } from '../store.ts';
import { withSession } from '../with-session.ts';

/** Options of `search` alone. */
export interface SearchOptions {
  readonly session?: string | undefined;
  readonly all?: boolean | undefined;
  readonly role?: Role | undefined;
  readonly tool?: string | undefined;
  readonly frame?: string | undefined;
  readonly turns?: Between | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly limit?: number | undefined;
  readonly tokens?: number | undefined;
}

/** Hits unless told. */
const usual = 10;
/** What a person is shown of a hit, in tokens. */
const tokensOfHit = 160;

/** Finds entries of the latest session, of another, or of all; gives the exit code. */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  call: Call,
): Promise<number> {
  const query = words.join(' ');
  const { limit = usual, tokens = call.json ? limit * 200 : limit * tokensOfHit } = options;
  const how = { limit, tokens, signal: call.io.signal };
  if (options.all !== true)
    return withSession(call, options.session, async (session) => {
      const hits = await session.recall(query, { ...filterOf(options), ...how });
      return tell({ query, limit, hits, session: session.id, said: options.session }, call);
    });
  const store = await openPatiently(storeFolder(call), { create: false, signal: call.io.signal });
  try {
    const hits = await store.recall(query, how);
    return tell({ query, limit, hits, session: null, said: hits[0]?.session }, call);
  } finally {
    await store.close();
  }
}

/** What was found, and where. */
interface Found {
  readonly query: string;
  readonly limit: number;
  readonly hits: readonly (Hit & { readonly session?: string })[];
  /** Id of the session; null for all. */
  readonly session: string | null;
  /** The session of the first hit, where a command has to name it. */
  readonly said: string | undefined;
}

function tell({ query, limit, hits, session, said }: Found, call: Call): number {
  if (call.json) {
    call.emit('flamestack.search/1', { session, query, hits });
  } else if (hits.length === 0) {
    call.note(`Nothing found${session === null ? '' : ` in ${cleanLine(session)}`}.`);
  } else {
    call.print(...hitLines(hits, { query, now: Date.now(), paper: call.paper() }));
    const told = said === undefined ? '' : ` ${quote(cleanLine(said))}`;
    const { entry } = hits[0]!;
    call.note('', `Whole: flamestack show${told} --entry ${entry}${storeArgument(call)}`);
    const more = moreText(hits.length, limit);
    if (more !== '') call.note(more);
  }
  return hits.length === 0 ? exits.nothing : exits.done;
}

function filterOf(options: SearchOptions): RecallFilter {
  const { role, tool, frame, turns, since, until } = options;
  const isTimed = since !== undefined || until !== undefined;
  return {
    ...(role !== undefined && { role }),
    ...(tool !== undefined && { tool }),
    ...(frame !== undefined && { frame }),
    ...(turns !== undefined && { turns }),
    ...(isTimed && {
      time: {
        ...(since !== undefined && { from: since }),
        ...(until !== undefined && { to: until }),
      },
    }),
  };
}
