/**
 * The part of a text that is scanned, in UTF-16 units. What follows is stored and
 * searchable, but no entity, directive or marker is read from it.
 */
export const scanLimit = 200_000;

/** The start of `text` that is scanned: at most {@link scanLimit}, cut between code points. */
export function withinScanLimit(text: string): string {
  return text.length <= scanLimit ? text : headOf(text, scanLimit);
}

/** Sentences of prose, trimmed, in order; a line break always ends one. */
export function sentences(text: string): readonly string[] {
  return withinScanLimit(text)
    .split(/[\n\r]/)
    .flatMap((line) => (mayEnd.test(line) ? line.split(sentenceEnd) : line))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Where a sentence ends and the next begins: not behind `e.g.` and its like, which go on. */
export const sentenceEnd: RegExp =
  /(?<=[.!?])(?<!\b(?:vs|[eE]\.g|[iI]\.e|[cC]f|approx)\.)\s+(?=[A-Z"'`([*-])|(?<=[。！？])/;

/** What {@link sentenceEnd} is about; most lines have none of it, and a test is cheaper than a split. */
const mayEnd = /[.!?]\s|[。！？]/;

/** How many words a text has. */
export const wordCount = (text: string): number => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;

/**
 * The lines outside fenced code. A fence that is never closed makes the rest
 * code (`unclosed: 'code'`, as CommonMark has it) or counts for nothing
 * (`'prose'`), unless it names a language. What `instead` makes of its lines stands for each that is left out.
 */
export function unfenced(
  text: string,
  unclosed: 'code' | 'prose',
  instead?: (code: readonly string[]) => string,
): readonly string[] {
  const lines = withinScanLimit(text).split(/\r?\n|\r/);
  const outside: string[] = [];
  let fence = '';
  let fenced: string[] = [];
  let isCode = false;
  for (const line of lines) {
    const [, found, language = ''] = /^\s{0,12}(`{3,}|~{3,})(\w*)/.exec(line) ?? [];
    if (fence === '') {
      if (found === undefined) outside.push(line);
      else [fence, isCode] = [found, !/^(?:|md|markdown|te?xt)$/i.test(language)];
    } else if (found?.startsWith(fence) === true && line.trim() === found) {
      fence = '';
      if (instead !== undefined) outside.push(instead(fenced));
      fenced = [];
    } else fenced.push(line);
  }
  if (unclosed === 'prose' && !isCode) for (const line of fenced) outside.push(line);
  return outside;
}

/** Code in place of some that is left out: too long to be told. */
export const leftOutCode = '```\n…\n…\n…\n…\n```';

/** The text without its fenced code, with a line in place of each that `instead` makes of it, where it is given. */
export function prose(text: string, instead?: (code: readonly string[]) => string): string {
  const isFenced = text.includes('```') || text.includes('~~~');
  return isFenced ? unfenced(text, 'prose', instead).join('\n') : text;
}

const blank = '[\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]';

/**
 * A text as one printable line: escape sequences, control characters and line
 * breaks become spaces, runs of white space one space.
 */
export function oneLine(text: string): string {
  return text
    .replace(/\u001b\[[\d;?]{0,20}[A-Za-z]/g, ' ')
    .replace(blanks, ' ')
    .trim();
}

/** Runs of what is no printable character, but for a single space, which stays as it is. */
const blanks = new RegExp(` ${blank}+|(?! )${blank}+`, 'g');

/** The start of `text` with an ellipsis, at most `length` UTF-16 units, cut between code points. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${headOf(text, length - 1)}…`;
}

/** The first units of a text, cut between code points. */
export const headOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
