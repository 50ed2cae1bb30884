import { isHuman } from '../../core/messages/message.ts';
import type { Breathe } from '../breathe.ts';
import type { LogEntry } from '../summarizer.ts';
import {
  cutTo,
  entryPassage,
  longestOutput,
  wideOutput,
  widestOutput,
  textPassage,
  type PassageLengths,
  type PromptPassage,
} from './prompt-entry.ts';

// What is to be summarized, in pieces that a question can hold. A block is a
// whole unit (a message, or calls with their results); one that is too large
// alone is taken apart, entry by entry, and an entry that is too large is cut.

/** What goes into one piece, unless it alone is too large for any. */
export interface Block extends PromptPassage {
  /** The ids of its entries, in order; none for a text. */
  readonly entries: readonly string[];
  /** What it is taken apart into; none where it can only be cut. */
  readonly parts: readonly Block[];
}

/** Most pieces that entries are read in; beyond that each is shown shorter, then the middle is left out. */
export const mostChunks = 24;

/** Lengths at which entries may go into one piece of which they take this share: output gives way to prose, and has more room in large windows. */
const together: readonly (readonly [lengths: PassageLengths, share: number])[] = [
  [widestOutput, 1 / 10] as const,
  [wideOutput, 1 / 3] as const,
  ...[longestOutput, 150, 75, 40].map((output) => [output, 1] as const),
].map(([output, share]) => [{ prose: Infinity, output }, share]);

/** Lengths at which they may go into several: as much as lets all entries in. */
const apart: readonly PassageLengths[] = [
  { prose: Infinity, output: longestOutput },
  { prose: 1_000, output: 150 },
  { prose: 300, output: 75 },
  { prose: 80, output: 40 },
];

/**
 * The units of the entries, oldest first, as blocks: in one piece of `room` tokens where
 * whole prose and short output fit into it, else in at most `mostChunks` of them. No more
 * is read than is shown, however many there are.
 */
export async function entryBlocks(
  entries: readonly LogEntry[],
  room: number,
  breathe: Breathe,
): Promise<readonly Block[]> {
  const units = unitsOf(entries);
  for (const [lengths, share] of together) {
    if (roughCost(entries, lengths) > 3 * share * room) continue;
    const blocks: Block[] = [];
    for (const unit of units) {
      blocks.push(unitBlock(unit, lengths));
      await breathe();
    }
    if (costOf(blocks) <= share * room) return blocks;
  }
  const most = mostChunks * room;
  const lengths = apart.find((one) => roughCost(entries, one) <= most) ?? apart.at(-1)!;
  const head = await takeWithin(
    blocksOf(units, { room, lengths }),
    { cost: most / 3, entries: entries.length },
    breathe,
  );
  const back = await takeWithin(
    blocksOf(units, { room, lengths, reverse: true }),
    { cost: most - costOf(head) - 20, entries: entries.length - countOf(head) },
    breathe,
  );
  const tail = back.toReversed();
  const left = entries.slice(countOf(head), entries.length - countOf(tail));
  if (left.length === 0) return [...head, ...tail];
  const said = `(${left.length} entries from ${left[0]?.id} to ${left.at(-1)?.id} left out)`;
  return [...head, textBlock(said), ...tail];
}

/** A text as one block. */
const textBlock = (text: string): Block => ({
  ...textPassage(text),
  entries: [],
  parts: [],
});

/** The first piece of `blocks` that fits `room` tokens, with what is left; never empty. */
export function takeChunk(
  blocks: readonly Block[],
  room: number,
): { readonly piece: readonly Block[]; readonly left: readonly Block[] } {
  const [first, ...others] = blocks;
  if (first === undefined) return { piece: [], left: [] };
  if (first.cost > room)
    return first.parts.length > 0
      ? takeChunk([...first.parts, ...others], room)
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

function unitBlock(unit: readonly LogEntry[], lengths: PassageLengths): Block {
  const calls = callsOf(unit[0]);
  const parts = unit.map((entry): Block => {
    const call =
      entry.role === 'tool' ? calls.find(({ id }) => id === entry.toolCallId) : undefined;
    return { ...entryPassage(entry, { lengths, call }), entries: [entry.id], parts: [] };
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

/** What a record of entries costs about where nothing but output is cut, in tokens. */
export const recordCost = (entries: readonly LogEntry[]): number =>
  roughCost(entries, { prose: Infinity, output: longestOutput });

/** What entries cost about, in tokens, where their texts may be so long. */
const roughCost = (entries: readonly LogEntry[], { prose, output }: PassageLengths): number =>
  entries.reduce((sum, entry) => {
    const isOutput = entry.role === 'tool' || (entry.role === 'user' && !isHuman(entry));
    return sum + Math.min(entry.tokens * 1.5, isOutput ? output : prose * 2) + 12;
  }, 0);

/** Units as blocks, one at a time; those above `room` in parts. */
function* blocksOf(
  units: readonly (readonly LogEntry[])[],
  options: { room: number; lengths: PassageLengths; reverse?: boolean },
): Generator<Block> {
  const { room, lengths, reverse = false } = options;
  for (let at = 0; at < units.length; at += 1) {
    const block = unitBlock(units[reverse ? units.length - 1 - at : at] ?? [], lengths);
    const parts = block.cost > room && block.parts.length > 0 ? block.parts : [block];
    for (const part of reverse ? parts.toReversed() : parts)
      yield part.cost > room ? { ...part, ...cutTo(part, room) } : part;
  }
}

/** Blocks in turn, while together they take no more tokens and entries than `most`. */
async function takeWithin(
  blocks: Iterable<Block>,
  most: { readonly cost: number; readonly entries: number },
  breathe: Breathe,
): Promise<readonly Block[]> {
  const taken: Block[] = [];
  let cost = 0;
  let count = 0;
  for (const block of blocks) {
    cost += block.cost;
    count += block.entries.length;
    if (cost > most.cost || count > most.entries) break;
    taken.push(block);
    if (count === most.entries) break;
    await breathe();
  }
  return taken;
}

const countOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { entries }) => sum + entries.length, 0);
