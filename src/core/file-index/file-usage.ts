import { isSlight } from './fact-share.ts';
import type { FileIndex } from './file-index.ts';
import type { IndexedFile } from './indexed-file.ts';
import { scoreAt, type Holding } from './holdings.ts';
import { belowFolder, commonFolder } from '../files/paths.ts';
import { readLately, readOnce } from '../values/read-once.ts';

// The files of an index in the order in which they are told, with what each means.
// That depends on no text beside it, so an epoch works it out once.

/** A file of an index, beside whatever text it is told. */
export interface UsedFile {
  /** Its whole path. */
  readonly path: string;
  /** The file by its path as it is told. */
  readonly file: IndexedFile;
  readonly use: number;
  readonly means: readonly Holding[];
}

/** The files of an index by what they were used, as of a compression. */
interface Usage {
  readonly now: number;
  readonly base: string;
  readonly byUse: readonly UsedFile[];
}

/** The last usage of an index, which is told beside several texts. */
const used = new WeakMap<FileIndex, Usage>();

/** The files of an index as they were used by a compression. */
export function usageOf(index: FileIndex, now: number): Usage {
  const cached = used.get(index);
  if (cached?.now === now) return cached;
  const sorted = index.files
    .map((file) => ({ file, score: scoreAt(file, now) }))
    .sort((a, b) => b.score - a.score);
  const base = commonFolder(sorted.map(({ file }) => file.path));
  const below = filesBelow(base);
  const byUse = sorted.map(({ file, score }) => ({
    path: file.path,
    file: below(file),
    use: Math.log1p(score),
    means: meaningsOf(file, now),
  }));
  const usage = { now, base, byUse };
  used.set(index, usage);
  return usage;
}

/** Files by their paths below a folder; most files of an index are those of the one before. */
const filesBelow = readLately((folder) =>
  readOnce((file: IndexedFile) => ({ ...file, path: belowFolder(file.path, folder) })),
);

/** The score below which a version or a heading is not told: it was only shown, and nobody spoke of it. */
const leastScore = 0.06;

/** Whether a holding is slight; those of most files are what they were a compression before. */
const isSlightOne = readOnce(({ text }: Holding) => isSlight(text));

/** What a file means, the most telling first: what became of it, what was said of it, what it holds. */
function meaningsOf(file: IndexedFile, now: number): readonly Holding[] {
  const state = { name: '', text: '', bare: '', tokens: 0, score: 1, at: file.at };
  const holds = file.holds
    .filter((one) => scoreAt(one, now) >= leastScore || !isSlightOne(one))
    .sort((a, b) => scoreAt(b, now) - scoreAt(a, now));
  return [
    ...(file.became === 'deleted' || file.was !== '' ? [state] : []),
    ...(file.remark === null ? [] : [file.remark]),
    ...holds,
  ];
}
