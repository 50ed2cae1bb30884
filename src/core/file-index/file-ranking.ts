import { isCheck } from '../commands/checks.ts';
import { partFinder } from '../entities/part-finder.ts';
import type { Count } from '../messages/token-count.ts';
import { entryId } from '../values/id.ts';
import { mapInParts, type Part } from '../values/parts.ts';
import { readOnce } from '../values/read-once.ts';
import { isTest } from './fact-share.ts';
import type { FileIndex, IndexedCommand } from './file-index.ts';
import type { IndexedFile } from './indexed-file.ts';
import { usageOf, type UsedFile } from './file-usage.ts';
import { scoreAt, type Holding } from './holdings.ts';

// What an index tells beside a text, in the order of what it is worth: what the text tells is not told again.

/** What files mean, each with its file. */
export type Meanings = readonly (readonly [IndexedFile, Holding])[];

/** The files of an index by what they were used, their paths as they are told, and what they mean, beside a text. */
export interface Ranking {
  readonly index: FileIndex;
  readonly now: number;
  readonly beside: string;
  /** The folder that paths are told from; '' for none. */
  readonly base: string;
  readonly byUse: readonly UsedFile[];
  /** Whether the text tells something. */
  readonly isTold: (part: string) => boolean;
  /** Those of them whose path is not told. */
  readonly untold: readonly IndexedFile[];
  readonly meanings: Meanings;
  /** Commands whose newest run is not told, the most used first. */
  readonly runs: readonly IndexedCommand[];
  /** The index as it was printed. */
  readonly printed: { readonly room: number; readonly count: Count; readonly text: string }[];
}

/** What a next holding of a file is worth beside the one before it. */
const nextShare = 0.85;

/** Most commands that are told. */
const mostCommands = 8;

/** Fewest runs of a command that is told: of one that checks, and of another. */
const leastRuns = { check: 2, other: 3 } as const;

const isUsed = ({ runs, command }: IndexedCommand): boolean =>
  runs >= (isCheck(command) ? leastRuns.check : leastRuns.other);

/** The last rankings of an index: it is printed for several rooms, beside a few texts in turn. */
const ranked = new WeakMap<FileIndex, Ranking[]>();

/** The most of them. */
const mostRanked = 4;

/** The files of an index as they rank beside a text. */
export function rankingOf(
  index: FileIndex,
  { now, beside, part }: { readonly now: number; readonly beside: string; readonly part: Part },
): Ranking {
  const before = ranked.get(index) ?? [];
  const cached = before.find((one) => one.now === now && one.beside === beside);
  if (cached !== undefined) return cached;
  const { base, byUse } = part(() => usageOf(index, now));
  const isTold = part(() => partFinder(beside, part));
  // To look for one path in a long text takes as long as many other parts.
  const untold = byUse.flatMap(({ path, file }) => (part(() => isTold(path)) ? [] : [file]));
  const meanings = rankedMeanings(byUse, { now, isTold, part });
  const runs = part(() => untoldRuns(index, { now, beside, isTold }));
  const ranking = { index, now, beside, base, byUse, isTold, untold, meanings, runs, printed: [] };
  ranked.set(index, [ranking, ...before.slice(0, mostRanked - 1)]);
  return ranking;
}

/** What files mean and is not told elsewhere, what is worth most for its length first. */
function rankedMeanings(
  files: readonly UsedFile[],
  { now, isTold, part }: Pick<Ranking, 'now' | 'isTold'> & { readonly part: Part },
): Meanings {
  const isNews = (holding: Holding): boolean => holding.text === '' || !isTold(tellingOf(holding));
  const ranked = mapInParts(files, part, ({ file, use, means }) =>
    means.filter(isNews).map((holding, rank) => {
      const value = use * scoreAt(holding, now) * nextShare ** rank;
      return { file, holding, worth: value / Math.sqrt(8 + holding.tokens) };
    }),
  ).flat();
  return part(() =>
    ranked
      .sort((a, b) => b.worth - a.worth)
      .map(({ file, holding }): Meanings[number] => [file, holding]),
  );
}

/** What a text tells that tells a holding: all of it, or the name of a test, which says what it tests. It is looked for in every text that an index stands beside. */
const tellingOf = readOnce(({ name, text }: Holding): string => {
  if (name !== '' && isTest(text)) return name;
  return text.endsWith('…') ? text.slice(0, -1) : text;
});

/** Most files that were changed since a check that stands though another check ran later: of more it tells little. */
const mostUnseen = 12;

/** How many files were changed since a command that checks something ran last. */
export function unseenBy({ command, frame, n }: IndexedCommand, { files }: FileIndex): number {
  if (!isCheck(command)) return 0;
  return files.filter((file) => file.frame === frame && (file.changes.at(-1) ?? 0) > n).length;
}

function untoldRuns(
  index: FileIndex,
  { now, beside, isTold }: Pick<Ranking, 'now' | 'beside' | 'isTold'>,
): readonly IndexedCommand[] {
  const used = index.commands.filter(isUsed);
  const newest = Math.max(...used.flatMap(({ command, n }) => (isCheck(command) ? [n] : [])));
  const isLate = (one: IndexedCommand): boolean =>
    one.n === newest || unseenBy(one, index) <= mostUnseen;
  return used
    .filter(isLate)
    .filter((one) => !(isTold(one.command) && tells(beside, one.command, entryId(one.n))))
    .sort((a, b) => scoreAt(b, now) - scoreAt(a, now))
    .slice(0, mostCommands);
}

/** Whether a line of a text tells both of two things. */
function tells(text: string, one: string, other: string): boolean {
  for (let at = text.indexOf(one); at >= 0; at = text.indexOf(one, at + 1)) {
    const start = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at);
    if (text.slice(start, end < 0 ? text.length : end).includes(other)) return true;
  }
  return false;
}
