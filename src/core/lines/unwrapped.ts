// Lines of prose as their writer meant them: broken for the width of a page, quoted, parted by rules.

/** Shortest and longest line that its writer broke for its width, in UTF-16 units. */
const wrapped = { least: 56, most: 130 } as const;

/** A line of prose that goes on in the next, and one that may go on with another. */
const unfinished = /^(?!\s*(?:#{1,6}\s|\|)).*[^\s.!?:;{}|\u0001]$/;
const prosaic =
  /^\s*(?!\d{1,3}[.)]\s|\*\s|\*\*(?:\p{Lu}|[^*]+\*\*:?\s*$)|\[[^\]\n]{0,80}\](?!\())[\p{L}\p{N}`"'“‘(*_[]/u;
const isPath = /^[\w.@~-]*\//;

/** What stands before each line of a quotation. */
const quoteMarks = /^\s{0,3}(?:> ?){1,4}/;

/** A line drawn across a page, and the longest that stands in it, in UTF-16 units: `★ Insight ─────`. */
const rule = /[─━═┄┈—―▬]{5,}|^\W{0,4}[-=_*~]{5,}/;
const longestInRule = 24;

/** Whether a line only parts what is above from what is below. */
const isRule = (line: string): boolean =>
  rule.test(line) && line.replace(/[^\p{L}\p{N}]+/gu, '').length <= longestInRule;

/** The lines of a text, each with those that go on with it: a writer breaks prose where the next word would be too far out. */
export function unwrapped(text: string): readonly string[] {
  const lines: string[] = [];
  let last = '';
  for (const rawLine of text.split(/\r\n?|\n/)) {
    const line = isRule(rawLine) ? '' : rawLine.replace(quoteMarks, '');
    if (goesOnIn(last, line)) lines[lines.length - 1] += ` ${line.trim()}`;
    else if (line.trim() !== '') lines.push(line);
    last = line;
  }
  return lines;
}

/** Whether a line goes on in the next. */
function goesOnIn(line: string, next: string): boolean {
  const { length } = line.trimEnd();
  if (length < wrapped.least || length > wrapped.most) return false;
  if (!prosaic.test(next) || !unfinished.test(line.trimEnd())) return false;
  if (next.search(/\S/) < line.search(/\S/)) return false;
  const [first = ''] = /\S+/.exec(next) ?? [];
  if (first.endsWith(':') || (isPath.test(first) && isPath.test(line.trim()))) return false;
  return /^[`"'“‘(*_[]{0,2}\p{Ll}/u.test(first) || length + 1 + first.length > 68;
}
