import type { Between, RecallFilter, Role, Store } from '../../index.ts';
import { quote, storeArgument, storeFolder, type Call } from '../call.ts';
import { exits } from '../exit.ts';
import { latestFirst, pick } from '../pick.ts';
import { cleanLine } from '../render/clean.ts';
import { hitLines, moreText } from '../render/hit.ts';
import { openPatiently } from '../store.ts';

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
  const store = await openPatiently(storeFolder(call), { create: false, signal: call.io.signal });
  try {
    const how = { limit, tokens, signal: call.io.signal };
    const { session, hits } = await look(store, query, { ...options, how });
    if (call.json) {
      call.emit('flamestack.search/1', { session, query, hits });
    } else if (hits.length === 0) {
      call.note(`Nothing found${session === null ? '' : ` in ${cleanLine(session)}`}.`);
    } else {
      call.print(...hitLines(hits, { query, now: Date.now(), paper: call.paper() }));
      const told = session === null || options.session === undefined ? '' : ` ${quote(session)}`;
      const { entry } = hits[0]!;
      call.note('', `Whole: flamestack show${told} --entry ${entry}${storeArgument(call)}`);
      const more = moreText(hits.length, limit);
      if (more !== '') call.note(more);
    }
    return hits.length === 0 ? exits.nothing : exits.done;
  } finally {
    await store.close();
  }
}

async function look(
  store: Store,
  query: string,
  options: SearchOptions & {
    readonly how: { readonly limit: number; readonly tokens: number; readonly signal: AbortSignal };
  },
) {
  if (options.all === true) return { session: null, hits: await store.recall(query, options.how) };
  const { id } = pick(await latestFirst(store), options.session);
  await using session = await store.open(id);
  const hits = await session.recall(query, { ...filterOf(options), ...options.how });
  return { session: id, hits };
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
