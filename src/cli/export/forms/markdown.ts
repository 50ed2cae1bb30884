import { clean, cleanLine } from '../../paper/clean.ts';
import { cut } from '../../paper/width.ts';

/** A text of anybody on one line of Markdown, where it is text and nothing else; cut where it is longer than told. */
export function inline(text: string, longest: number = Number.POSITIVE_INFINITY): string {
  const line = cleanLine(text);
  const excerpt = Number.isFinite(longest) ? cut(line, longest, '…') : line;
  // An underscore within a word marks nothing there, and names are full of them; nor does the sign of a home.
  return excerpt
    .replace(
      /[\\`*[\]<>|&]|(?<=\S)~|~(?!\/)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
      String.raw`\$&`,
    )
    .replace(/^(\d{0,9})(?=[#+=.)-])/, (_, number: string) => `${number}\\`);
}

/** A text of anybody between fences, so that its own markup stays what it is. */
export function fenced(text: string): string {
  const cleaned = clean(text);
  const longest = Math.max(2, ...[...cleaned.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${cleaned}\n${fence}`;
}

/** A table; its cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
