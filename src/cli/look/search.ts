import type { RecallFilter, RecallOptions, StoreHit } from '../../index.ts';
import { isReference, phrasesIn, withoutQuotes, type SpreadHits } from '../../reader.ts';
import { type CommandCall } from '../call/call.ts';
import { partsLine } from '../call/parts-line.ts';
import { many } from '../paper/size.ts';
import { toldHits } from '../render/told-hits.ts';
import { newLeftOut } from '../sessions/left-out.ts';
import { inOrder } from '../sessions/pick.ts';
import { chooseOutline } from '../sessions/choose-session.ts';
import { isOutlineMeant } from '../sessions/session-filter.ts';
import { withReader } from '../sessions/store/with-reader.ts';
import { missingFrom } from './missing-line.ts';
import { printResult, type SearchOptions } from './search-result.ts';

/** Hits unless told. */
const usualHits = 10;
/** What is given of a hit, in tokens, unless told. */
const tokensOfHit = 200;

/** Finds entries in all sessions of the store, in those of a project, or in one; gives the exit code. */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  call: CommandCall,
): Promise<number> {
  const query = words.join(' ');
  if (isReference(query)) {
    const { expand } = await import('./expand.ts');
    return expand(words, { session: options.session, limit: options.limit }, call);
  }
  const { limit = usualHits, tokens = limit * tokensOfHit } = options;
  const leftOut = newLeftOut(call);
  return withReader(call, async (store) => {
    const all = inOrder(await store.list());
    const { frame, turns, project } = options;
    const isOfOne = frame !== undefined || turns !== undefined;
    const session = options.session ?? (isOfOne ? '@1' : undefined);
    const scope =
      session === undefined
        ? all.filter((one) => isOutlineMeant(one, { project }))
        : [await chooseOutline(all, session, call)];
    const ids = scope.map(({ id }) => id);
    const entryOf = ({ session, entry }: StoreHit) => store.entry(session, entry);
    const look = async (find: Finder): Promise<number> => {
      const { signal } = call.io;
      const filter = filterOf(options);
      const status = partsLine(call);
      status.update({ of: `through ${many(scope.length, 'session')}` });
      const spread = await find(query, {
        ...filter,
        limit,
        tokens,
        signal,
        onLost: leftOut.onLost,
      }).finally(() => status.clear());
      const missing = await missingFrom({ query, ...spread }, store, { session: ids, signal });
      // Nothing may be found for want of room; the same losses are told of once.
      const again = { limit: 1, signal, onLost: () => undefined };
      const isShort = spread.hits.length === 0 && options.tokens !== undefined;
      const [tooLong] = isShort ? (await find(query, { ...filter, ...again })).hits : [];
      const isQuoted = spread.hits.length === 0 && phrasesIn(query).length > 0;
      const apart =
        isQuoted && !call.json
          ? (await find(withoutQuotes(query), { ...filter, ...again, tokens })).hits
          : [];
      const hits = call.json ? spread.hits : await toldHits(spread.hits, query, entryOf);
      const exit = printResult(
        {
          query,
          limit,
          ...spread,
          hits,
          missing,
          tooLong,
          isApart: apart.length > 0,
          tokens,
          scope,
          all,
          options,
        },
        call,
      );
      return leftOut.settle(scope.length === 1 ? scope[0]!.id : undefined) || exit;
    };
    if (isOfOne) return inSession(scope[0]!.id, call, look);
    // Who is told tokens, or tells how many, has them counted; that loads a vocabulary.
    const isCounted = call.json || options.tokens !== undefined;
    return look((words, given) => store.find(words, { session: ids, isCounted, ...given }));
  });
}

/** Looks through all that is searched. */
type Finder = (query: string, options: RecallOptions) => Promise<SpreadHits>;

/** Gives what looks through one session, in which turns and frames can be told apart, to `work`. */
async function inSession(
  id: string,
  call: CommandCall,
  work: (find: Finder) => Promise<number>,
): Promise<number> {
  const { readSession } = await import('../sessions/with-session.ts');
  return readSession(call, id, (session) =>
    work(async (query, options) => {
      const hits = await session.recall(query, options);
      return { hits: hits.map((hit) => ({ ...hit, session: id })), isSpread: false, more: none };
    }),
  );
}

const none: SpreadHits['more'] = new Map();

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
