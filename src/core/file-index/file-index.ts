import type { FrameId } from '../values/id.ts';
import type { FileEvent } from '../file-events/file-events.ts';
import { wasBefore } from '../file-events/file-remarks.ts';
import {
  best,
  raised,
  scoreAt,
  sumAt,
  withFacts,
  withMembers,
  withoutGone,
  withSpoken,
  type Faded,
  type Holding,
} from './holdings.ts';
import {
  isAbsolute,
  isBelow,
  knownPaths,
  nameOf,
  plainPath,
  type KnownPaths,
} from '../files/paths.ts';
import { pathFrom } from '../files/root.ts';
import { readLately, readOnce } from '../values/read-once.ts';

// The index of files: what the files of the work are and hold, as the log last
// showed them. A file stands in it by what it means: definitions that edits
// brought and no later one took away, headings, what was said of it. It fades
// with every compression that does not touch it.

/** What the log tells of a file. */
export interface IndexedFile extends Faded {
  /** The frame that it was used in. */
  readonly frame: FrameId;
  /** Its path as it is told. */
  readonly path: string;
  /** What the work did with it; '' for a file that was only read. */
  readonly became: 'new' | 'changed' | 'moved' | 'deleted' | '';
  /** The path that it had before it was moved; '' for none. */
  readonly was: string;
  /** Entries that changed it, the newest last. */
  readonly changes: readonly number[];
  /** The newest entry that shows it as it was read; 0 for none. */
  readonly read: number;
  readonly holds: readonly Holding[];
  /** The newest entry that names it; 0 for none. */
  readonly named: number;
  /** What was said of it last that tells most; null for nothing. */
  readonly remark: Holding | null;
}

/** A command with what came out of it last. */
export interface IndexedCommand extends Faded {
  readonly frame: FrameId;
  readonly command: string;
  readonly result: string;
  readonly tokens: number;
  /** The entry of the result. */
  readonly n: number;
  readonly runs: number;
}

/** The files and commands of a session, in no order. */
export interface FileIndex {
  readonly files: readonly IndexedFile[];
  readonly commands: readonly IndexedCommand[];
}

/** An index of nothing. */
export const emptyIndex: FileIndex = { files: [], commands: [] };

/** Most files, most commands that are kept, and most changes of a file; recall finds the rest. */
const most = { files: 300, commands: 40, changes: 2 } as const;

/** How much a file is used by an event. */
const weights = { changed: 2, read: 1, person: 2, line: 0.3 } as const;

/** Where events come from: the frame, the root that files are told from, and the number of the compression. */
interface EventSource {
  readonly frame: FrameId;
  readonly root: string;
  readonly at: number;
}

/** The index with what happened in entries of a frame that leave the window. */
export function withEvents(
  index: FileIndex,
  events: readonly FileEvent[],
  source: EventSource,
): FileIndex {
  if (events.length === 0) return index;
  const { frame, root, at } = source;
  const mine = index.files.filter((file) => file.frame === frame);
  const placeOf = placeBelow(root);
  const files = new Map(mine.map((file) => [placeOf(file), file]));
  const commands = new Map(index.commands.map((one) => [`${one.frame} ${one.command}`, one]));
  const known = { files, paths: knownPaths(root, files.keys()), source };
  for (const event of events)
    switch (event.type) {
      case 'moved':
        move(known, event);
        break;
      case 'ran': {
        const key = `${frame} ${event.command}`;
        const { runs, ...before } = commands.get(key) ?? { score: 0, at, runs: 0 };
        const { type: _, ...ran } = event;
        commands.set(key, { frame, ...raised(before, 1, at), ...ran, runs: runs + 1 });
        break;
      }
      case 'spoken':
        for (const [path, file] of files) {
          const holds = withSpoken(file.holds, event.names, at);
          if (holds !== file.holds) files.set(path, { ...file, holds });
        }
        break;
      case 'edited':
      case 'read':
      case 'named':
      case 'remarked':
        use(known, event);
    }
  const others = index.files.filter((file) => file.frame !== frame);
  const all = [...files].map(([path, file]) => (file.path === path ? file : { ...file, path }));
  return {
    files: best([...others, ...all], most.files, at),
    commands: best([...commands.values()], most.commands, at),
  };
}

/** Where files lie as seen from a root; most of an index lie where they did. */
const placeBelow = readLately((root) => readOnce(({ path }: IndexedFile) => pathFrom(path, root)));

/** The files of the frame by their paths, while events change them. */
interface KnownFiles {
  readonly files: Map<string, IndexedFile>;
  readonly paths: KnownPaths;
  readonly source: EventSource;
}

type Use = FileEvent & { readonly type: 'edited' | 'read' | 'named' | 'remarked' };

function use(known: KnownFiles, event: Use): void {
  const { files, paths, source } = known;
  const isCertain = event.type === 'edited' || event.type === 'read' || event.path.includes('/');
  if (!isCertain && !isMeant(known, event.path)) return;
  // What is said of a file makes none known: by then its path may be short for several.
  if (event.type === 'remarked' && !files.has(paths.find(event.path) ?? '')) return;
  const { path, file } = noted(known, event.path);
  files.set(path, used(file, event, source));
}

/** Compressions for which a file is known by its bare name after it was used. */
const lately = 2;

/** Whether a bare name is that of a known file: one at the root, or the only one so called, if it was used lately. */
function isMeant({ files, paths, source }: KnownFiles, name: string): boolean {
  const path = paths.find(name);
  if (path === undefined) return false;
  return path === plainPath(name) || source.at - files.get(path)!.at <= lately;
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

/** A file after one more use. */
function used(file: IndexedFile, event: Use, { at, root }: EventSource): IndexedFile {
  const how = root !== '' && isAbsolute(file.path) ? 'aside' : 'shown';
  switch (event.type) {
    case 'named':
      return { ...raised(file, weights[event.by], at), named: event.n };
    case 'read':
      if (event.isPast === true && (file.read > 0 || file.changes.length > 0))
        return raised(file, weights.read, at);
      return {
        ...raised(file, weights.read, at),
        read: event.n,
        holds: withFacts(file.holds, event.facts, { how, at }),
      };
    case 'remarked': {
      const { fact, worth } = event;
      if (wasBefore(fact, file.changes.at(-1) ?? 0)) return file;
      const stands = file.remark !== null && scoreAt(file.remark, at) > worth;
      const remark = stands ? file.remark : { ...fact, score: worth, at };
      return { ...file, remark };
    }
    case 'edited': {
      const isNew = event.extent === 'whole' && file.read === 0 && file.changes.length === 0;
      const became = event.extent === 'none' ? 'deleted' : isNew ? 'new' : 'changed';
      return {
        ...raised(file, weights.changed, at),
        became: became === 'changed' && file.became === 'new' ? 'new' : became,
        // What was planned for it, or wrong with it, may be done now.
        remark: file.remark === null || wasBefore(file.remark, event.n) ? null : file.remark,
        changes: [...new Set([...file.changes, event.n])].slice(-most.changes),
        holds: withFacts(
          event.extent === 'part'
            ? withMembers(withoutGone(file.holds, event.gone), event.members)
            : [],
          event.facts,
          { how: 'brought', at },
        ),
      };
    }
  }
}

/** Two notes of one file as one. */
const joined = (earlier: IndexedFile, later: IndexedFile): IndexedFile => ({
  ...later,
  score: sumAt(earlier, later),
  became: later.became === '' ? earlier.became : later.became,
  was: later.was === '' ? earlier.was : later.was,
  changes: [...earlier.changes, ...later.changes].slice(-most.changes),
  read: Math.max(earlier.read, later.read),
  named: Math.max(earlier.named, later.named),
  holds: [...new Map([...earlier.holds, ...later.holds].map((one) => [one.name, one])).values()],
  remark: later.remark ?? earlier.remark,
});

/** Moves files, or takes them away: one, or all that are known below a folder. */
function move(known: KnownFiles, event: FileEvent & { readonly type: 'moved' }): void {
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
      changes: [...file.changes, n].slice(-most.changes),
    };
    if (to === '') files.set(path, { ...moved, became: 'deleted', holds: [], remark: null });
    else {
      const now = paths.add(`${place}${path.slice(source.length)}`).path;
      const there = quantity === undefined ? undefined : files.get(now);
      const became = [there?.became, file.became].find((one) => one && one !== 'deleted');
      files.set(now, {
        ...(there === undefined ? moved : joined(file, there)),
        // Of many that moved together each stands where it is now, and no more is told.
        was: quantity === 'many' ? '' : path,
        changes: [...(there ?? file).changes, n].slice(-most.changes),
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
function noted(
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
