import type { Heads } from '../file-events/held.ts';
import { knownPaths, plainPath } from '../files/paths.ts';
import { pathFrom } from '../files/root.ts';
import type { FrameId } from '../values/id.ts';
import type { FileIndex } from './file-index.ts';

// What an index says of a file of a frame, asked for by a path as a line or a call gives it.

interface Place {
  readonly frame: FrameId;
  /** Of the work's files; '' where it has none. */
  readonly root: string;
}

/** Says of a path whether a file of a frame was changed. */
export function changedFinder(
  { files }: FileIndex,
  { frame, root }: Place,
): (path: string) => boolean {
  const changed = files.filter((one) => one.frame === frame && one.changes.length > 0);
  const { find } = knownPaths(
    root,
    changed.map(({ path }) => pathFrom(plainPath(path), root)),
  );
  return (path) => find(path) !== undefined;
}

/** Finds the heads of what a file of a frame holds. */
export function headsHeld({ files }: FileIndex, { frame, root }: Place): (path: string) => Heads {
  const placeOf = (path: string): string => pathFrom(plainPath(path), root);
  return (path) => {
    const place = placeOf(path);
    const file = files.find((one) => one.frame === frame && placeOf(one.path) === place);
    return new Map(file?.holds.map(({ name, text, bare }) => [name, bare || text]));
  };
}
