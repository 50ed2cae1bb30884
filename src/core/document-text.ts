// Any text as Markdown that shows it, and back. A backslash stands before what
// Markdown would take for its own; what a line cannot hold is written as an
// entity; a line break within an item is a backslash at the end of the line, the
// hard break of CommonMark. What reads well as it is stays as it is.

/** Where a text stands: in a list item, in a cell of a table, or as lines of their own. */
export type Place = 'item' | 'cell' | 'lines';

const punctuation = /[!-/:-@[-`{-~]/;

/**
 * What begins a block where it stands first on a line: in an item heading, quote, table, list, rule,
 * fence or box; among lines what would end a section or open a fence.
 */
const opens: Readonly<Record<Place, RegExp>> = {
  item: /^(?:#{1,6}(?=\s|$)|[>|]|[-+*](?=\s|$)|(?:[-*_=] ?){3,}\s*$|`{3}|~{3}|=+$|\[[ xX]?\])/,
  lines: /^(?:#{1,6}(?=\s|$)|`{3}|~{3}|>)/,
  cell: /^(?!)/,
};

/** `text` as Markdown; {@link parseText} of the same place gives it back, unit by unit. */
export function printText(text: string, place: Place): string {
  const lines = text.split('\n');
  if (place === 'cell') return lines.map((line) => printLine(line, place)).join('<br>');
  if (place === 'item') return lines.map((line) => printLine(line, place)).join('\\\n  ');
  return lines
    .map((line, index) => {
      const isInside = index > 0 && index < lines.length - 1;
      return line === '' && !isInside ? '\\' : printLine(line, place);
    })
    .join('\n');
}

/** The text that {@link printText} printed, or that a person wrote. */
export function parseText(markdown: string, place: Place): string {
  if (place === 'cell') return cellLines(markdown).map(parseLine).join('\n');
  const lines = markdown.split('\n');
  if (place === 'item')
    return lines
      .map((line, index) => (index === 0 ? line : line.replace(/^[ \t]+/, '')))
      .map((line, index) => parseLine(withoutBreak(line, index < lines.length - 1)))
      .join('\n');
  return lines.map((line) => (line === '\\' ? '' : parseLine(line))).join('\n');
}

/** Whether a line ends with a hard break: an odd number of backslashes. */
export function goesOn(line: string): boolean {
  return (/\\+$/.exec(line)?.[0].length ?? 0) % 2 === 1;
}

function withoutBreak(line: string, isInside: boolean): string {
  return isInside && goesOn(line) ? line.slice(0, -1) : line;
}

/** A cell at its line breaks, but for those that are written out. */
function cellLines(markdown: string): readonly string[] {
  const lines: string[] = [''];
  for (const [piece] of markdown.matchAll(/<br ?\/?>|\\[^]|[^]/gi))
    if (piece.length > 2) lines.push('');
    else lines[lines.length - 1] += piece;
  return lines;
}

function printLine(line: string, place: Place): string {
  const opening = opens[place].test(line);
  const numbered = place === 'item' ? /^(\d{1,9})[.)](?=\s|$)/.exec(line) : null;
  let printed = '';
  for (let at = 0; at < line.length; at += 1) {
    const escapes = (at === 0 && opening) || at === numbered?.[1]?.length;
    printed += escapes ? `\\${line.charAt(at)}` : printUnit(line, at, place);
  }
  return printed;
}

function printUnit(line: string, at: number, place: Place): string {
  const unit = line.charAt(at);
  const next = line.charAt(at + 1);
  if (isUnprintable(line, at)) return `&#${line.charCodeAt(at)};`;
  if (unit === ' ') return at === 0 || at === line.length - 1 ? '&#32;' : ' ';
  if (unit === '\\') return isTaken(line, at + 1) ? '\\\\' : '\\';
  if (unit === '&') return /[#A-Za-z]/.test(next) ? '\\&' : '&';
  if (unit === '<') return /[A-Za-z!?/]/.test(next) ? '\\<' : '<';
  if (unit === '|' && place === 'cell') return '\\|';
  return unit;
}

/** Whether a backslash before what stands at `at` would mean something. */
function isTaken(line: string, at: number): boolean {
  const unit = line.charAt(at);
  const isLastSpace = unit === ' ' && at === line.length - 1;
  return (
    unit === '' ||
    isLastSpace ||
    /[—–]/.test(unit) ||
    punctuation.test(unit) ||
    isUnprintable(line, at)
  );
}

/** Control characters, tabs, breaks of other kinds, byte order marks, halves of surrogate pairs. */
function isUnprintable(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  if (code === 0x2028 || code === 0x2029 || code === 0xfeff) return true;
  if (code < 0xd800 || code > 0xdfff) return false;
  const other = line.charCodeAt(code < 0xdc00 ? at + 1 : at - 1);
  return code < 0xdc00
    ? !(other >= 0xdc00 && other <= 0xdfff)
    : !(other >= 0xd800 && other <= 0xdbff);
}

function parseLine(line: string): string {
  return line.replace(
    /\\([!-/:-@[-`{-~])|&#(\d{1,5});/g,
    (whole, escaped?: string, code?: string) => {
      if (escaped !== undefined) return escaped;
      const unit = Number(code);
      return unit <= 0xffff ? String.fromCharCode(unit) : whole;
    },
  );
}

/** A text as code where that can hold it, else as Markdown without what parts it from what follows. */
export function printCode(text: string, place: Place): string {
  if (isCode(text)) return `\`${text}\``;
  return printText(text, place)
    .replace(/^`/, '\\`')
    .replace(/ -(?= |$)/g, ' \\-')
    .replace(/[—–]/g, (dash) => `&#${dash.charCodeAt(0)};`);
}

function isCode(text: string): boolean {
  if (!/^[^`|\\\s](?:[^`|\\\n]*[^`|\\\s])?$/.test(text)) return false;
  for (let at = 0; at < text.length; at += 1) if (isUnprintable(text, at)) return false;
  return true;
}

/** The text that {@link printCode} printed, or that a person wrote, in code or not. */
export function parseCode(markdown: string, place: Place): string {
  return /^`([^`]+)`$/.exec(markdown)?.[1] ?? parseText(markdown, place);
}
