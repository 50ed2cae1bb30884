import type { LateEntry } from '../../index.ts';
import { quote, storeArgument, type CommandCall } from '../call/call.ts';
import { cleanLine } from '../paper/clean.ts';
import { flow } from '../paper/flow.ts';
import { many, number } from '../paper/size.ts';

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
  const told = runs.slice(0, mostPlaces).map(runText);
  const left = runs.length - told.length;
  const more = left === 0 ? [] : [`${many(left, 'more place')}; --json has all`];
  const form = again.format === undefined ? '' : ` --format ${again.format}`;
  const command = `flamestack import ${quote(cleanLine(again.file))} --id ${again.id}${form}`;
  return [
    `  ${many(late.length, 'entry', 'entries')} came late and ${late.length === 1 ? 'stands' : 'stand'} at the end of the log, which only grows: ${[...told, ...more].join('; ')}`,
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
