import { textOf } from '../messages/message.ts';
import { isCheck } from '../commands/checks.ts';
import { commandsIn, shellText } from '../commands/shell-commands.ts';
import { simpleCommands } from '../commands/shell-words.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { worthOf, type UnplacedLine } from '../lines/worth.ts';
import { isGoingOn, type Exchange } from './exchanges.ts';
import { hasWorked } from './failures.ts';
import { callLabel } from './call-label.ts';
import { printedIn } from './printed.ts';

// What commands printed that is short: a measured number, a version, an address, a yes or no. It is worth
// little, so that it fills the room that is left in sessions whose model says little. It is something that was
// read: to ask a machine something is not to work on the task.

/** Longest output that is told, and longest of it that is, in UTF-16 units; most lines of it. */
const most = { output: 400, excerpt: 200, lines: 12 } as const;

/** What an output is worth beside what is said. */
const value = 0.35;

/** Commands that look around or measure what the next edit changes, and those whose outputs say how the work stands: that is told elsewhere, as what checks gave is, or passes. */
const aside =
  /^(?:git|sleep|ls|cd|pwd|mkdir|cp|mv|rm|touch|chmod|tail|head|cat|sed|find|fd|tree|wc|du|df|bd|br)$/;

/** What only says that it worked. */
const empty = /^(?:ok|done|success\w*)\W*$|^\(?(?:\w+ completed with )?no output\)?$/i;

/** A line that says how far something is while it goes on, and one that is drawn or empty. */
const counting = /^(?:Progress: |\W*$)|\b(?:resolved|reused|downloaded) \d+, /;

/** A summary of changes, which the lines of the edits tell. */
const changes = /^ ?\d+ files? changed,/m;

/** The short outputs of commands that worked, of one that ran again the newest. */
export function outputLines(
  exchanges: readonly Exchange[],
): readonly (UnplacedLine & { readonly n: number })[] {
  const outputs = new Map<string, UnplacedLine & { readonly n: number }>();
  for (const exchange of exchanges) {
    const { call, result, to } = exchange;
    if (result === undefined || isGoingOn(exchange) || !hasWorked(result)) continue;
    const output = printedIn(textOf(result.content)).text.trim();
    const shell = output === '' || output.length > most.output ? '' : shellText(call);
    if (shell === '' || !/[\p{L}\d]{2}/u.test(output) || empty.test(output)) continue;
    if (changes.test(output)) continue;
    const lines = output.split('\n').filter((line) => !counting.test(line));
    if (lines.length === 0 || lines.length > most.lines) continue;
    if (commandsIn(call).some(isCheck)) continue;
    if (simpleCommands(shell).every(({ words }) => aside.test(words[0]!))) continue;
    const what = callLabel(call);
    const text = `\`${what}\`: ${clip(lines.map(oneLine).join(' / '), most.excerpt)}`;
    outputs.delete(what);
    outputs.set(what, { n: to, kind: 'read', text, worth: worthOf(value, text) });
  }
  return [...outputs.values()];
}
