import type { FileEvent } from '../file-events/file-events.ts';
import { wasBefore } from '../file-events/file-remarks.ts';
import { filesNamed, isBelow, nameOf, plainPath, type KnownPaths } from '../files/paths.ts';
import { pathFrom } from '../files/root.ts';
import type { EventSource, IndexedFile } from './indexed-file.ts';
import { raised, sumAt } from './holdings.ts';

// The files of a frame while events change the index: under which path each stands, and
// where it goes when it is moved.

/** Most changes of a file that are kept. */
export const mostChanges = 2;

/** How much a file is used by an event. */
export const weights = { changed: 2, read: 1, person: 2, line: 0.3 } as const;

/** The files of the frame by their paths, while events change them. */
export interface KnownFiles {
  readonly files: Map<string, IndexedFile>;
  /** Where files are now that were moved, '' for one that was taken away, by their paths before; `n` is the entry that did it, 0 for one of an earlier compression. */
  readonly moved: Map<string, { readonly to: string; readonly n: number }>;
  readonly paths: KnownPaths;
  readonly source: EventSource;
}

/** Where a file is that is named, be it by the path that it had. */
export function placeNow({ files, moved, paths, source }: KnownFiles, path: string): string {
  const place = paths.find(path) ?? pathFrom(plainPath(path), source.root);
  return files.has(place) ? path : moved.get(place)?.to || path;
}

/** Where a file is of which an entry says something: what was said before it was moved is of it, whatever stands in its place; what is said later may be of the move, and '' stands for its place. */
export function placeOfRemark(
  { files, moved, paths, source }: KnownFiles,
  path: string,
  n: number,
): string {
  const place = paths.find(path) ?? pathFrom(plainPath(path), source.root);
  const gone = moved.get(place);
  if (gone === undefined) return path;
  return n < gone.n ? gone.to : files.has(place) ? path : '';
}

/** What is told of a file once an entry changed it: what was planned for it, or wrong with it, may be done. */
export const remarkSince = ({ remark }: IndexedFile, n: number): IndexedFile['remark'] =>
  remark === null || wasBefore(remark, n) ? null : remark;

/** Whether a text names a file by the path that it had before it was moved: nobody finds it there. */
export const namesFormer = (text: string, from: string, to: string): boolean =>
  filesNamed(text).some((path) => isPathOf(path, from) && !isPathOf(path, to));

/** Whether a path, as it is told, may be that of a file. */
const isPathOf = (path: string, file: string): boolean =>
  path === file || file.endsWith(`/${path}`) || path.endsWith(`/${file}`);

/** Moves files, or takes them away: one, or all that are known below a folder. */
export function move(known: KnownFiles, event: FileEvent & { readonly type: 'moved' }): void {
  const {
    files,
    paths,
    source: { root, at },
  } = known;
  const { from, to, n, told: quantity } = event;
  if (from === '') {
    make(known, to, n);
    return;
  }
  const placeOf = (path: string): string => paths.find(path) ?? pathFrom(plainPath(path), root);
  const source = placeOf(from.replace(/\/\*$/, ''));
  // Who tells it may stand above the root, as the root of a repository does.
  const above = from.endsWith(`/${source}`) ? from.slice(0, -source.length) : '';
  const target = placeOf(to.startsWith(above) ? to.slice(above.length) : to);
  const isInto = from === source && [...files.keys()].some((path) => isBelow(path, target));
  const place = isInto ? `${target}/${nameOf(source)}` : target;
  for (const [path, file] of Array.from(files)) {
    if (path !== source && !isBelow(path, source)) continue;
    if (to === '' && file.became === 'deleted') continue;
    files.delete(path);
    paths.drop(path);
    // Of what came and went, and was shown by nothing, no trace is left to look for.
    const isFleeting = file.became === 'new' && file.holds.length === 0 && file.read === 0;
    if (to === '' && quantity !== undefined && isFleeting) continue;
    const moved: IndexedFile = {
      ...(quantity === 'many' ? file : raised(file, weights.changed, at)),
      changes: [...new Set([...file.changes, n])].slice(-mostChanges),
    };
    if (to === '') {
      files.set(path, { ...moved, became: 'deleted', holds: [], remark: null });
      known.moved.set(path, { to: '', n });
    } else {
      const now = paths.add(`${place}${path.slice(source.length)}`).path;
      for (const [before, one] of known.moved)
        if (one.to === path) known.moved.set(before, { ...one, to: now });
      known.moved.set(path, { to: now, n });
      const there = quantity === undefined ? undefined : files.get(now);
      const became = [there?.became, file.became].find((one) => one && one !== 'deleted');
      const whole = there === undefined ? moved : joined(file, there);
      const remark = remarkSince(whole, n);
      files.set(now, {
        ...whole,
        remark: remark !== null && namesFormer(remark.text, path, now) ? null : remark,
        // Of many that moved together each stands where it is now, and no more is told.
        was: quantity === 'many' ? '' : path,
        changes: [...new Set([...(there ?? file).changes, n])].slice(-mostChanges),
        became: became || (quantity === 'many' ? 'changed' : 'moved'),
      });
    }
  }
}

/** Notes a file as new that no edit has shown. */
function make(known: KnownFiles, rawPath: string, n: number): void {
  const { path, file } = noted(known, rawPath);
  const newFile: IndexedFile = {
    ...raised(file, weights.line, known.source.at),
    became: 'new',
    changes: [n],
  };
  known.files.set(path, file.changes.length > 0 ? file : newFile);
}

/** What is known of a file under each way of telling its path, and the way in which it stands from now on. */
export function noted(
  { files, paths, source }: KnownFiles,
  rawPath: string,
): { readonly path: string; readonly file: IndexedFile } {
  const { path, folds } = paths.add(rawPath);
  let file = files.get(path) ?? unused(path, source);
  for (const end of folds) {
    file = joined(files.get(end)!, file);
    files.delete(end);
  }
  return { path, file };
}

const unused = (path: string, { frame, at }: EventSource): IndexedFile => ({
  frame,
  path,
  score: 0,
  at,
  became: '',
  was: '',
  changes: [],
  read: 0,
  holds: [],
  named: 0,
  remark: null,
});

/** Two notes of one file as one. */
const joined = (earlier: IndexedFile, later: IndexedFile): IndexedFile => ({
  ...later,
  score: sumAt(earlier, later),
  became: later.became === '' ? earlier.became : later.became,
  was: later.was === '' ? earlier.was : later.was,
  changes: [...earlier.changes, ...later.changes].slice(-mostChanges),
  read: Math.max(earlier.read, later.read),
  named: Math.max(earlier.named, later.named),
  holds: [...new Map([...earlier.holds, ...later.holds].map((one) => [one.name, one])).values()],
  remark: later.remark ?? remarkSince(earlier, later.changes.at(-1) ?? 0),
});
