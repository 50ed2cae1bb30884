import type { ImportResult, LateEntry } from '../../index.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { cleanLine } from '../paper/clean.ts';
import { flow } from '../paper/flow.ts';
import { many, number } from '../paper/size.ts';
import { cut, widthOf } from '../paper/width.ts';
import { skippedText } from '../play/summary.ts';
import { shortId } from '../sessions/words/short-id.ts';
import { titleText } from '../sessions/words/title-text.ts';
import { windowText, type WindowChange } from '../sessions/window-change.ts';

/** Files that a line names. */
const mostNamed = 3;

/** Which files of folders are no sessions. */
export function passedText(names: readonly string[]): string {
  const nameList = names.slice(0, mostNamed).map(cleanLine).join(', ');
  const more = names.length > mostNamed ? ', …' : '';
  return `${many(names.length, 'other file')} there, no sessions: ${nameList}${more}.`;
}

/** A line on what a file brought, and others on what there is to say besides: at a terminal with as much of its title as there is room for. */
export function resultLines(
  result: ImportResult & { readonly file: string; readonly title: string | undefined },
  { change, call }: { change: WindowChange | null; call: CommandCall },
): readonly string[] {
  const { id, file, title = '', format, appended, skipped, subagents = 0 } = result;
  const { longest, glyphs } = call.paper();
  const isCut = Number.isFinite(longest);
  const added = appended === 0 ? 'nothing new' : `${many(appended, 'entry', 'entries')} added`;
  const news = change === null ? added : `${added}, ${windowText(change, glyphs.to)}`;
  const name = cleanLine(isCut ? shortId([id])(id) : id);
  const rest = [format, news, ...(isCut ? [] : [`(${cleanLine(file)})`])];
  const room = longest - widthOf([name, '', ...rest].join('  '));
  const shortTitle = cut(titleText(title), Math.max(leastTitle, room), glyphs.more);
  const first = [name, ...(shortTitle === '' ? [] : [shortTitle]), ...rest].join('  ');
  return [
    first,
    ...(subagents === 0 ? [] : [`  with ${many(subagents, 'file')} of subagents, each as a frame`]),
    ...(skipped.length === 0 ? [] : [`  skipped ${skippedText(skipped)}`]),
  ].flatMap((line) => flow(line, call.io.stdout, 2));
}

/** Cells that a title has at least. */
const leastTitle = 8;

/** What is said when all files are taken in. */
export function endLines(
  results: readonly ({ readonly file: string } & ImportResult)[],
  {
    call,
    isQuiet,
    isAgain = false,
  }: { readonly call: CommandCall; readonly isQuiet: boolean; readonly isAgain?: boolean },
): readonly string[] {
  if (results.length === 0) return [];
  if (!isQuiet) return [lookAt(results.at(-1)!.id, call)];
  // A file that is followed has its line already.
  if (isAgain) return [];
  const added = results.reduce((sum, { appended }) => sum + appended, 0);
  const news = added === 0 ? 'nothing new' : many(added, 'new entry', 'new entries');
  return [`${many(results.length, 'session')}, ${news}.`];
}

function lookAt(id: string, call: CommandCall): string {
  return `Look at it: flamestack show ${quote(cleanLine(id))}${storeArgument(call)}`;
}

/** Places that are told of; --json has all. */
const mostPlaces = 3;

/** How the same file is taken in as a session of its own. */
interface Again {
  readonly file: string;
  /** The id of a session that there is not. */
  readonly id: string;
  readonly format?: string;
}

/** How many entries came late, where they belong, and how to have them in order. */
export function lateLines(
  late: readonly LateEntry[],
  again: Again,
  call: CommandCall,
): readonly string[] {
  const runs = runsOf(late);
  const places = runs.slice(0, mostPlaces).map(runText);
  const moreCount = runs.length - places.length;
  const more = moreCount === 0 ? [] : [`${many(moreCount, 'more place')}; --json has all`];
  const form = again.format === undefined ? '' : ` --format ${again.format}`;
  const command = `flamestack import ${quote(cleanLine(again.file))} --id ${again.id}${form}`;
  return [
    `  ${many(late.length, 'entry', 'entries')} came late and ${late.length === 1 ? 'stands' : 'stand'} at the end of the log, which only grows: ${[...places, ...more].join('; ')}`,
    `  In their order, in a session of its own: ${command}${storeArgument(call)}`,
  ].flatMap((line) => flow(line, call.io.stdout, 2));
}

/** Late entries that belong one behind the other at one place. */
function runsOf(late: readonly LateEntry[]): readonly (readonly LateEntry[])[] {
  const runs: LateEntry[][] = [];
  for (const one of late) {
    const run = runs.at(-1);
    if (run === undefined || run.at(-1)?.entry !== one.after || run[0]?.before !== one.before)
      runs.push([one]);
    else run.push(one);
  }
  return runs;
}

/** `e53 to e55 (lines 20 to 26) between e7 and e8`. */
function runText(run: readonly LateEntry[]): string {
  const [first, last] = [run[0]!, run.at(-1)!];
  const place =
    first.after === undefined
      ? `before ${first.before}`
      : `between ${first.after} and ${first.before}`;
  const lines =
    first.line === last.line
      ? `line ${number(first.line)}`
      : `lines ${number(first.line)} to ${number(last.line)}`;
  const entries = first === last ? first.entry : `${first.entry} to ${last.entry}`;
  return `${entries} (${lines}) ${run.length === 1 ? 'belongs' : 'belong'} ${place}`;
}
