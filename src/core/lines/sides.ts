import { clip } from '../text/sentences.ts';

// What speaks for a thing and what speaks against it, how it was before and how it is after: one side
// alone says something else than both. So they are told as one item, however long each is:
//
//   **Pros:**                 Pros: fast; no new process; Cons: a lock for each file
//   - fast
//   - no new process
//   **Cons:**
//   - a lock for each file

/** A line of a text without its marks, and what these made of it. */
export interface PlainLine {
  readonly mark: 'heading' | 'item' | 'row' | 'code' | 'rule' | '';
  readonly rest: string;
  /** How far in it stands; of a heading, how deep. */
  readonly indent: number;
  /** The label in bold that a paragraph begins with, which all of it belongs to. */
  readonly own?: string;
  /** Whether an item has a number. */
  readonly isNumbered?: boolean;
}

/** Labels of two sides. */
const pairs: readonly (readonly [RegExp, RegExp])[] = [
  [
    'pros?|benefits?|advantages?|upsides?|strengths?',
    'cons?|drawbacks?|disadvantages?|downsides?|weaknesses|limitations?',
  ],
  ['before', 'after'],
  ['old', 'new'],
  ['for', 'against'],
  ['expected', 'actual|got'],
].map(([one, other]) => [labelOf(one!), labelOf(other!)]);

/** Longest label, in UTF-16 units. */
const longestLabel = 60;

function labelOf(words: string): RegExp {
  return new RegExp(`^(?:${words})(?: \\([^()]{1,40}\\))?:(?= |$)`, 'i');
}

/** Longest text of two sides together, in UTF-16 units; where it is longer, both are cut alike. */
const longest = 340;

/** Most lines of two sides together. */
const mostLines = 24;

/** Two sides in place of their lines. */
type BothSides = Omit<PlainLine, 'mark'> & { readonly mark: 'item' | 'sides' };

/** A line, or two sides in place of theirs. */
export type LineOrSides = PlainLine | BothSides;

/** Lines in which two sides that follow one another are one: an item of the list that they stand in, or `sides` where they stand in none. */
export function withSides(lines: readonly PlainLine[]): readonly LineOrSides[] {
  const joined: LineOrSides[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const both = sidesAt(lines, at);
    joined.push(both?.sides ?? lines[at]!);
    at += (both?.lines ?? 1) - 1;
  }
  return joined;
}

/** The two sides that begin at a line as one, and how many lines they take; null where there are none. */
function sidesAt(
  lines: readonly PlainLine[],
  at: number,
): { readonly sides: BothSides; readonly lines: number } | null {
  const text = textOf(lines[at]!);
  const end = text.indexOf(':');
  if (end < 0 || end > longestLabel) return null;
  const pair = pairs.find((labels) => labels.some((label) => label.test(text)));
  if (pair === undefined) return null;
  const sides: { readonly label: RegExp; text: string }[] = [];
  let head = lines[at]!;
  let to = at;
  for (; to < lines.length && to < at + mostLines; to += 1) {
    const line = lines[to]!;
    const label = pair.find((one) => one.test(textOf(line)));
    const last = sides.at(-1);
    if (label === undefined || last?.label === label) {
      if (last === undefined || !(label === undefined ? isBelow(line, head) : isLike(line, head)))
        break;
      last.text += `${last.text.endsWith(':') ? ' ' : '; '}${line.rest}`;
    } else {
      if (sides.length === pair.length || (last !== undefined && !isLike(line, head))) break;
      sides.push({ label, text: textOf(line) });
      head = line;
    }
  }
  if (sides.length < pair.length) return null;
  const rest = cutAlike(sides.map(({ text }) => text)).join('; ');
  const { mark, indent } = lines[at]!;
  return { sides: { mark: mark === 'item' ? 'item' : 'sides', rest, indent }, lines: to - at };
}

/** A line as it leads to what stands below it. */
const textOf = ({ mark, rest }: PlainLine): string =>
  mark === 'heading' && !rest.endsWith(':') ? `${rest}:` : rest;

/** Whether two labels are of the same list, or none is of a list. */
const isLike = (line: PlainLine, other: PlainLine): boolean =>
  line.mark === other.mark && line.indent === other.indent;

/** Whether a line belongs to the label above it. */
function isBelow(line: PlainLine, label: PlainLine): boolean {
  if (line.mark === 'code') return false;
  if (line.rest === '') return true;
  if (label.mark === 'item') return line.mark !== 'heading' && line.indent > label.indent;
  return textOf(label).endsWith(':') && (line.mark === 'item' || line.mark === 'row');
}

/** Texts that are no longer than may be together: those that are too long end at the same length. */
function cutAlike(texts: readonly string[]): readonly string[] {
  let remaining = longest;
  let share = 0;
  for (const [index, { length }] of texts.toSorted((a, b) => a.length - b.length).entries()) {
    share = Math.floor(remaining / (texts.length - index));
    remaining -= Math.min(length, share);
  }
  return texts.map((text) => clip(text, share));
}
