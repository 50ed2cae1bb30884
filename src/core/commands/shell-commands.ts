import type { ToolCall } from '../messages/message.ts';
import { scanLimit } from '../text/sentences.ts';
import { readOnce } from '../values/read-once.ts';

const shell =
  /(?:^|\.|__)(?:bash|shell|local_shell|execute_bash|exec_command|execute_command|shell_command|run_shell_command|run_in_terminal|run_command|run|terminal|run_terminal_cmd)$/i;
/** Commands that tell nothing about the work. */
const idle = /^(?:cd|echo|head|tail|sort|wc|cat|sleep|true|grep -n?v?)\b/;

/** Longest part of a script that is read, in UTF-16 units. */
const mostRead = 4_000;

/** Longest command that is told, and longest that is read, in UTF-16 units. */
const longest = { command: 160, read: 400 } as const;

/** The shell commands of a call: the parts of its pipes and lists before any here-document, without redirections, of 8 to 160 characters. */
export const commandsIn: (call: ToolCall) => readonly string[] = readOnce((call: ToolCall) =>
  allCommandsIn(call).filter((command) => command.length <= longest.command),
);

/** The same of up to 400 characters. */
export const allCommandsIn: (call: ToolCall) => readonly string[] = readOnce((call: ToolCall) => {
  const [script = ''] = shellText(call).trim().slice(0, mostRead).split('<<', 1);
  return partsOf(script).flatMap((part) => {
    if (part.length > longest.read || part.trimStart().startsWith('#')) return [];
    const command = part.replace(/(?:^|\s)(?:[12&]?>>?\s?\S+)/g, '').trim();
    return command.length >= 8 && /\s/.test(command) && !idle.test(command) ? [command] : [];
  });
});

/** The shell text that a call runs; '' for a call of another tool. */
export function shellText({ name, arguments: args }: ToolCall): string {
  if (!shell.test(name)) return '';
  const raw = typeof args === 'string' ? args : (args['command'] ?? args['cmd'] ?? args['script']);
  return leavesOf(Array.isArray(raw) ? scriptOf(raw) : raw, scanLimit);
}

/** The script that a shell is given, or the words of a command as a shell would be given them. */
function scriptOf(words: readonly unknown[]): unknown {
  const [, option, script] = words;
  if (typeof option === 'string' && /^-l?c$/.test(option)) return script;
  return words
    .filter((word) => typeof word === 'string')
    .map((word) => (/[\s'"]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : word))
    .join(' ');
}

/** A script split at `&&`, `||`, `;`, `|` and the end of lines outside quotes; an unclosed quote reaches to the end. */
function partsOf(script: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let quote = '';
  for (let at = 0; at < script.length; at += 1) {
    const mark = script.charAt(at);
    if (mark === '\\') at += 1;
    else if (quote !== '') quote = mark === quote ? '' : quote;
    else if (mark === '"' || mark === "'") quote = mark;
    else if (';|\r\n'.includes(mark) || (mark === '&' && script.charAt(at + 1) === '&')) {
      parts.push(script.slice(start, at));
      if (script.charAt(at + 1) === mark) at += 1;
      start = at + 1;
    }
  }
  return [...parts, script.slice(start)];
}

/** The leaves of arguments as lines, at most `room` UTF-16 units; keys are left out, which belong to the tool. */
export function leavesOf(value: unknown, room: number): string {
  const lines: string[] = [];
  let remaining = room;
  const visit = (item: unknown, depth: number): void => {
    if (remaining <= 0 || item === null || item === undefined) return;
    if (typeof item === 'object') {
      if (depth < 16) for (const child of Object.values(item)) visit(child, depth + 1);
      return;
    }
    const line = `${item as string | number | boolean}`.slice(0, remaining);
    remaining -= line.length + 1;
    lines.push(line);
  };
  visit(value, 0);
  return lines.join('\n').slice(0, Math.max(0, room));
}
