import type { ToolCall } from '../messages/message.ts';
import { callsIn } from './scripted-calls.ts';
import { lookups } from './lookups.ts';
import { shellText } from './shell-commands.ts';
import { argumentsOf, simpleCommands, type ShellCommand } from './shell-words.ts';

/** Tools by which nothing is done: they read, search, plan, ask or wait. */
const lookingTool =
  /^(?:mcp__[\w-]{1,64}__)?(?:read|view|open|cat|show|list|ls|glob|grep|search|find|fetch|get|query|web_?(?:fetch|search)|tool_?search|think|wait|ask|todo|(?:task|bash|kill)_?(?:output|list|get|create|update)|update_plan|(?:enter|exit)_?plan|skill)/i;

/** Words of a shell before a command that a loop or a condition runs. */
const before = /^(?:do|then|else|elif|if|while|until|!)$/;

/** Commands that show something and change nothing. */
const looking = new RegExp(
  `^(?:(?:${lookups}|for|done|fi|true|exit|set|export|less|jq|yq|tr|cut|xargs$|ps|pgrep|lsof|env$|date|du|df|type|command -[vV]|sleep|man)(?: |$)|git (?:-C \\S{1,200} )?(?:log|show|diff|status|blame|grep|reflog|describe|fsck|rev-\\w{1,9}|ls-\\w{1,9}|cat-file|verify-pack|count-objects|merge-base|for-each-ref|remote(?: -v)?$|config .{0,40}--(?:list|get))|(?:\\S{1,40} ){1,2}(?:get|list|ls|show|view|status|describe|logs?|info|checks|help)(?: |$)|\\S{1,200} (?:\\S{1,40} )?(?:--version|--help|-h)$)`,
);

/** What makes a change of such a command: an edit in place, a deletion, an output to a file. */
const changes =
  /^(?:sed|perl) .{0,40}-\w{0,4}i|^find .{0,400}-(?:delete|exec)\b|(?:^| )>{1,2} ?[^&> ]/;

/** A program that runs the one behind it, with what it is given itself. */
const runner =
  /^(?:xargs|env|command(?! -[vV]))(?: -(?:[nPILsad] ?\S{1,80}|\w{1,20}|-[a-z-]{2,30}(?:=\S{1,80})?)| \w{1,40}=\S{0,200}){0,9} (?=\w)/;

const nowhere = /[12&]?>{1,2} ?(?:\/dev\/null|&\d)/g;

function onlyShows({ words }: ShellCommand): boolean {
  const start = words.findIndex((word) => !before.test(word));
  const command = words.slice(Math.max(0, start)).join(' ').replaceAll(nowhere, '').trim();
  const run = command.replace(runner, '');
  return run === '' || (looking.test(run) && !changes.test(run));
}

/** Whether a call only looks around, so that nothing is done by it. */
export function isLook(call: ToolCall): boolean {
  return callsIn(call).every((one) => {
    const commands = simpleCommands(shellText(one));
    return commands.length > 0 ? commands.every(onlyShows) : lookingTool.test(one.name);
  });
}

const finding = new RegExp(`^(?:${lookups}|command|type|pgrep|lsof|ps)$`);
const findingOfGit =
  /^(?:diff|status|log|show|grep|blame|rev-parse|rev-list|ls-files|ls-tree|merge-base|check-ignore|show-ref|cat-file|config)$/;
/** Options with which a program that looks around changes something. */
const changingOption = /^(?:--in-place\b.*|-[a-zA-Z]*i[a-zA-Z]*|-delete|-exec|-execdir)$/;

/** Whether a command only looks for something, and so may end badly where it finds nothing: fewer do than only show. */
export function onlyFinds(command: ShellCommand): boolean {
  const words = wordsRun(command);
  const [program = '', ...rest] = words;
  const [ofGit = '', ...options] = argumentsOf(words, 'git') ?? [];
  if (rest.some((word) => /^1?>{1,2}(?!&|\/dev\/null)/.test(word))) return false;
  if (ofGit === 'config') return readsConfig(options);
  if (findingOfGit.test(ofGit)) return true;
  return (
    finding.test(program) &&
    !(/^(?:sed|find)$/.test(program) && rest.some((word) => changingOption.test(word)))
  );
}

/** The words of what a command runs: of `xargs -n 1 grep x` those from `grep` on. */
export function wordsRun({ words }: ShellCommand): readonly string[] {
  const [before = ''] = runner.exec(words.join(' ')) ?? [];
  return words.slice(before.split(' ').length - 1);
}

/** Whether options of `git config` ask for settings, or for the one of the only name among them. */
function readsConfig(options: readonly string[]): boolean {
  if (options.some((word) => /^(?:--get\S{0,8}|--list|-l)$/.test(word))) return true;
  const others = options.filter(
    (word, at) => !ofConfig.test(word) && !/^(?:-f|--file|--blob)$/.test(options[at - 1] ?? ''),
  );
  return others.length === 1 && /^[\w-]{1,60}\.\S{1,200}$/.test(others[0]!);
}

/** Options that say where and how `git config` reads, and where its errors go. */
const ofConfig =
  /^(?:--(?:global|local|system|worktree|show-\w{1,9}|bool|int|path|null|file(?:=\S{1,200})?|blob(?:=\S{1,200})?|type=\w{1,20})|-[fz]|2>\S{1,20})$/;
