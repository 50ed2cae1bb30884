import { resolve } from 'node:path';
import type { Between, Role, SessionSummary, StoreHit } from '../../index.ts';
import {
  phrasesIn,
  queryTerms,
  withoutQuotes,
  type MissingWord,
  type SessionOutline,
  type SpreadHits,
} from '../../reader.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { exits } from '../call/exit.ts';
import { cleanLine } from '../paper/clean.ts';
import { flow } from '../paper/flow.ts';
import { ago, many } from '../paper/size.ts';
import type { Paper } from '../paper/paper.ts';
import { cut, widthOf } from '../paper/width.ts';
import { hitLines, hitsText, noTerms, type HitsShown } from '../render/hit.ts';
import { asWord } from '../sessions/as-word.ts';
import { folderName } from '../sessions/words/folder-name.ts';
import { shortId } from '../sessions/words/short-id.ts';
import { titleText } from '../sessions/words/title-text.ts';
import { fileTime, isOfFile } from '../sessions/words/file-time.ts';
import { missingLines } from './missing-line.ts';

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

/** Longest title in a sentence, in cells. */
const longestTitle = 50;

/** What was found, and where. */
export interface SearchResult extends SpreadHits {
  readonly query: string;
  readonly limit: number;
  /** The words that stand nowhere as they were typed. */
  readonly missing: readonly MissingWord[];
  /** What answers best where the budget had room for nothing. */
  readonly tooLong: StoreHit | undefined;
  /** Whether nothing says what is quoted, and something its words. */
  readonly isApart: boolean;
  readonly tokens: number;
  /** The sessions that were searched, the latest first. */
  readonly scope: readonly SessionOutline[];
  /** Those of the store. */
  readonly all: readonly SessionOutline[];
  readonly options: SearchOptions;
}

/** Prints what was found, a group of hits for each session, the one with the best hit first; gives the exit code. */
export function printResult(result: SearchResult, call: CommandCall): number {
  const { query, limit, scope, all } = result;
  const groups = scope
    .map((one) => ({ one, hits: result.hits.filter(({ session }) => session === one.id) }))
    .filter(({ hits }) => hits.length > 0)
    .toSorted((a, b) => b.hits[0]!.score - a.hits[0]!.score)
    .map(({ one, hits }) => ({ session: one.summary(), hits }));
  const hits = groups.flatMap((group) => group.hits);
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
    const hitOptions = { query, now: Date.now(), paper };
    const name = nameOf(all, paper);
    for (const [at, group] of groups.entries())
      call.print(
        ...(at === 0 ? [] : ['']),
        headLine({ ...group.session, id: name(group.session.id) }, hitOptions),
        ...hitLines(group.hits, { ...hitOptions, isOfFile: isOfFile(group.session) }),
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
  const details = rest.join(` ${dot} `);
  const name = cut(
    titleText(title ?? id),
    Math.max(16, paper.longest - widthOf(details) - 5),
    paper.glyphs.more,
  );
  return `${paint(`${rule}${rule} ${name}`, 'bold')}  ${paint(details, 'gray')}`;
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
  const moreHits = more.get(id);
  if (moreHits === undefined || scope.length === 1) return [];
  const paper = call.paper();
  const { paint, glyphs, longest } = paper;
  const name = nameOf(all, paper)(id);
  const limit = moreHits.count + hits.filter(({ session }) => session === id).length;
  const again = `flamestack search ${wordsToType(query)} --session ${quote(cleanLine(name))}${filterArguments(options)} --limit ${limit}`;
  const summary = `${glyphs.more} ${moreHits.isLeast ? 'at least ' : ''}${many(moreHits.count, 'more hit')} in this session:`;
  const command = `${again}${storeArgument(call)}`;
  const lines =
    widthOf(summary) + widthOf(command) < longest
      ? [`${summary} ${command}`]
      : [summary, `  ${command}`];
  const parted = lines.flatMap((line) => flow(line, call.io.stdout, 2));
  return ['', ...parted.map((line) => paint(line, 'gray'))];
}

/** A query, for commands to type. */
const wordsToType = (query: string): string =>
  query.includes('"') ? quote(query) : query.split(' ').map(quote).join(' ');

/** That nothing says what is quoted, and how its words are found. */
function apartLines(
  { query, isApart, options }: SearchResult,
  call: CommandCall,
): readonly string[] {
  if (!isApart) return [];
  const said = phrasesIn(query).map(({ text }) => `"${cleanLine(text)}"`);
  const { session, project, frame, turns: between } = options;
  const turns = between && turnsText(between);
  const where = Object.entries({ session, project, frame, turns })
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${quote(value)}`))
    .join('');
  const again = `flamestack search ${wordsToType(withoutQuotes(query))}${where}${filterArguments(options)}${storeArgument(call)}`;
  return [
    `Nowhere word for word: ${said.join(', ')}`,
    `The words by themselves are found: ${again}`,
  ];
}

function turnsText(between: Between): string {
  const [from, to] = 'length' in between ? between : [between.from, between.to];
  return `${from ?? ''}-${to ?? ''}`;
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
    return `"${cut(titleText(title ?? id), longestTitle)}"`;
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
  const isUsual = scope.length === 1 && all[0]?.id === session;
  const name = options.session ?? (isUsual ? undefined : nameOf(all, call.paper())(session));
  const nameArgument = name === undefined ? '' : ` ${quote(cleanLine(name))}`;
  return `Whole: flamestack show${nameArgument} --entry ${entry}${storeArgument(call)}`;
}

/** That nothing was found, and why where that can be said. */
function nothingText(result: SearchResult, call: CommandCall): readonly string[] {
  const { query, tooLong, tokens } = result;
  if (tooLong !== undefined) {
    const room = `${many(tokens, 'token')} ${tokens === 1 ? 'has' : 'have'} no room for any of it`;
    return [
      `${tooLong.entry} answers best, but ${room}: --tokens`,
      wholeText(tooLong, result, call),
    ];
  }
  const hint = asWord(query.split(' '), result.all);
  if (queryTerms(query).length === 0) return [`Nothing to look for: ${noTerms}`, ...hint];
  if (result.scope.length === 0) return [noneText(result, call)];
  const why = [...missingLines(result.missing), ...apartLines(result, call), ...hint];
  return [`Nothing found in ${scopeText(result)}.`, ...why];
}

/** That there is nothing to search. */
function noneText({ all, options: { project } }: SearchResult, call: CommandCall): string {
  if (project === undefined || all.length === 0) return 'The store has no session.';
  const place = project === '.' ? `this folder (${resolve('.')})` : `"${project}"`;
  return `No session of ${cleanLine(place)} is in the store, which has ${many(all.length, 'session')}: flamestack ls${storeArgument(call)}`;
}
