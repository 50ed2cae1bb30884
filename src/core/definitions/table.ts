import { indentOf } from '../text/indent.ts';
import { clip, oneLine } from '../text/sentences.ts';

// Tables of constants: names with values, or values, over several lines.

/** Longest table that is told, and most lines of it that are read. */
const longestTable = { text: 230, lines: 40 } as const;

/** Where a table begins: `= {`, `: Record<string, string> = {`, `= new Map([`, ` [`. */
const opensTable =
  /^(?:\s{0,20}:[^=]{1,80})?\s{0,20}=?\s{0,20}(?:new (?:Map|Set)\(|Object\.freeze\(|frozenset\(|&|map\[\w+\][\w\]*[]+|\[\d{0,9}\][\w.*]{1,60})?(?:%?\{|\[|\()(?<first>[^=]*)$/;

/** A line of a table: a name with a value that is no function, or a value alone. */
const row = /^(?:[\w.$"'`:/@[\]-]+\s*(?::|=>|=)\s*)?[^=(]{1,120}$/;

/** A constant that lists names with values, or values, on one line; '' where it is none, or holds more than that. */
export function tableAt(lines: readonly string[], at: number, rest: string): string {
  const opened = opensTable.exec(rest);
  if (opened === null) return '';
  const indent = indentOf(lines[at]!);
  const below = lines.slice(at + 1, at + longestTable.lines);
  const end = below.findIndex((line) => line.trim() !== '' && indentOf(line) <= indent);
  const rows = (end < 0 ? below : below.slice(0, end)).filter(
    (line) => line.trim() !== '' && !remark.test(line),
  );
  const all = /^\s*$/.test(opened.groups!['first']!) ? rows : [opened.groups!['first']!, ...rows];
  if (all.length < 2 || !all.every((line) => row.test(line.trim()))) return '';
  const mark =
    /[{[(](?=[^{[(]*$)/.exec(rest.slice(0, rest.length - opened.groups!['first']!.length))?.[0] ??
    '{';
  const close = { '{': ' }', '[': ']', '(': ')' }[mark] ?? '';
  const open = mark === '{' ? '{ ' : mark;
  const isCut = end < 0 && lines.length > at + longestTable.lines;
  const content = clip(oneLine(all.join(' ')).replace(/,$/, ''), longestTable.text);
  return `${open}${content}${content.endsWith('…') ? '' : isCut ? ' …' : close}`;
}

/** A remark within a table, where a line that begins with dashes is an option: `--max-time 5`. */
const remark = /^\s*(?:\/\/|\/?\*|#)/;
