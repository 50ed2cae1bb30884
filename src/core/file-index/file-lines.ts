import type { Count } from '../messages/token-count.ts';
import { entryId } from '../values/id.ts';
import { readOnce } from '../values/read-once.ts';
import { untagged } from '../text/sanitize.ts';
import { groupedSettings } from '../definitions/settings.ts';
import { unseenBy, type Meanings, type Ranking } from './file-ranking.ts';
import type { UsedFile } from './file-usage.ts';
import { isAsidePath, isConfiguration, nameOf } from '../files/paths.ts';
import type { FileIndex, IndexedCommand } from './file-index.ts';
import type { IndexedFile } from './indexed-file.ts';
import { holdingLabel, type Holding } from './holdings.ts';

// The index as lines. A file stands by what it means; what the chronicle tells is
// not told again. The other files of the work stand by their paths, so that they
// can be opened, those of neighboring folders on one line.
//
//   - src/auth/hash.ts (new e40 e88): hashPassword(plain, cost); argon2id
//   - src/: auth/salt.ts changed e41, db/rows.ts e9
//   - `npm run check`: failed: 3 errors, e90
//   - `npm run lint`: worked, e71; 2 files changed since

/** Share of the room that commands take. */
const commandsShare = 0.15;

/** Tokens of what stands around a path, and around what a file holds, at most. */
const marks = { file: 12, holding: 2, name: 1, command: 8, since: 7 } as const;

/** What is told of ranked files: that which is worth most and fits `room` tokens; '' for nothing. */
export function printIndex(
  ranking: Ranking,
  { room, count }: { readonly room: number; readonly count: Count },
): string {
  const { index, base, byUse, isTold, untold, meanings, runs, printed } = ranking;
  const cached = printed.find((one) => one.room === room && one.count === count);
  if (cached !== undefined) return cached.text;
  const commands = fitting(
    runs.map((one) => commandLine(one, index)),
    room * commandsShare,
  );
  const spent = commands.reduce((sum, { tokens }) => sum + tokens, 0);
  const title = base === '' ? `${indexOpening}:` : `${indexOpening}; …/ is ${base}/:`;
  const remaining = room - spent - count(title);
  const files = chosen(byUse, meanings, { room: remaining, isTold, count });
  const listedFiles = new Set(files.lines.map(({ file }) => file));
  const others = untold.filter((file) => !listedFiles.has(file) && !isAside(file));
  const lines = [
    ...files.lines.map(fileLine),
    ...folderLines(others, files.left, count),
    ...commands.map(({ text }) => text),
  ];
  const told =
    base === '' || isShared(lines)
      ? [title, ...lines]
      : [`${indexOpening}:`, ...inWhole(lines, base)];
  const text = lines.length === 0 ? '' : told.map(untagged).join('\n');
  printed.push({ room, count, text });
  return text;
}

/** Whether several lines are told from the common folder: for one of them it need not be told by itself. */
const isShared = (lines: readonly string[]): boolean =>
  lines.filter((line) => line.startsWith('- …/')).length > 1;

const inWhole = (lines: readonly string[], base: string): readonly string[] =>
  lines.map((line) => line.replace(/^- …(?=\/)/, () => `- ${base}`));

/** Whether nobody opens a file again that was only named or read. */
const isAside = ({ path, changes }: IndexedFile): boolean =>
  changes.length === 0 && isAsidePath(path);

/** How the index begins. */
export const indexOpening = 'Files and commands, the most used first; e… show or name them';

interface CommandLine {
  readonly text: string;
  /** Tokens of the line, at most. */
  readonly tokens: number;
}

function fitting(lines: readonly CommandLine[], room: number): readonly CommandLine[] {
  let remaining = room;
  return lines.filter(({ tokens }) => {
    if (tokens > remaining) return false;
    remaining -= tokens;
    return true;
  });
}

/** A command with what came of it last; of a check also how much it has not seen. */
function commandLine(one: IndexedCommand, index: FileIndex): CommandLine {
  const { command, result, n, tokens } = one;
  const unseen = unseenBy(one, index);
  const text = `- \`${command}\`: ${result}, ${entryId(n)}`;
  if (unseen === 0) return { text, tokens: tokens + marks.command };
  const since = unseen === 1 ? '1 file changed since' : `${unseen} files changed since`;
  return { text: `${text}; ${since}`, tokens: tokens + marks.command + marks.since };
}

/** A file with what is told of it: some in full, of others the names. */
interface DescribedFile {
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
  options: { readonly room: number; readonly count: Count } & Pick<Ranking, 'isTold'>,
): { readonly lines: readonly DescribedFile[]; readonly left: number } {
  const { room, isTold, count } = options;
  const picked = new Map<IndexedFile, { full: Holding[]; names: Holding[] }>();
  let remaining = room * shares.full;
  const take = (
    file: IndexedFile,
    tokens: number,
  ): { full: Holding[]; names: Holding[] } | null => {
    // Most of what is tried is too long even for a file that has its line.
    if (tokens > remaining) return null;
    const existing = picked.get(file);
    const opening = existing === undefined ? count(file.path) + marks.file : 0;
    if (opening + tokens > remaining) return null;
    remaining -= opening + tokens;
    const contents = existing ?? { full: [], names: [] };
    if (existing === undefined) picked.set(file, contents);
    return contents;
  };
  const rest = meanings.filter(([file, holding]) => {
    const taken = take(file, holding.tokens + marks.holding);
    taken?.full.push(holding);
    return taken === null;
  });
  remaining += room * (1 - shares.full - shares.paths);
  for (const [file, holding] of rest) {
    if (!isName.test(holding.name)) {
      take(file, holding.tokens + marks.holding)?.full.push(holding);
      continue;
    }
    // With its value a name is no shorter.
    if (nameTokens(holding.name) > remaining) continue;
    if ((picked.get(file)?.names.length ?? 0) >= mostNames) continue;
    const name = holdingLabel(holding);
    const tokens = nameTokens(name);
    // The name of a setting says nothing without its value.
    if (tokens > remaining || isConfiguration(file.path) || isTold(name)) continue;
    take(file, tokens)?.names.push(holding);
  }
  const lines = files.flatMap(({ file, means }) => {
    const contents = picked.get(file);
    return contents === undefined ? [] : [{ file, ...contents, means: means.length }];
  });
  return { lines, left: remaining + room * shares.paths };
}

/** Tokens of a name among others, at most. */
const nameTokens = (name: string): number => Math.ceil(name.length / 3) + marks.name;

/** The paths of files that fit the room, a line for each folder that holds their folders. */
function folderLines(files: readonly IndexedFile[], room: number, count: Count): readonly string[] {
  const folders = new Map<string, string[]>();
  const inFolder = inFolders(count);
  let remaining = room;
  for (const file of files) {
    const { folder, text, tokens } = inFolder(file);
    const names = folders.get(folder);
    const cost = tokens + marks.name + (names === undefined ? count(folder) + marks.holding : 0);
    if (cost > remaining) continue;
    remaining -= cost;
    if (names === undefined) folders.set(folder, [text]);
    else names.push(text);
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

/** Shares of the room for what is told in full, and at least for paths; the rest is for names of what else a file defines. */
const shares = { full: 0.65, paths: 0.15 } as const;

/** Most names of one file. */
const mostNames = 16;

const isName = /^[\w$.@!?]{5,60}$/;

/** The line of a file: its path, what became of it and where, what is told of the things that it holds. */
function fileLine({ file, full, names, means }: DescribedFile): string {
  const { path, became, was, changes, read, named } = file;
  const status = isChangedSince(file) ? 'new, changed' : became;
  const changedIn = became === 'deleted' ? changes.slice(-1) : changes;
  const saidIn = full.find(({ n }) => n !== undefined)?.n ?? named;
  const state = [
    ...(was === '' ? [] : [`was ${was}`]),
    ...(status === '' ? [] : [[status, ...changedIn.map(entryId)].join(' ')]),
    ...(read > (changes.at(-1) ?? 0) ? [`read ${entryId(read)}`] : []),
    ...(became === '' && read === 0 ? [`told in ${entryId(saidIn)}`] : []),
  ].join(', ');
  const shownIn = [...changedIn, read, became === '' && read === 0 ? saidIn : 0];
  const withSource = ({ text, n = 0 }: Holding): string =>
    n === 0 || shownIn.includes(n) || text.startsWith('planned in ')
      ? text
      : `${text} (${entryId(n)})`;
  const texts = groupedSettings(full.map(withSource).filter((text) => text !== ''));
  const others = names.map(holdingLabel).join(', ');
  const parts = [
    ...texts,
    ...(others === '' ? [] : [texts.length === 0 ? others : `also ${others}`]),
    ...(full.length + names.length < means ? ['…'] : []),
  ];
  return `- ${path} (${state})${parts.length === 0 ? '' : `: ${parts.join('; ')}`}`;
}
