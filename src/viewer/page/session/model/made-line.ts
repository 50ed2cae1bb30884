import type { MadeLine } from './wire.ts';

// Lines that Flamestack made, for people: a frame that ended stands in the prompt as an element of its tree,
// with a title, results and more; what was said in it is told sentence by sentence.

/** A frame as a line of the prompt tells it. */
export interface FrameLine {
  readonly id: string;
  readonly status: string;
  readonly title: string;
  /** What else is told of it, each under a name: results, decisions. */
  readonly parts: readonly { readonly name: string; readonly text: string }[];
}

/** Reads a line that stands for a frame; null where it is none. */
export function frameLineOf(text: string): FrameLine | null {
  const [opening, attributes = ''] = /^\s*<(?:child|frame)\b([^<>]*)>/.exec(text) ?? [];
  if (opening === undefined) return null;
  const of = (name: string): string =>
    new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  const parts = [...text.matchAll(elements)].flatMap(({ 0: { length }, 1: name = '', index }) => {
    const inner = text.slice(index + length).split(`</${name}>`, 1)[0]!;
    return inner.trim() === '' ? [] : [{ name: name.replaceAll('-', ' '), text: plain(inner) }];
  });
  const title = parts.find(({ name }) => name === 'title')?.text ?? '';
  if (title === '') return null;
  return {
    id: of('id'),
    status: of('status').replaceAll('_', ' '),
    title,
    parts: parts.filter(({ name }) => name !== 'title'),
  };
}

/** What is told of a frame within its element. */
const elements =
  /<(title|success-criteria|(?:partial-)?results|decisions|artifacts|failing|reason)(?:\s[^<>]*)?>/g;

/** A tag of ours; any other is somebody's words. */
const ourTag =
  /<\/?(?:goal|frame|child|titles?|success-criteria|(?:partial-)?results|decisions|artifacts|failing|reason|left|more|checkpoint)(?:\s[^<>]*)?\/?>/g;

/** A line without our tags and the dash of a list. */
export const plain = (text: string): string => text.replace(ourTag, '').trim().replace(/^- /, '');

/** The sentences of a text; what is parted by semicolons and dots in the middle are sentences, too. */
export function sentencesOf(text: string): readonly string[] {
  const ends = /(?<=[.!?]["”')]?)\s+(?=["“'(]?[\p{Lu}\p{N}`])|(?<=;)\s+|\s·\s/gu;
  return text.split(ends).filter((sentence) => /\p{L}/u.test(sentence));
}

/** A piece of what changed: entries that went, or a line that went or came. */
export type Piece =
  | { readonly sign: '-' | '+'; readonly entries: string }
  | { readonly sign: '-' | '+'; readonly line: MadeLine };

/**
 * What changed, in the order of the log: entries that went before those that came, and before the lines that
 * stand for them; lines that went before those that came; lines without a place follow the one above them in their section.
 */
export function piecesOf(change: {
  /** Ranges of entries that went, or became shorter; of those that came, or stand shorter now. */
  readonly entries: readonly [went: readonly string[], came: readonly string[]];
  readonly gone: readonly MadeLine[];
  readonly came: readonly MadeLine[];
}): readonly Piece[] {
  const { entries, gone, came } = change;
  const placed = [
    ...entriesAt(entries[0], '-'),
    ...entriesAt(entries[1], '+'),
    ...linesAt(gone, '-'),
    ...linesAt(came, '+'),
  ];
  return placed.sort((one, other) => one.at - other.at).map(({ piece }) => piece);
}

const entriesAt = (ranges: readonly string[], sign: '-' | '+') =>
  ranges.map((entries) => ({ at: placeIn(entries)!, piece: { sign, entries } }));

function linesAt(
  lines: readonly MadeLine[],
  sign: '-' | '+',
): readonly { readonly at: number; readonly piece: Piece }[] {
  let [section, last] = ['', 0];
  return lines.map((line) => {
    if (line.section !== section) [section, last] = [line.section, 0];
    last = frameIn(line.text) ?? placeIn(line.text) ?? last;
    return { at: last, piece: { sign, line } };
  });
}

/** A place before all entries for the line of a frame, so that what is told of one frame stands together. */
function frameIn(text: string): number | null {
  const [, n] = /^\s*<child id="f(\d+)"/.exec(text) ?? [];
  return n === undefined ? null : -1 / (Number(n) + 1);
}

/** The first entry that a text names. */
const placeIn = (text: string): number | null => {
  const [, n] = /\be(\d+)\b/.exec(text) ?? [];
  return n === undefined ? null : Number(n);
};
