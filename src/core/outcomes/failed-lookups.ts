import { isEdit, pathArgument } from '../commands/edit-calls.ts';
import { onlyFinds, wordsRun } from '../commands/looking.ts';
import { shellText } from '../commands/shell-commands.ts';
import { simpleCommands, type ShellCommand } from '../commands/shell-words.ts';
import type { ToolCall } from '../messages/message.ts';
import { printedIn } from './printed.ts';

// A call that only looks around fails where it finds nothing: a search without a match, a difference, a file that
// is not there. That is an answer. Where the program that looks says that it could not, it failed.

/** Whether a call that failed only looked around, and the reason is what it found, or that it found nothing, or not all of it. */
export function isFailedLookup(call: ToolCall, why: string, output: string): boolean {
  const script = shellText(call);
  if (script === '') return looking.test(call.name) && !isEdit(call) && findsNoFile(call, why);
  const commands = simpleCommands(script);
  if (commands.length === 0 || !commands.every(onlyFinds)) return false;
  if (noProgram.test(why)) return false;
  if (isAbsent.test(why) || unsaid.test(why) || !isSaidBy(commands, why)) return true;
  return denied.test(why) && findsBeside(output);
}

/** A reason that says none. */
const unsaid = /^error[:.!]?$/i;

/** What a program says that walks through folders, of one that it may not read. */
const denied =
  /^(?:find|grep|rg|ag|fd|tree): .{0,400}(?:Permission denied|Operation not permitted)\b/i;

/** Whether something was found beside what might not be read. */
const findsBeside = (output: string): boolean =>
  printedIn(output)
    .text.split('\n')
    .some((line) => line.trim() !== '' && !denied.test(line) && !ending.test(line));

/** How a host says that a command ended. */
const ending = /^\W{0,4}(?:exit|exited|command exited|process exited)\b[^\n]{0,40}$/i;

/** That a shell knows no program by the name that it was given. */
const noProgram =
  /\bcommand not found\b|^\S{0,100}\bsh: (?:(?:line )?\d+: )?[^\s:]+: not found\b|\bis not recognized as\b/i;

/** Tools of hosts that read, list and search. */
const looking = /(?:^|[._-])(?:read|view|cat|open|ls|list|dir|glob|grep|search|find)/i;

/** That what is asked for is not there, or is a folder. */
const isAbsent =
  /\b(?:no such file|does not exist|doesn['’]t exist|not found|ENOENT|EISDIR|is a directory|no matches found|cannot find the (?:path|file))\b/i;

const findsNoFile = (call: ToolCall, why: string): boolean =>
  pathArgument(call) !== undefined && isAbsent.test(why);

/** Whether a reason is said by one of some commands, or by their shell. */
function isSaidBy(commands: readonly ShellCommand[], why: string): boolean {
  const [speaker = ''] = /^[^\s:]{1,40}(?=:)/.exec(why) ?? [];
  return (
    /^(?:regex parse error|command timed out)\b/i.test(why) ||
    /^(?:error|fatal|\(eval\)|(?:ba|z|da|k)?sh)$/i.test(speaker) ||
    commands.some((command) => command.words[0] === speaker || wordsRun(command)[0] === speaker)
  );
}
