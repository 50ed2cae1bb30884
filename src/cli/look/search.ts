import { resolve } from 'node:path';
import type {
  Between,
  RecallFilter,
  RecallOptions,
  Role,
  SessionSummary,
  StoreHit,
} from '../../index.ts';
import {
  isReference,
  queryTerms,
  type MissingWord,
  type SessionOutline,
  type SpreadHits,
} from '../../reader.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { partsLine } from '../call/parts-line.ts';
import { cleanLine } from '../paper/clean.ts';
import { flow } from '../paper/flow.ts';
import { ago, many } from '../paper/size.ts';
import type { Paper } from '../paper/paper.ts';
import { cut, widthOf } from '../paper/width.ts';
import { hitLines, hitsText, noTerms, type HitsShown } from '../render/hit.ts';
import { toldHits } from '../render/told-hits.ts';
import { asWord } from '../sessions/as-word.ts';
import { newLeftOut } from '../sessions/left-out.ts';
import { folderName } from '../sessions/folder-name.ts';
import { inOrder } from '../sessions/pick.ts';
import { chooseOutline, latestHere } from '../sessions/choose-session.ts';
import { isOutlineMeant } from '../sessions/session-filter.ts';
import { shortId } from '../sessions/short-id.ts';
import { titleText } from '../sessions/title-text.ts';
import { withReader } from '../sessions/store/with-reader.ts';
import { fileTime, isOfFile } from '../sessions/file-time.ts';
import { missingFrom, missingLines } from './missing-line.ts';

/** Options of `search` alone. */
export interface SearchOptions {
  readonly session?: string | undefined;
  /** A part of a folder's path. */
  readonly project?: string | undefined;
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
/** Longest title in a sentence, in cells. */
const longestTitle = 50;
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
      const hits = call.json ? spread.hits : await toldHits(spread.hits, query, entryOf);
      const exit = printResult(
        { query, limit, ...spread, hits, missing, tooLong, tokens, scope, all, options },
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

/** What was found, and where. */
interface SearchResult extends SpreadHits {
  readonly query: string;
  readonly limit: number;
  /** The words that stand nowhere as they were typed. */
  readonly missing: readonly MissingWord[];
  /** What answers best where the budget had room for nothing. */
  readonly tooLong: StoreHit | undefined;
  readonly tokens: number;
  /** The sessions that were searched, the latest first. */
  readonly scope: readonly SessionOutline[];
  /** Those of the store. */
  readonly all: readonly SessionOutline[];
  readonly options: SearchOptions;
}

function printResult(result: SearchResult, call: CommandCall): number {
  const { query, limit, hits, scope, all } = result;
  const found = new Set(hits.map(({ session }) => session));
  const groups = scope
    .filter(({ id }) => found.has(id))
    .map((one) => ({
      session: one.summary(),
      hits: hits.filter((hit) => hit.session === one.id),
    }));
  if (call.json) {
    const session = scope.length === 1 ? scope[0]!.id : null;
    call.emit('flamestack.search/1', {
      session,
      searched: scope.length,
      query,
      hits,
      missing: result.missing,
      sessions: groups.map((group) => group.session),
    });
  } else if (hits.length === 0) {
    call.note(...nothingText(result, call));
  } else {
    const paper = call.paper();
    const shown = { query, now: Date.now(), paper };
    const name = nameOf(all, paper);
    for (const [at, group] of groups.entries())
      call.print(
        ...(at === 0 ? [] : ['']),
        headLine({ ...group.session, id: name(group.session.id) }, shown),
        ...hitLines(group.hits, { ...shown, isOfFile: isOfFile(group.session) }),
        ...moreLines(group.session.id, result, call),
      );
    call.note('', wholeText(groups[0]!.hits[0]!, result, call));
    call.note(hitsText(result, limit, `in ${scopeText(result)}`), ...missingLines(result.missing));
    if (groups.some(({ session }) => isOfFile(session))) call.note(fileTime);
  }
  return hits.length === 0 ? exits.nothing : exits.done;
}

/** The line over the hits of a session: its title, its project, when something was said in it last (`~` where only its file has a date), and its id. */
function headLine(session: SessionSummary, { paper, now }: HitsShown): string {
  const { id, title, folder, said } = session;
  const { paint, rule, dot } = { ...paper, ...paper.glyphs };
  const last = `${isOfFile(session) ? '~' : ''}${ago(said, now)}`;
  const rest = [...(folder === undefined ? [] : [folderName(folder)]), last, id].map(cleanLine);
  const told = rest.join(` ${dot} `);
  const name = cut(
    titleText(title ?? id),
    Math.max(16, paper.longest - widthOf(told) - 5),
    paper.glyphs.more,
  );
  return `${paint(`${rule}${rule} ${name}`, 'bold')}  ${paint(told, 'gray')}`;
}

/** How sessions are called: at a terminal by as much of an id as is needed. */
const nameOf = (all: readonly SessionOutline[], { longest }: Paper): ((id: string) => string) =>
  Number.isFinite(longest) ? shortId(all.map(({ id }) => id)) : (id) => id;

/** How many more hits a session has, and how they are seen. */
function moreLines(
  id: string,
  { more, scope, query, all, hits, options }: SearchResult,
  call: CommandCall,
): readonly string[] {
  const left = more.get(id);
  if (left === undefined || scope.length === 1) return [];
  const paper = call.paper();
  const { paint, glyphs, longest } = paper;
  const name = nameOf(all, paper)(id);
  const limit = left.count + hits.filter(({ session }) => session === id).length;
  const again = `flamestack search ${query.split(' ').map(quote).join(' ')} --session ${quote(cleanLine(name))}${filterArguments(options)} --limit ${limit}`;
  const told = `${glyphs.more} ${left.isLeast ? 'at least ' : ''}${many(left.count, 'more hit')} in this session:`;
  const command = `${again}${storeArgument(call)}`;
  const lines =
    widthOf(told) + widthOf(command) < longest ? [`${told} ${command}`] : [told, `  ${command}`];
  const parted = lines.flatMap((line) => flow(line, call.io.stdout, 2));
  return ['', ...parted.map((line) => paint(line, 'gray'))];
}

/** The options that say which entries are looked through, for commands to type. */
function filterArguments({ role, tool, since, until }: SearchOptions): string {
  const days = (at?: number): string | undefined =>
    at === undefined ? undefined : new Date(at).toISOString();
  return Object.entries({ role, tool, since: days(since), until: days(until) })
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${quote(value)}`))
    .join('');
}

/** Where was looked, in words. */
function scopeText({ scope, all, options }: SearchResult): string {
  if (scope.length === 1) {
    const { title, id } = scope[0]!.summary();
    return `"${cut(cleanLine(title ?? id), longestTitle)}"`;
  }
  const sessions = many(scope.length, 'session');
  return scope.length === all.length
    ? `all ${sessions}`
    : `${sessions} of ${cleanLine(options.project ?? '')}`;
}

/** How to read an entry whole. */
function wholeText(
  { entry, session }: StoreHit,
  { scope, all, options }: SearchResult,
  call: CommandCall,
): string {
  // What `show` takes where none is named.
  const isUsual = scope.length === 1 && (latestHere(all) ?? all[0])?.id === session;
  const name = options.session ?? (isUsual ? undefined : nameOf(all, call.paper())(session));
  const told = name === undefined ? '' : ` ${quote(cleanLine(name))}`;
  return `Whole: flamestack show${told} --entry ${entry}${storeArgument(call)}`;
}

/** That nothing was found, and why where that can be said. */
function nothingText(found: SearchResult, call: CommandCall): readonly string[] {
  const { query, tooLong, tokens } = found;
  if (tooLong !== undefined) {
    const room = `${many(tokens, 'token')} ${tokens === 1 ? 'has' : 'have'} no room for any of it`;
    return [
      `${tooLong.entry} answers best, but ${room}: --tokens`,
      wholeText(tooLong, found, call),
    ];
  }
  if (queryTerms(query).length === 0) return [`Nothing to look for: ${noTerms}`];
  if (found.scope.length === 0) return [noneText(found, call)];
  const why = [...missingLines(found.missing), ...asWord(query.split(' '))];
  return [`Nothing found in ${scopeText(found)}.`, ...why];
}

/** That there is nothing to search. */
function noneText({ all, options: { project } }: SearchResult, call: CommandCall): string {
  if (project === undefined || all.length === 0) return 'The store has no session.';
  const told = project === '.' ? `this folder (${resolve('.')})` : `"${project}"`;
  return `No session of ${cleanLine(told)} is in the store, which has ${many(all.length, 'session')}: flamestack ls${storeArgument(call)}`;
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
