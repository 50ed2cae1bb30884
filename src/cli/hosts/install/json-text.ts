import { findNodeAtLocation, parseTree, visit, type JSONPath, type Node } from 'jsonc-parser';

// What is put into a text of JSON can be taken out again, and the same bytes are left:
//
//   into [a]     behind the last entry, with the comma before it            [a‸, new‸]
//   into []      behind the bracket, with nothing between                   [‸new‸]
//   into no list with blanks in its brackets: such a list goes with its last entry   "list": [ new ]

/** A value with the name that it has in an object; in a list the name says nothing. */
interface Entry {
  readonly name: string | number;
  readonly value: unknown;
}

const lenient = { allowTrailingComma: true };

/** What stands at a path; undefined where nothing does. */
export function nodeAt(text: string, path: JSONPath): Node | undefined {
  // A mark of the byte order is no token.
  const root = parseTree(text.replace(/^\uFEFF/, ' '), [], lenient);
  return root === undefined ? undefined : findNodeAtLocation(root, path);
}

/** The text with an entry at the end of a list or object: in a line of its own where the first entry has one. */
export function insertedInto(text: string, holder: Node, { name, value }: Entry): string {
  const [first, last] = [holder.children?.[0], holder.children?.at(-1)];
  const hasLines = first !== undefined && /\n/.test(text.slice(holder.offset, first.offset));
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = hasLines ? `${eol}${indentAt(text, first.offset)}` : ' ';
  const spelled = hasLines
    ? JSON.stringify(value, null, indentOf(text)).replaceAll('\n', gap)
    : JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  const entry = holder.type === 'array' ? spelled : `${JSON.stringify(name)}: ${spelled}`;
  return last === undefined
    ? spliced(text, [holder.offset + 1, holder.offset + 1], entry)
    : spliced(text, [endOf(last), endOf(last)], `,${gap}${entry}`);
}

/** The text without a value, its name and its comma; a list or object whose brackets hold nothing but blanks then goes, too. */
export function without(text: string, node: Node): string {
  const entry = node.parent?.type === 'property' ? node.parent : node;
  const holder = entry.parent;
  if (holder === undefined)
    return (text.slice(0, entry.offset) + text.slice(endOf(entry))).trim() === ''
      ? ''
      : spliced(text, [entry.offset + 1, endOf(entry) - 1]);
  const siblings = holder.children!;
  const at = siblings.indexOf(entry);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (before !== undefined) return cut(text, entry, { gap: [endOf(before), entry.offset] });
  if (after !== undefined) return cut(text, entry, { gap: [endOf(entry), after.offset] });
  const [open, close] = [holder.offset + 1, endOf(holder) - 1];
  const lead = text.slice(open, entry.offset);
  const isMade = lead !== '' && isGap(lead + text.slice(endOf(entry), close));
  if (isMade) return without(text, holder);
  return cut(text, entry, { gap: [endOf(entry), close], isKept: true });
}

type Range = readonly [from: number, to: number];

/** The text without an entry and the comma in the gap beside it; without the gap, too, unless it is kept or holds a comment. */
function cut(
  text: string,
  entry: Node,
  { gap, isKept = false }: { readonly gap: Range; readonly isKept?: boolean },
): string {
  const own: Range = [entry.offset, endOf(entry)];
  if (!isKept && isGap(text.slice(...gap)))
    return spliced(text, [Math.min(own[0], gap[0]), Math.max(own[1], gap[1])]);
  return [own, ...commasIn(text, gap)]
    .toSorted(([one], [other]) => other - one)
    .reduce((left, range) => spliced(left, range), text);
}

function commasIn(text: string, [from, to]: Range): readonly Range[] {
  const commas: Range[] = [];
  const onSeparator = (_: string, at: number): void => {
    if (at >= from && at < to) commas.push([at, at + 1]);
  };
  visit(text, { onSeparator }, lenient);
  return commas;
}

/** Whether comments stand in a text. */
export function hasComments(text: string): boolean {
  let has = false;
  visit(text, { onComment: () => void (has = true) }, lenient);
  return has;
}

/** Whether there is a comma at most, among blanks. */
const isGap = (text: string): boolean => text.replace(',', '').trim() === '';

const endOf = ({ offset, length }: Node): number => offset + length;

const spliced = (text: string, [from, to]: Range, instead = ''): string =>
  text.slice(0, from) + instead + text.slice(to);

/** The blanks before what is first in the line of a place. */
const indentAt = (text: string, at: number): string =>
  /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))![0];

/** The indent of the first line that has one. */
const indentOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
