// Any text as Markdown that shows it. A backslash stands before what Markdown
// would take for its own, so that no text makes a heading, a comment or a cell;
// what reads well as it is stays as it is.

/** Where a text stands: in a list item, in a cell of a table, or as lines of their own. */
export type TextPosition = 'item' | 'cell' | 'lines';

/** What begins a block where it stands first on a line. */
const opens: Readonly<Record<TextPosition, RegExp>> = {
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

/** A backslash that would mean something, the beginnings of entities and of tags. */
const special = /\\(?=[!-/:-@[-`{-~]|$)|&(?=[#A-Za-z])|<(?=[A-Za-z!?/])/g;

/** Control characters, tabs, breaks of other kinds, byte order marks, halves of surrogate pairs. */
const unprintable = /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff\p{Cs}]/gu;

/** `text` as Markdown. */
export function printText(text: string, place: TextPosition): string {
  return text
    .split('\n')
    .map((line) => printLine(line, place))
    .join(breaks[place]);
}

function printLine(line: string, place: TextPosition): string {
  const printed = line
    .replace(special, '\\$&')
    .replace(unprintable, (unit) => `&#${unit.charCodeAt(0)};`)
    .replace(/^ /, '&#32;');
  if (place === 'cell') return printed.replaceAll('|', '\\|');
  if (opens[place].test(line)) return `\\${printed}`;
  return place === 'item' ? printed.replace(/^\d{1,9}(?=[.)](?:\s|$))/, '$&\\') : printed;
}

/** A text as code where that can hold it, else as Markdown. */
export function printCode(text: string, place: TextPosition): string {
  const isCode = text !== '' && text === text.trim() && !/[`|]/.test(text);
  return isCode && text.search(unprintable) < 0 ? `\`${text}\`` : printText(text, place);
}
