import { caps } from '../budget/budget.ts';
import type { Bodies } from '../messages/bodies.ts';
import type { Count } from '../messages/token-count.ts';
import { readLines, type KeptLine } from '../chronicle/chronicle.ts';
import type { FileIndex } from '../files/file-index.ts';
import { printIndex, rankingOf } from '../files/file-lines.ts';
import { isSameItem, printLines } from '../lines/line.ts';
import { recallLine } from './recall-line.ts';
import { quotesOf, shownHuman } from './human-section.ts';
import { path } from '../frames/tree.ts';
import type { State } from '../state/state.ts';
import type { FrameId } from '../values/id.ts';

/** What stands before the lines of the chronicle. */
export const chronicleTitle = (state: State): string =>
  `What happened before the entries below, oldest first, in the words of the log; e… are ids of entries. ${howToRead(state)}`.trimEnd();

/** Where files are told from, and how to get back what is out of view. */
function howToRead({ chronicle: { root }, tools }: State): string {
  const from = root === '' ? '' : `Files are told from ${root}.`;
  return [from, recallLine(tools.recall)].filter((line) => line !== '').join(' ');
}

/**
 * The lines that the chronicle may show: of the frames of the path, but for those that a checkpoint
 * of the active frame holds, and for what was asked where the words of people stand.
 */
export function chronicleLines(state: State): readonly KeptLine[] {
  const { chronicle, frames, active, views } = state;
  const open = new Set(path(frames, active).map(({ id }) => id));
  const standing = new Set(views.get(active)?.checkpoints.flatMap(({ lines }) => lines));
  const said = new Set([...shownHuman(state), ...quotesOf(state)].map(({ n }) => n));
  return chronicle.lines.filter(
    ({ id, frame, kind, n }) =>
      open.has(frame) && !standing.has(id) && !(kind === 'asked' && said.has(n)),
  );
}

/** The index as seen from a frame: the files and commands of its path. */
function indexOnPath({ chronicle: { index }, frames, active }: State): FileIndex {
  const known = onPath.get(index);
  if (known?.active === active) return known.index;
  const open = new Set(path(frames, active).map(({ id }) => id));
  const isOpen = ({ frame }: { readonly frame: FrameId }): boolean => open.has(frame);
  const shown = { files: index.files.filter(isOpen), commands: index.commands.filter(isOpen) };
  onPath.set(index, { active, index: shown });
  return shown;
}

const onPath = new WeakMap<FileIndex, { readonly active: FrameId; readonly index: FileIndex }>();

/** Ranks the files beside what is `told`, which is remembered: {@link fileIndex} has less to do then. */
export function rankFiles(state: State, told: string): void {
  rankingOf(indexOnPath(state), { told, now: state.compressions });
}

/** The index of files that fits `room` tokens, without what is `told` elsewhere; '' for none. */
export function fileIndex(
  state: State,
  given: { readonly room: number; readonly told: string; readonly count: Count },
): string {
  return printIndex(indexOnPath(state), { ...given, now: state.compressions });
}

/** What stands before the lines of each block but the first. */
const nextTitle = 'What happened next:';

/** Blocks that a chronicle at its cap has, about: most compressions change the last one alone. */
const blocksAtCap = 5;

/** Least tokens of the lines of a full block. */
const leastBlock = 400;

/** How many lines each block of the chronicle has, the last perhaps none: one that is full stays as it is while lines come behind it. */
export function blocksOf(
  lines: readonly KeptLine[],
  { limit }: { readonly limit: number },
): readonly number[] {
  const room = Math.max(leastBlock, (caps.chronicle * limit) / blocksAtCap);
  const blocks: number[] = [];
  let [begun, tokens] = [0, 0];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    if (tokens >= room && before!.kind !== 'asked' && !isSameItem(line, before)) {
      blocks.push(at - begun);
      [begun, tokens] = [at, 0];
    }
    tokens += line.tokens;
  }
  return [...blocks, lines.length - begun];
}

/**
 * The lines of the chronicle as text, block by block, each under its title. Without lines, how to read
 * what a checkpoint and the frames tell, once something was compressed; none before, and under `factor` 0.
 */
export function toldBlocks(
  state: State,
  bodies: Bodies,
  given: {
    readonly lines: readonly KeptLine[];
    readonly blocks: readonly number[];
    readonly factor: number;
  },
): readonly string[] {
  const { lines, blocks, factor } = given;
  const read = readLines(lines, (id) => bodies.text(id));
  let at = 0;
  const told = blocks.map((length) => printLines(read.slice(at, (at += length))));
  if (told.some((text) => text !== ''))
    return told.map((text, index) => {
      const title = index === 0 ? chronicleTitle(state) : nextTitle;
      return text === '' ? title : `${title}\n${text}`;
    });
  const isRead = blocks.length > 0 && state.compressions > 0 && factor > 0;
  return isRead ? [howToRead(state)].filter((text) => text !== '') : [];
}

/** The chronicle with an index of files behind its last block, where there is one. */
export function withIndex(told: readonly string[], index: string): readonly string[] {
  const [last, ...before] = told.toReversed();
  if (last === undefined) return [];
  if (index !== '') return [...before.toReversed(), `${last}\n${index}`];
  return last === nextTitle ? before.toReversed() : told;
}
