// Any text as Markdown that shows it. A backslash stands before what Markdown
// would take for its own, so that no text makes a heading, a comment or a cell;
// what reads well as it is stays as it is.

/** The position of a text: in a list item, in a cell of a table, or as lines of its own. */
type TextPosition = 'item' | 'cell' | 'lines';

/** The beginnings of lines that open a block. */
const openers: Readonly<Record<TextPosition, RegExp>> = {
  item: /^(?:#{1,6}(?=\s|$)|[>|]|[-+*](?=\s|$)|(?:[-*_=] ?){3,}\s*$|`{3}|~{3}|=+$|\[[ xX]?\])/,
  lines: /^(?:#{1,6}(?=\s|$)|`{3}|~{3}|>|[-=]+\s*$)/,
  cell: /^(?!)/,
};

/** A line break within an item is the hard break of CommonMark. */
const breaks: Readonly<Record<TextPosition, string>> = {
  item: '\\\n  ',
  cell: '<br>',
  lines: '\n',
};

/** Backslashes that would escape, and the beginnings of character references and of tags. */
const special = /\\(?=[!-/:-@[-`{-~]|$)|&(?=[#A-Za-z])|<(?=[A-Za-z!?/])/g;

/** Control characters, tabs, breaks of other kinds, byte order marks, halves of surrogate pairs. */
const unprintable = /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff\p{Cs}]/gu;

/** `text` as Markdown. */
export function printText(text: string, position: TextPosition): string {
  return text
    .split('\n')
    .map((line) => printLine(line, position))
    .join(breaks[position]);
}

function printLine(line: string, position: TextPosition): string {
  const printed = line
    .replace(special, '\\$&')
    .replace(unprintable, (unit) => `&#${unit.charCodeAt(0)};`)
    .replace(/^ /, '&#32;');
  if (position === 'cell') return printed.replaceAll('|', '\\|');
  if (openers[position].test(line)) return `\\${printed}`;
  return position === 'item' ? printed.replace(/^\d{1,9}(?=[.)](?:\s|$))/, '$&\\') : printed;
}

/** A text as code where that can hold it, else as Markdown. */
export function printCode(text: string, position: TextPosition): string {
  const isCode = text !== '' && text === text.trim() && !/[`|]/.test(text);
  return isCode && text.search(unprintable) < 0 ? `\`${text}\`` : printText(text, position);
}
