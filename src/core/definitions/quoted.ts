import { comment } from './code-lines.ts';

// Lines within a text that a file quotes over several lines are no code of it: a prompt in Go,
// a page in a template, a document of Python. Those that make a table are.

/** Most lines of such a text: what is never closed was none. */
const mostLines = 400;

/** Marks that open a text which may go on below, and close it. */
const marks = ['`', '"""', "'''"] as const;

/** A statement that makes or changes a table. */
export const sql: RegExp = /^\s*(?:CREATE|ALTER)\s/i;

/** Lines with empty ones in place of those within quoted texts. */
export function withoutQuoted(lines: readonly string[]): readonly string[] {
  const code = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const mark = openedBy(lines[at]!);
    // Any other line may as well close one, or begin what is said of the code.
    if (mark === undefined || !isValue.test(lines[at]!.slice(0, lines[at]!.lastIndexOf(mark))))
      continue;
    const below = lines.slice(at + 1, at + mostLines);
    const end = below.findIndex((line) => line.includes(mark));
    const text = below.slice(0, end + 1);
    if (!text.some((line) => sql.test(line))) code.fill('', at + 1, at + 1 + text.length);
    at += text.length;
  }
  return code;
}

/** What stands before a text that is a value. */
const isValue = /(?:[=(,:[{+]|\breturn)\s*\w{0,2}$/;

/** The mark of a text that a line opens and does not close. */
export const openedBy = (line: string): (typeof marks)[number] | undefined =>
  marks.find(
    (mark) => line.includes(mark) && line.split(mark).length % 2 === 0 && !comment.test(line),
  );
