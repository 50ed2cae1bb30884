import type { Bodies } from '../messages/bodies.ts';
import { embedded } from '../budget/options.ts';
import { readLines, type KeptLine } from '../chronicle/chronicle.ts';
import type { FileIndex } from '../file-index/file-index.ts';
import { rankingOf, type Ranking } from '../file-index/file-ranking.ts';
import { printLines } from '../lines/line.ts';
import { recallLine } from './recall-line.ts';
import { atOnce, type Part } from '../values/parts.ts';
import { quotesOf, shownHuman } from './human-section.ts';
import { path } from '../frames/tree.ts';
import type { State } from '../state/state.ts';
import type { FrameId } from '../values/id.ts';

/** What stands before the lines of the chronicle. */
export const chronicleTitle = (state: State): string =>
  `What happened before the entries below, oldest first, ${whoseWords(state)}; e… are ids of entries. ${howToRead(state)}`.trimEnd();

/** Whose words the lines are: where a model writes summaries, a line may be one of its. */
const whoseWords = ({ options }: State): string =>
  options.summarizer === embedded
    ? 'in the words of the log'
    : 'in words of the log and of summaries of it';

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
  const cached = onPath.get(index);
  if (cached?.active === active) return cached.index;
  const open = new Set(path(frames, active).map(({ id }) => id));
  const isOpen = ({ frame }: { readonly frame: FrameId }): boolean => open.has(frame);
  const pathIndex = { files: index.files.filter(isOpen), commands: index.commands.filter(isOpen) };
  onPath.set(index, { active, index: pathIndex });
  return pathIndex;
}

const onPath = new WeakMap<FileIndex, { readonly active: FrameId; readonly index: FileIndex }>();

/** The files of a session as they rank `beside` a text: what it tells is not told again. */
export const rankFiles = (state: State, beside: string, part: Part): Ranking =>
  rankingOf(indexOnPath(state), { beside, now: state.compressions, part });

/**
 * The lines of the chronicle as text, under their title. Without lines, where it `opens` all the same, how to read
 * what a checkpoint and the frames tell; else ''.
 */
export function chronicleText(
  state: State,
  bodies: Bodies,
  {
    lines,
    opens,
    part = atOnce,
  }: { readonly lines: readonly KeptLine[]; readonly opens: boolean; readonly part?: Part },
): string {
  const linesText = printLines(
    readLines(lines, (id) => bodies.text(id), part),
    part,
  );
  if (linesText !== '') return `${chronicleTitle(state)}\n${linesText}`;
  return opens ? howToRead(state) : '';
}

/** The chronicle with an index of files behind its lines, where there are any. */
export const withIndex = (linesText: string, index: string): string =>
  linesText === '' || index === '' ? linesText : `${linesText}\n${index}`;
