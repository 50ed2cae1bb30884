import {
  isReference,
  queryTerms,
  type Between,
  type Hit,
  type RecallFilter,
  type Role,
} from '../../index.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { many } from '../paper/size.ts';
import { hitLines, moreText, noTerms } from '../render/hit.ts';
import { expand } from './expand.ts';
import { newLeftOut } from '../sessions/left-out.ts';
import { readSession, readStore } from '../sessions/with-session.ts';

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
const usualHits = 10;
/** What is given of a hit, in tokens, unless told. */
const tokensOfHit = 200;

/** Finds entries of the latest session, of another, or of all; gives the exit code. */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  call: CommandCall,
): Promise<number> {
  const query = words.join(' ');
  if (options.all !== true && isReference(query))
    return expand(words, { session: options.session, limit: options.limit }, call);
  const { limit = usualHits, tokens = limit * tokensOfHit } = options;
  const { signal } = call.io;
  const leftOut = newLeftOut(call);
  const { onLost } = leftOut;
  const how = { limit, tokens, signal, onLost };
  // The same entries are told of once.
  const again = { limit: 1, signal, onLost: () => undefined };
  if (options.all !== true)
    return readSession(call, options.session, async (session) => {
      const filter = filterOf(options);
      const hits = await session.recall(query, { ...filter, ...how });
      const best = isTold(options, hits)
        ? await session.recall(query, { ...filter, ...again })
        : [];
      const found = { query, limit, hits, tooLong: best[0], tokens };
      const exit = printResult({ ...found, session: session.id, said: options.session }, call);
      return leftOut.settle(session.id) || exit;
    });
  return readStore(call, async (store) => {
    const hits = await store.recall(query, how);
    const best = isTold(options, hits) ? await store.recall(query, again) : [];
    const found = { query, limit, hits, tooLong: best[0], tokens };
    const said = (hits[0] ?? best[0])?.session;
    const exit = printResult({ ...found, session: null, said }, call);
    return leftOut.settle() || exit;
  });
}

/** Whether nothing was found, and it may be for the budget that was told. */
const isTold = ({ tokens }: SearchOptions, hits: readonly Hit[]): boolean =>
  hits.length === 0 && tokens !== undefined;

/** What was found, and where. */
interface SearchResult {
  readonly query: string;
  readonly limit: number;
  readonly hits: readonly (Hit & { readonly session?: string })[];
  /** What answers best where the budget had room for nothing. */
  readonly tooLong: Hit | undefined;
  readonly tokens: number;
  /** Id of the session; null for all. */
  readonly session: string | null;
  /** The session of the first hit, where a command has to name it. */
  readonly said: string | undefined;
}

function printResult(found: SearchResult, call: CommandCall): number {
  const { query, limit, hits, session } = found;
  if (call.json) {
    call.emit('flamestack.search/1', { session, query, hits });
  } else if (hits.length === 0) {
    call.note(...nothingText(found, call));
  } else {
    call.print(...hitLines(hits, { query, now: Date.now(), paper: call.paper() }));
    call.note('', wholeText(hits[0]!.entry, found, call));
    const more = moreText(hits.length, limit);
    if (more !== '') call.note(more);
  }
  return hits.length === 0 ? exits.nothing : exits.done;
}

/** How to read an entry whole. */
function wholeText(entry: string, { said }: SearchResult, call: CommandCall): string {
  const told = said === undefined ? '' : ` ${quote(cleanLine(said))}`;
  return `Whole: flamestack show${told} --entry ${entry}${storeArgument(call)}`;
}

/** That nothing was found, and why where that can be said. */
function nothingText(found: SearchResult, call: CommandCall): readonly string[] {
  const { query, session, tooLong, tokens } = found;
  if (tooLong !== undefined) {
    const room = `${many(tokens, 'token')} ${tokens === 1 ? 'has' : 'have'} no room for any of it`;
    return [
      `${tooLong.entry} answers best, but ${room}: --tokens`,
      wholeText(tooLong.entry, found, call),
    ];
  }
  if (queryTerms(query).length === 0) return [`Nothing to look for: ${noTerms}`];
  return [`Nothing found${session === null ? '' : ` in ${cleanLine(session)}`}.`];
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
