import type { FrameId } from '../values/id.ts';
import type { FileEvent } from '../file-events/file-events.ts';
import { plannedIn, wasBefore } from '../file-events/file-remarks.ts';
import type { Stretch } from '../file-events/plans.ts';
import {
  best,
  raised,
  scoreAt,
  withFacts,
  withMembers,
  withoutGone,
  withSpoken,
  type Faded,
} from './holdings.ts';
import type { EventSource, IndexedFile } from './indexed-file.ts';
import {
  mostChanges,
  move,
  namesFormer,
  noted,
  placeNow,
  placeOfRemark,
  remarkSince,
  weights,
  type KnownFiles,
} from './file-places.ts';
import { hasRun } from '../commands/printed-commands.ts';
import { isAbsolute, knownPaths, plainPath } from '../files/paths.ts';
import { pathFrom } from '../files/root.ts';
import { readLately, readOnce } from '../values/read-once.ts';

// The index of files: what the files of the work are and hold, as the log last
// showed them. A file stands in it by what it means: definitions that edits
// brought and no later one took away, headings, what was said of it. It fades
// with every compression that does not touch it.

/** A command with what came out of it last. */
export interface IndexedCommand extends Faded {
  readonly frame: FrameId;
  readonly command: string;
  readonly result: string;
  readonly tokens: number;
  /** The entry of the result. */
  readonly n: number;
  readonly runs: number;
  /** The folder that it ran in last, where that is known. */
  readonly place?: string;
}

/** The files and commands of a session, in no order. */
export interface FileIndex {
  readonly files: readonly IndexedFile[];
  readonly commands: readonly IndexedCommand[];
}

/** An index of nothing. */
export const emptyIndex: FileIndex = { files: [], commands: [] };

/** Most files and most commands that are kept; recall finds the rest. */
const most = { files: 300, commands: 40 } as const;

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
  const moved = new Map(
    [...files].flatMap(([to, { was }]) => (was === '' ? [] : [[was, { to, n: 0 }] as const])),
  );
  const known = { files, moved, paths: knownPaths(root, files.keys()), source };
  for (const event of events)
    switch (event.type) {
      case 'moved':
        move(known, event);
        break;
      case 'ran': {
        const key = `${frame} ${event.command}`;
        const { runs, ...before } = commands.get(key) ?? { score: 0, at, runs: 0 };
        const { type: _, printed = [], ...ran } = event;
        for (const [other, one] of commands)
          if (hasFailed(one, frame) && hasRun(printed, one, event.place ?? ''))
            commands.set(other, { ...one, result: 'worked', n: event.n });
        commands.set(key, { frame, ...raised(before, 1, at), ...ran, runs: runs + 1 });
        break;
      }
      case 'spoken':
        for (const [path, file] of files) {
          const holds = withSpoken(file.holds, event.names, at);
          if (holds !== file.holds) files.set(path, { ...file, holds });
        }
        break;
      case 'refused':
        for (const [path, file] of files)
          if (isPlannedIn(file, event)) files.set(path, { ...file, remark: null });
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

/** Whether a command of a frame failed when it ran last. */
const hasFailed = (one: IndexedCommand, frame: FrameId): boolean =>
  one.frame === frame && one.result.startsWith('failed');

/** Whether what is told of a file was planned in a stretch of entries. */
function isPlannedIn({ remark }: IndexedFile, { from, to }: Stretch): boolean {
  const n = remark === null ? undefined : plannedIn(remark.text);
  return n !== undefined && from <= n && n <= to;
}

/** Where files lie as seen from a root; most of an index lie where they did. */
const placeBelow = readLately((root) => readOnce(({ path }: IndexedFile) => pathFrom(path, root)));

type Use = FileEvent & { readonly type: 'edited' | 'read' | 'named' | 'remarked' };

function use(known: KnownFiles, event: Use): void {
  const { files, paths, source } = known;
  const isShown = event.type === 'edited' || event.type === 'read';
  if (!isShown && !event.path.includes('/') && !isMeant(known, event.path)) return;
  const place = isShown
    ? event.path
    : event.type === 'remarked'
      ? placeOfRemark(known, event.path, event.fact.n ?? Infinity)
      : placeNow(known, event.path);
  // What is said of a file makes none known: by then its path may be short for several.
  if (event.type === 'remarked' && !files.has(paths.find(place) ?? '')) return;
  const { path, file } = noted(known, place);
  if (
    event.type === 'remarked' &&
    place !== event.path &&
    namesFormer(event.fact.text, event.path, path)
  )
    return;
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
        remark: remarkSince(file, event.n),
        changes: [...new Set([...file.changes, event.n])].slice(-mostChanges),
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
