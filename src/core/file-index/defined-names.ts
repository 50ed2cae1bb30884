import type { Heads } from '../file-events/held.ts';
import { lastName } from '../definitions/settings.ts';
import type { FrameId } from '../values/id.ts';
import { knownPaths, plainPath } from '../files/paths.ts';
import { pathFrom } from '../files/root.ts';
import { readOnce } from '../values/read-once.ts';
import type { FileIndex, IndexedFile } from './file-index.ts';

/** The names of what files of a frame hold; one may stand in it several times. */
export const definedNames = (index: FileIndex, frame: FrameId): readonly string[] =>
  index.files.flatMap((file) => (file.frame === frame ? namesHeld(file) : []));

/** Says of a path, as a line or a call gives it, whether a file of a frame was changed. */
export function changedFinder(
  { files }: FileIndex,
  { frame, root }: { readonly frame: FrameId; readonly root: string },
): (path: string) => boolean {
  const changed = files.filter((one) => one.frame === frame && one.changes.length > 0);
  const { find } = knownPaths(
    root,
    changed.map(({ path }) => pathFrom(plainPath(path), root)),
  );
  return (path) => find(path) !== undefined;
}

/** Finds the heads of what a file of a frame holds, by its path as a call gives it. */
export function headsHeld(
  { files }: FileIndex,
  { frame, root }: { readonly frame: FrameId; readonly root: string },
): (path: string) => Heads {
  const placeOf = (path: string): string => pathFrom(plainPath(path), root);
  return (path) => {
    const place = placeOf(path);
    const file = files.find((one) => one.frame === frame && placeOf(one.path) === place);
    return new Map(file?.holds.map(({ name, text, bare }) => [name, bare || text]));
  };
}

/** The names of what a file holds; most files of an index are those of the one before. */
const namesHeld = readOnce(({ holds }: IndexedFile) =>
  holds.flatMap(({ name }) => [name, lastName(name)]),
);
