import type { ToolCall } from '../messages/message.ts';

const shell =
  /^(?:bash|shell|local_shell|execute_bash|exec_command|run_command|run|terminal|run_terminal_cmd)$/i;
/** Commands that tell nothing about the work. */
const idle = /^(?:cd|echo|head|tail|sort|wc|cat|sleep|true|grep -n?v?)\b/;

/** Longest first line of a command that is read, in UTF-16 units. */
const mostRead = 4_000;

/** The shell commands of a call: the parts of its first line's pipes and lists, without redirections, of 8 to 160 characters. */
export function commandsIn(call: ToolCall): readonly string[] {
  if (!shell.test(call.name)) return [];
  return partsOf(firstLine(call)).flatMap((part) => {
    if (part.length > 400) return [];
    const command = part.replace(/(?:^|\s)(?:[12&]?>>?\s?\S+)/g, '').trim();
    const fits = command.length >= 8 && command.length <= 160;
    return fits && /\s/.test(command) && !idle.test(command) ? [command] : [];
  });
}

function firstLine({ arguments: given }: ToolCall): string {
  const raw =
    typeof given === 'string' ? given : (given['command'] ?? given['cmd'] ?? given['script']);
  const text = leavesOf(Array.isArray(raw) ? [raw.join(' ')] : raw, mostRead).trim();
  return /^[^\r\n]*/.exec(text)?.[0] ?? '';
}

/** The line split at `&&`, `||`, `;` and `|` outside quotes; an unclosed quote reaches to the end. */
function partsOf(line: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const mark = line.charAt(at);
    if (mark === '\\') at += 1;
    else if (quote !== '') quote = mark === quote ? '' : quote;
    else if (mark === '"' || mark === "'") quote = mark;
    else if (mark === ';' || mark === '|' || (mark === '&' && line.charAt(at + 1) === '&')) {
      parts.push(line.slice(start, at));
      if (line.charAt(at + 1) === mark) at += 1;
      start = at + 1;
    }
  }
  return [...parts, line.slice(start)];
}

/** The leaves of arguments as lines, at most `room` UTF-16 units; keys are left out, which belong to the tool. */
export function leavesOf(value: unknown, room: number): string {
  const lines: string[] = [];
  let left = room;
  const visit = (item: unknown, depth: number): void => {
    if (left <= 0 || item === null || item === undefined) return;
    if (typeof item === 'object') {
      if (depth < 16) for (const child of Object.values(item)) visit(child, depth + 1);
      return;
    }
    const line = `${item as string | number | boolean}`.slice(0, left);
    left -= line.length + 1;
    lines.push(line);
  };
  visit(value, 0);
  return lines.join('\n').slice(0, Math.max(0, room));
}
