/**
 * Most of a text that is looked at, in UTF-16 units. What stands behind it is
 * stored and searchable like everything else, but no fact, directive or marker
 * is read from it.
 */
export const scanLimit = 200_000;

/** The head of `text` that is looked at: at most {@link scanLimit}, cut between code points. */
export function withinScanLimit(text: string): string {
  if (text.length <= scanLimit) return text;
  const unit = text.charCodeAt(scanLimit - 1);
  return text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? scanLimit - 1 : scanLimit);
}

/** Sentences of prose, trimmed, in order; a line break always ends one. */
export function sentences(text: string): readonly string[] {
  return withinScanLimit(text)
    .split(/[\n\r]+/)
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=[A-Z"'`([-])|(?<=[。！？])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/**
 * Lines outside fenced code. A fence that is never closed holds the rest of
 * the text (`unclosed: 'code'`, as CommonMark has it), or is taken for a slip
 * and holds nothing (`'prose'`).
 */
export function unfenced(text: string, unclosed: 'code' | 'prose'): readonly string[] {
  const lines = withinScanLimit(text).split(/\r?\n|\r/);
  const outside: string[] = [];
  let fence = '';
  let held: string[] = [];
  for (const line of lines) {
    const mark = /^\s{0,12}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === '') {
      if (mark === undefined) outside.push(line);
      else fence = mark;
    } else if (mark?.startsWith(fence) === true && line.trim() === mark) {
      fence = '';
      held = [];
    } else held.push(line);
  }
  if (unclosed === 'prose') for (const line of held) outside.push(line);
  return outside;
}

/** The text without its fenced code. */
export function prose(text: string): string {
  return text.includes('```') || text.includes('~~~') ? unfenced(text, 'prose').join('\n') : text;
}

/**
 * One line that can be printed: escape sequences, control characters and line
 * breaks become spaces, runs of white space one.
 */
export function oneLine(text: string): string {
  return text
    .replace(/\u001b\[[\d;?]{0,20}[A-Za-z]/g, ' ')
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
}

/** The head of `text`, at most `length` UTF-16 units with the ellipsis, cut between code points. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Texts as lines of at most `length` UTF-16 units, each once, the last mention in place; without empty ones. */
export function uniqueLines(texts: readonly string[], length: number): readonly string[] {
  const shown = texts.map((text) => clip(oneLine(text), length)).filter((text) => text !== '');
  return [...new Set(shown.toReversed())].toReversed();
}
