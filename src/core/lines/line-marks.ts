import { oneLine } from '../text/sentences.ts';
import type { PlainLine } from './sides.ts';

// The marks of a line of Markdown: a heading, an item, a row of a table, a rule, code.

/** What stands around code: what leads to it does not lead to what comes behind. */
const codeMark = '\u0001';

/** Code that is told with what leads to it: a command, a path, a line or two; more lines or UTF-16 units are left out. */
const shortCode = { lines: 3, length: 160 } as const;

/** Code as it goes on a line behind what leads to it; nothing but its marks where it is longer. */
export function codeLine(code: readonly string[]): string {
  const lines = code.map((line) => line.trim()).filter((line) => line !== '');
  const said = lines.map((line) => (line.includes('`') ? line : `\`${line}\``)).join('; ');
  const isShort = lines.length <= shortCode.lines && said.length <= shortCode.length;
  return `${codeMark}${isShort ? said : ''}${codeMark}`;
}

/** How deep a heading stands that is no more than bold; one with signs, as many as it has. */
export const inBold = 7;

/** Reads the marks of a line. */
export function unmarked(line: string): PlainLine {
  if (line.startsWith(codeMark)) return { mark: 'code', rest: oneLine(line), indent: 0 };
  const indent = line.search(/\S|$/);
  const said = oneLine(line).replace(/^(?:&gt; ?)+/, '');
  if (/^(?:-{3,}|\*{3,}|_{3,}|(?:[-*_] ){2,}[-*_])$/.test(said))
    return { mark: 'rule', rest: '', indent };
  if (/^\|.*\|$/.test(said)) {
    const cells = said
      .slice(1, -1)
      .split('|')
      .map((cell) => plain(cell.trim()));
    const isRule = cells.every((cell) => /^:?-*:?$/.test(cell));
    return {
      mark: 'row',
      indent,
      rest: isRule ? '' : cells.filter((cell) => cell !== '').join(' | '),
    };
  }
  const [signs = ''] = /^#{1,6}(?=\s)/.exec(said) ?? [];
  if (signs !== '')
    return { mark: 'heading', indent: signs.length, rest: plain(said.slice(signs.length)) };
  if (/^\*\*[^*]+\*\*:?$/.test(said)) return { mark: 'heading', indent: inBold, rest: plain(said) };
  const item = /^(?:[-*+•]|\d{1,3}[.)]|\[[ x~]\])\s+/.exec(said)?.[0];
  if (item !== undefined) {
    const isNumbered = /^\d/.test(item);
    return { mark: 'item', indent, rest: plain(said.slice(item.length)), isNumbered };
  }
  const own = labelInBold.exec(said)?.[1];
  return { mark: '', indent, rest: plain(said), ...(own && { own: `${plain(own)}:` }) };
}

/** A label in bold at the start of a paragraph. */
const labelInBold = /^\*\*([^*\n]{2,80}?)(?::\*\*|\*\*:)\s+(?=\S)/;

/** A text without bold marks but in code, decoration before its first word, and rules. */
const plain = (text: string): string =>
  text
    .replace(/`[^`]*`|(?<!\/)\*\*(?!\/)|__(?=\S)|(?<=\S)__/g, (mark) =>
      mark.startsWith('`') ? mark : '',
    )
    .replace(/^[^\p{L}\p{N}`'"([<@#§$/~.-]+/u, '')
    .replace(/^[-=_*\s]+$/, '')
    .trim();
