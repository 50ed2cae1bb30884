import { cutTo, entryPassage, longestResult, textPassage, type Passage } from './prompt-entry.ts';
import type { LogEntry } from './summarizer.ts';

// What is to be summarized, in pieces that a question can hold. A block is a
// whole unit (a message, or calls with their results); one that is too large
// alone is taken apart, entry by entry, and an entry that is too large is cut.

/** What goes into one piece, unless it alone is too large for any. */
export interface Block extends Passage {
  /** The ids of its entries, in order; none for a text. */
  readonly entries: readonly string[];
  /** What it is taken apart into; none where it can only be cut. */
  readonly parts: readonly Block[];
}

/** Most pieces that entries are read in; beyond that each is shown shorter, then the middle is left out. */
export const mostPieces = 24;

/** The units of the entries, oldest first, as blocks; at most `mostPieces` times `room` tokens together. */
export function entryBlocks(entries: readonly LogEntry[], room: number): readonly Block[] {
  const units = unitsOf(entries);
  const most = mostPieces * room;
  let blocks: readonly Block[] = [];
  for (let longest = longestResult; longest >= 30; longest = Math.floor(longest / 2)) {
    blocks = units.map((unit) => unitBlock(unit, longest));
    if (costOf(blocks) <= most) return blocks;
  }
  return withoutMiddle(blocks, most);
}

/** A text as blocks, line by line; of one above `most` tokens the ends. */
export function lineBlocks(text: string, most: number): readonly Block[] {
  return cutTo(textPassage(text), most)
    .text.split('\n')
    .filter((line) => line.trim() !== '')
    .map(textBlock);
}

/** A text as one block. */
export const textBlock = (text: string): Block => ({
  ...textPassage(text),
  entries: [],
  parts: [],
});

/** The first piece of `blocks` that fits `room` tokens, with what is left; never empty. */
export function takePiece(
  blocks: readonly Block[],
  room: number,
): { readonly piece: readonly Block[]; readonly left: readonly Block[] } {
  const [first, ...others] = blocks;
  if (first === undefined) return { piece: [], left: [] };
  if (first.cost > room)
    return first.parts.length > 0
      ? takePiece([...first.parts, ...others], room)
      : { piece: [{ ...first, ...cutTo(first, room) }], left: others };
  let used = 0;
  const end = blocks.findIndex((block) => (used += block.cost) > room);
  return end < 0
    ? { piece: blocks, left: [] }
    : { piece: blocks.slice(0, end), left: blocks.slice(end) };
}

/** Tokens of blocks, one after the other. */
export const costOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { cost }) => sum + cost, 0);

/** Entries that stand together: calls with the results behind them, all others alone. */
function unitsOf(entries: readonly LogEntry[]): readonly (readonly LogEntry[])[] {
  const units: LogEntry[][] = [];
  for (const entry of entries) {
    const open = units.at(-1);
    if (entry.role === 'tool' && open !== undefined && callsOf(open[0]).length > 0)
      open.push(entry);
    else units.push([entry]);
  }
  return units;
}

const callsOf = (entry: LogEntry | undefined) =>
  entry?.role === 'assistant' ? (entry.toolCalls ?? []) : [];

function unitBlock(unit: readonly LogEntry[], longest: number): Block {
  const calls = callsOf(unit[0]);
  const parts = unit.map((entry): Block => {
    const tool =
      entry.role === 'tool' ? calls.find(({ id }) => id === entry.toolCallId)?.name : undefined;
    return { ...entryPassage(entry, { longest, tool }), entries: [entry.id], parts: [] };
  });
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return {
    text: parts.map(({ text }) => text).join('\n'),
    cost: costOf(parts),
    entries: parts.flatMap(({ entries }) => entries),
    parts,
  };
}

/** The oldest third and the newest two thirds of what `most` holds, and between them a line that says what is missing. */
function withoutMiddle(blocks: readonly Block[], most: number): readonly Block[] {
  let head = 0;
  for (let used = 0; head < blocks.length; head += 1)
    if ((used += blocks[head]?.cost ?? 0) > most / 3) break;
  let tail = blocks.length;
  for (let used = 0; tail > head; tail -= 1)
    if ((used += blocks[tail - 1]?.cost ?? 0) > (most * 2) / 3 - 20) break;
  const left = blocks.slice(head, tail).flatMap(({ entries }) => entries);
  const said = textBlock(`(${left.length} entries from ${left[0]} to ${left.at(-1)} left out)`);
  return [...blocks.slice(0, head), said, ...blocks.slice(tail)];
}
