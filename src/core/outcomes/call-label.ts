import type { ToolCall } from '../messages/message.ts';
import { pathArgument } from '../commands/edit-calls.ts';
import { allChecksIn } from '../commands/checks.ts';
import { leavesOf } from '../commands/shell-commands.ts';
import { clip, oneLine } from '../text/sentences.ts';
import { awaitedBy, waiter } from './exchanges.ts';

// How a call is told in few words, and by what two calls are the same.

/** Longest call of a failure, longest check, which is run again, and longest path or address, which is of no use in part, in UTF-16 units. */
const longestCall = { any: 64, check: 120, whole: 200 } as const;

/** The command, pattern or file of a call, short. */
export function shortCall(call: ToolCall): string {
  return clip(callSubject(call), 90);
}

/** The command, pattern or file of a call. */
export const callSubject = (call: ToolCall): string =>
  oneLine(mainArgument(call)).replaceAll('`', "'");

/** A call as the line of its failure names it. */
export function callLabel(call: ToolCall): string {
  const whole = soleCheck(call) || withoutShow(callSubject(call));
  const label = whole.length > longestCall.any ? whole.replace(variables, '') : whole;
  const isWhole = label.includes('/') && !/[\s|*]/.test(label);
  const isChecked = allChecksIn(call).length > 0;
  return clip(label, longestCall[isWhole ? 'whole' : isChecked ? 'check' : 'any']);
}

/** Variables that are set for a command: of a long one the program says more. */
const variables = /^(?:env )?(?:\w{1,40}=\S{0,200} ){1,6}(?=\S)/;

/** The one check of a call that runs more than can be told; '' for none, and for several. */
function soleCheck(call: ToolCall): string {
  const [check = '', ...others] =
    oneLine(mainArgument(call)).length > longestCall.any ? allChecksIn(call) : [];
  return others.length > 0 ? '' : oneLine(check).replaceAll('`', "'");
}

/** A command without where its program is installed, and without what only cuts its output. */
const withoutShow = (command: string): string =>
  command
    .replace(
      /^((?:\w{1,40}=\S{0,200} ){0,4})[~/](?!\S*(?:venv|node_modules))[\w.@~/-]{0,200}\/bin\/(?=\w)/,
      '$1',
    )
    .replace(/ (?:2>&1|\| (?:head|tail|cat)\b[^|;&]{0,40}?(?=\s?(?:$|[|;&])))/g, '')
    .trimEnd();

/** UTF-16 units by which two calls are told apart. */
const longestKey = 200;

/** What makes two calls the same: the command without its redirections and directory, or the file. */
export const keyOf = (call: ToolCall): string =>
  (soleCheck(call) || bareCommand(oneLine(mainArgument(call)))).slice(0, longestKey);

/** A command without its redirections, its directory and what only shows its output; `a|b` is a pattern as a rule. */
export const bareCommand = (command: string): string =>
  command
    .replace(/^cd \S+ ?(?:&&|;) ?/, '')
    .replace(/\s\d?>{1,2}(?:&\d|\s?[^\s>&]\S*)/g, '')
    .replace(/\s\|[^;&\n]*$/, '')
    .trimEnd();

/** Arguments that say what a call is about, beside the file that it names. */
const commandKeys = ['command', 'cmd', 'script'] as const;
const otherKeys = ['pattern', 'query', 'url', 'input', 'description'] as const;

function mainArgument(call: ToolCall): string {
  const { name, arguments: args } = call;
  if (typeof args === 'string') return args.slice(0, 400);
  const awaited = waiter.test(name) ? awaitedBy(call) : '';
  if (awaited !== '') return `${name} ${awaited}`;
  const of = (keys: readonly string[]): readonly unknown[] => keys.map((key) => args[key]);
  const value = [...of(commandKeys), pathArgument(call), ...of(otherKeys)].find(
    (one) => one !== undefined && one !== null,
  );
  const text = leavesOf(Array.isArray(value) ? [value.join(' ')] : (value ?? args), 400);
  return text.replace(/^(?:#[^\n]*\n|cd \S+ && )+/, '') || name;
}
