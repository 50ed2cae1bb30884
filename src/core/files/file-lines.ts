import type { Count } from '../messages/token-count.ts';
import { isCheck } from '../commands/checks.ts';
import { entryId } from '../values/id.ts';
import { readOnce } from '../values/read-once.ts';
import { untagged } from '../text/sanitize.ts';
import { partFinder } from '../entities/part-finder.ts';
import { toldTogether } from '../definitions/settings.ts';
import { usageOf, type UsedFile } from './file-usage.ts';
import { atOnce, mapInParts, type Part } from '../values/parts.ts';
import { isTest } from './fact-share.ts';
import { isAsidePath, isConfiguration, nameOf } from './paths.ts';
import type { FileIndex, IndexedCommand, IndexedFile } from './file-index.ts';
import { nameTold, scoreAt, type Holding } from './holdings.ts';

// The index as lines. A file stands by what it means; what the chronicle tells is
// not told again. The other files of the work stand by their paths, so that they
// can be opened, those of neighboring folders on one line.
//
//   - src/auth/hash.ts (new e40 e88): hashPassword(plain, cost); argon2id
//   - src/: auth/salt.ts changed e41, db/rows.ts e9
//   - `npm run check`: failed: 3 errors, e90

/** Share of the room that commands take, and most of them. */
const commandsShare = 0.15;
const mostCommands = 8;

/** Fewest runs of a command that is told: of one that checks, and of another. */
const leastRuns = { check: 2, other: 3 } as const;

const isUsed = ({ runs, command }: IndexedCommand): boolean =>
  runs >= (isCheck(command) ? leastRuns.check : leastRuns.other);

/** What a next holding of a file is worth beside the one before it. */
const nextShare = 0.85;

/** Tokens of what stands around a path, and around what a file holds, at most. */
const marks = { file: 12, holding: 2, name: 1, command: 8 } as const;

/** What is told of an index: that which is worth most and fits `room` tokens, without what is `told` elsewhere. */
export function printIndex(
  index: FileIndex,
  given: {
    readonly room: number;
    readonly now: number;
    readonly told: string;
    readonly count: Count;
  },
): string {
  const { room, now, told, count } = given;
  const ranking = rankingOf(index, { now, told });
  const { base, byUse, isTold, untold, meanings, runs, printed } = ranking;
  const known = printed.find((one) => one.room === room && one.count === count);
  if (known !== undefined) return known.text;
  const commands = fitting(runs, room * commandsShare);
  const spent = commands.reduce((sum, { tokens }) => sum + tokens + marks.command, 0);
  const title = base === '' ? `${indexOpening}:` : `${indexOpening}; …/ is ${base}/:`;
  const left = room - spent - count(title);
  const files = chosen(byUse, meanings, { room: left, isTold, count });
  const shown = new Set(files.lines.map(({ file }) => file));
  const others = untold.filter((file) => !shown.has(file) && !isAside(file));
  const lines = [
    ...files.lines.map(fileLine),
    ...folderLines(others, files.left, count),
    ...commands.map(({ command, result, n }) => `- \`${command}\`: ${result}, ${entryId(n)}`),
  ];
  const text = lines.length === 0 ? '' : [title, ...lines].map(untagged).join('\n');
  printed.push({ room, count, text });
  return text;
}

/** Whether nobody opens a file again that was only named or read. */
const isAside = ({ path, changes }: IndexedFile): boolean =>
  changes.length === 0 && isAsidePath(path);

/** How the index begins. */
export const indexOpening = 'Files and commands, the most used first; e… show them';

function fitting(commands: readonly IndexedCommand[], room: number): readonly IndexedCommand[] {
  let left = room;
  return commands.filter(({ tokens }) => {
    if (tokens + marks.command > left) return false;
    left -= tokens + marks.command;
    return true;
  });
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

/** A file with what is told of it: some in full, of others the names. */
interface ToldFile {
  readonly file: IndexedFile;
  readonly full: readonly Holding[];
  readonly names: readonly Holding[];
  /** How many things it means, told here or elsewhere. */
  readonly means: number;
}

/** The files that mean most and fit the room, in their order, each with what is told of it; `left` is what they leave of the room. */
function chosen(
  files: readonly UsedFile[],
  meanings: Meanings,
  given: { readonly room: number; readonly count: Count } & Pick<Ranking, 'isTold'>,
): { readonly lines: readonly ToldFile[]; readonly left: number } {
  const { room, isTold, count } = given;
  const picked = new Map<IndexedFile, { full: Holding[]; names: Holding[] }>();
  let left = room * shares.full;
  const take = (
    file: IndexedFile,
    tokens: number,
  ): { full: Holding[]; names: Holding[] } | null => {
    const opening = picked.has(file) ? 0 : count(file.path) + marks.file;
    if (opening + tokens > left) return null;
    left -= opening + tokens;
    const known = picked.get(file) ?? { full: [], names: [] };
    picked.set(file, known);
    return known;
  };
  const rest = meanings.filter(([file, holding]) => {
    const taken = take(file, holding.tokens + marks.holding);
    taken?.full.push(holding);
    return taken === null;
  });
  left += room * (1 - shares.full - shares.paths);
  for (const [file, holding] of rest) {
    if (!isName.test(holding.name)) {
      take(file, holding.tokens + marks.holding)?.full.push(holding);
      continue;
    }
    const name = nameTold(holding);
    const tokens = Math.ceil(name.length / 3) + marks.name;
    const names = picked.get(file)?.names.length ?? 0;
    // The name of a setting says nothing without its value.
    const isNamed = !isConfiguration(file.path) && !isTold(name);
    if (tokens <= left && names < mostNames && isNamed) take(file, tokens)?.names.push(holding);
  }
  const lines = files.flatMap(({ file, means }) => {
    const one = picked.get(file);
    return one === undefined ? [] : [{ file, ...one, means: means.length }];
  });
  return { lines, left: left + room * shares.paths };
}

/** The paths of files that fit the room, a line for each folder that holds their folders. */
function folderLines(files: readonly IndexedFile[], room: number, count: Count): readonly string[] {
  const folders = new Map<string, string[]>();
  const inFolder = inFolders(count);
  let left = room;
  for (const file of files) {
    const { folder, text, tokens } = inFolder(file);
    const known = folders.get(folder);
    const cost = tokens + marks.name + (known === undefined ? count(folder) + marks.holding : 0);
    if (cost > left) continue;
    left -= cost;
    if (known === undefined) folders.set(folder, [text]);
    else known.push(text);
  }
  return [...folders].map(
    ([folder, ends]) => `- ${folder === '' ? '' : `${folder}: `}${ends.join(', ')}`,
  );
}

/** The folder above that of a file, and how the file is told there; of most files that is what it was before. */
const inFolders = readOnce((count: Count) =>
  readOnce((file: IndexedFile) => {
    const end = lastFolder.exec(file.path)?.[0] ?? nameOf(file.path);
    const text = `${end} ${stateOf(file)}`;
    return { folder: file.path.slice(0, -end.length), text, tokens: count(text) };
  }),
);

/** The name of a file with the folder that it lies in, as files are spoken of. */
const lastFolder = /[^/]+\/[^/]+$/;

/** What became of a file last, and the entry that shows it or tells of it. */
function stateOf(file: IndexedFile): string {
  const { became, changes, read, named } = file;
  const change = changes.at(-1) ?? 0;
  if (change === 0) return entryId(read || named);
  return `${isChangedSince(file) ? 'changed' : became} ${entryId(change)}`;
}

/** Whether a file that the work made was changed afterwards. */
const isChangedSince = ({ became, changes }: IndexedFile): boolean =>
  became === 'new' && changes.length > 1;

type Meanings = readonly (readonly [IndexedFile, Holding])[];

/** The files of an index by what they were used, their paths as they are told, and what they mean, beside a text. */
interface Ranking {
  readonly now: number;
  readonly told: string;
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

/** The last rankings of an index: it is printed for several rooms, beside a few texts in turn. */
const ranked = new WeakMap<FileIndex, Ranking[]>();

/** The most of them. */
const mostRanked = 4;

/** The files of an index as they rank beside a text. */
export function rankingOf(
  index: FileIndex,
  {
    now,
    told,
    part = atOnce,
  }: { readonly now: number; readonly told: string; readonly part?: Part },
): Ranking {
  const before = ranked.get(index) ?? [];
  const known = before.find((one) => one.now === now && one.told === told);
  if (known !== undefined) return known;
  const { base, byUse } = part(() => usageOf(index, now));
  const isTold = part(() => partFinder(told, part));
  // To look for one path in a long text takes as long as many other parts.
  const untold = byUse.flatMap(({ path, file }) => (part(() => isTold(path)) ? [] : [file]));
  const meanings = rankedMeanings(byUse, { now, isTold, part });
  const runs = part(() => untoldRuns(index, { now, told, isTold }));
  const ranking = { now, told, base, byUse, isTold, untold, meanings, runs, printed: [] };
  ranked.set(index, [ranking, ...before.slice(0, mostRanked - 1)]);
  return ranking;
}

/** What files mean and is not told elsewhere, what is worth most for its length first. */
function rankedMeanings(
  files: readonly UsedFile[],
  { now, isTold, part }: Pick<Ranking, 'now' | 'isTold'> & { readonly part: Part },
): Meanings {
  // A test says by its name what it tests.
  const isNews = ({ name, text }: Holding): boolean =>
    text === '' ||
    !isTold(isTest(text) && name !== '' ? name : text.endsWith('…') ? text.slice(0, -1) : text);
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

function untoldRuns(
  { commands }: FileIndex,
  { now, told, isTold }: Pick<Ranking, 'now' | 'told' | 'isTold'>,
): readonly IndexedCommand[] {
  return commands
    .filter(
      (one) => isUsed(one) && !(isTold(one.command) && tells(told, one.command, entryId(one.n))),
    )
    .sort((a, b) => scoreAt(b, now) - scoreAt(a, now))
    .slice(0, mostCommands);
}

/** Shares of the room for what is told in full, and at least for paths; the rest is for names of what else a file defines. */
const shares = { full: 0.65, paths: 0.15 } as const;

/** Most names of one file. */
const mostNames = 16;

const isName = /^[\w$.@!?]{5,60}$/;

/** The line of a file: its path, what became of it and where, what is told of the things that it holds. */
function fileLine({ file, full, names, means }: ToldFile): string {
  const { path, became, was, changes, read, named } = file;
  const made = isChangedSince(file) ? 'new, changed' : became;
  const changedIn = became === 'deleted' ? changes.slice(-1) : changes;
  const saidIn = full.find(({ n }) => n !== undefined)?.n ?? named;
  const state = [
    ...(was === '' ? [] : [`was ${was}`]),
    ...(made === '' ? [] : [[made, ...changedIn.map(entryId)].join(' ')]),
    ...(read > (changes.at(-1) ?? 0) ? [`read ${entryId(read)}`] : []),
    ...(became === '' && read === 0 ? [`told in ${entryId(saidIn)}`] : []),
  ].join(', ');
  const shownIn = [...changedIn, read, became === '' && read === 0 ? saidIn : 0];
  const withSource = ({ text, n = 0 }: Holding): string =>
    n === 0 || shownIn.includes(n) || text.startsWith('planned in ')
      ? text
      : `${text} (${entryId(n)})`;
  const texts = toldTogether(full.map(withSource).filter((text) => text !== ''));
  const others = names.map(nameTold).join(', ');
  const told = [
    ...texts,
    ...(others === '' ? [] : [texts.length === 0 ? others : `also ${others}`]),
    ...(full.length + names.length < means ? ['…'] : []),
  ];
  return `- ${path} (${state})${told.length === 0 ? '' : `: ${told.join('; ')}`}`;
}
