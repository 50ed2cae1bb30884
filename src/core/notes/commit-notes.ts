import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { clip, withinScanLimit } from '../text/sentences.ts';
import { shellText } from '../commands/shell-commands.ts';
import { argumentsOf, simpleCommands, type ShellCommand } from '../commands/shell-words.ts';
import { noteLine, noteLines, type HostNote } from './host-note.ts';

// A commit says in its author's words what was done and why. It is told once it
// was made: a result that failed, or says that there was nothing to commit,
// tells nothing, and so does a call without a result.

/** The commits and pull requests that a call made. */
export function commitNotes(call: ToolCall, result: ToolMessage | undefined): readonly HostNote[] {
  if (result === undefined) return [];
  if (/(?:^|_)create_pull_request$/i.test(call.name)) return toolRequest(call, result);
  const text = shellText(call);
  if (!/\bgit\b[^]*\bcommit\b|\bgh\b[^]*\bpr\b/.test(text)) return [];
  const output = withinScanLimit(textOf(result.content));
  return simpleCommands(text).flatMap((command, index, all) => {
    const input = command.input ?? all[index - 1]?.input ?? '';
    const commit = commitLines(command, input);
    const hash = hashIn(output, commit);
    const hasSucceeded = hash !== '' || (result.isError !== true && !hasFailed(output));
    if (commit.length > 0) return hasSucceeded ? [note('commit', withHash(commit, hash))] : [];
    const request = requestLines(command, input);
    return request.length > 0 && hasSucceeded
      ? [note('pull request', withAddress(request, output))]
      : [];
  });
}

function note(kind: 'commit' | 'pull request', lines: readonly string[]): HostNote {
  return { kind, lines };
}

/** The hash that git says it gave the commit; '' where it does not say so. */
function hashIn(output: string, [subject]: readonly string[]): string {
  if (subject === undefined) return '';
  const commits = output.matchAll(/^\[[^\]\n]+ ([0-9a-f]{7,40})\] (.*)$/gm);
  return [...commits].find(([, , message]) => message!.startsWith(subject))?.[1] ?? '';
}

/** Longest subject that is told with a hash, in UTF-16 units. */
const longestSubject = 350;

const withHash = ([subject = '', ...body]: readonly string[], hash: string): readonly string[] =>
  hash === '' ? [subject, ...body] : [`${clip(subject, longestSubject)} (${hash})`, ...body];

function hasFailed(output: string): boolean {
  return failures.some((sign) => sign.test(output));
}

const failures = [
  /^(?:nothing to commit|nothing added to commit|no changes added to commit|On branch .*\n(?:.*\n){0,40}?nothing )/m,
  /^(?:fatal|error|husky|pre-commit): /im,
  /(?:\bexit(?:ed with)? code:? |"exit_code": ?)[1-9]/i,
] as const;

/** The subject and the body of a commit command; empty for another command, or one without a message. */
function commitLines({ words }: ShellCommand, input: string): readonly string[] {
  const options = optionsAfter(words, 'git', ['commit']);
  const paragraphs: string[] = [];
  for (let at = 0; at < options.length; at += 1) {
    const option = options[at]!;
    const next = options[at + 1] ?? '';
    const attached = /^(?:--message=|-[anpqsveio]*m(?!$))([^]*)$/.exec(option)?.[1];
    if (attached !== undefined) paragraphs.push(attached);
    else if (/^(?:--message|-[anpqsveio]*m)$/.test(option)) {
      paragraphs.push(next);
      at += 1;
    } else if (/^(?:--file=|-F)-$/.test(option)) paragraphs.push(input);
    else if (/^(?:--file|-F)$/.test(option) && next === '-') paragraphs.push(input);
  }
  return messageLines(paragraphs);
}

/** The title and the body of a command that opens a pull request. */
function requestLines({ words }: ShellCommand, input: string): readonly string[] {
  const options = optionsAfter(words, 'gh', ['pr', 'create']);
  const valueOf = (long: string, short: string): string | undefined => {
    const at = options.findIndex((option) => option === long || option === short);
    const joined = options.find((option) => option.startsWith(`${long}=`));
    return at === -1 ? joined?.slice(long.length + 1) : options[at + 1];
  };
  const body = valueOf('--body-file', '-F') === '-' ? input : (valueOf('--body', '-b') ?? '');
  const title = valueOf('--title', '-t') ?? '';
  return title === '' ? [] : messageLines([title, body]);
}

/** The lines of the paragraphs, without those that name no more than who or what wrote it. */
function messageLines(paragraphs: readonly string[]): readonly string[] {
  const isUnset = (text: string): boolean => /^\s*(?:\$\{?\w+\}?\s*)?$/.test(text);
  const text = paragraphs.filter((paragraph) => !isUnset(paragraph)).join('\n\n');
  return noteLines(text.replace(wrap, ' ')).filter((line) => !trailer.test(line));
}

/** The line break in a sentence that was wrapped at a column. */
const wrap = /(?<=[^\n]{50})\n[^\S\n]{0,8}(?=[a-z(])/g;

const trailer =
  /^(?:(?:co-authored|signed-off|assisted|generated)-by:|\W{0,4}generated with \[?\w)/i;

/** The words after a command and its subcommand; empty for another command. */
function optionsAfter(
  words: readonly string[],
  command: string,
  subcommand: readonly string[],
): readonly string[] {
  const args = argumentsOf(words, command) ?? [];
  return subcommand.every((word, index) => args[index] === word)
    ? args.slice(subcommand.length)
    : [];
}

/** The pull request that a tool of a forge opened. */
function toolRequest({ arguments: args }: ToolCall, result: ToolMessage): readonly HostNote[] {
  if (typeof args === 'string' || result.isError === true) return [];
  const { title, body } = args;
  if (typeof title !== 'string' || noteLine(title) === '') return [];
  const lines = messageLines([title, typeof body === 'string' ? body : '']);
  if (lines.length === 0) return [];
  return [note('pull request', withAddress(lines, withinScanLimit(textOf(result.content))))];
}

/** A pull request with the address that a result names, behind its title. */
function withAddress([title = '', ...body]: readonly string[], output: string): readonly string[] {
  const address =
    /https:\/\/[\w.-]{1,100}\/[\w./-]{1,200}?\/(?:pull|merge_requests)\/\d{1,10}/.exec(output);
  return address === null ? [title, ...body] : [title, address[0], ...body];
}
