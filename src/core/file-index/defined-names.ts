import { lastName } from '../definitions/settings.ts';
import type { FrameId } from '../values/id.ts';
import { readOnce } from '../values/read-once.ts';
import type { FileIndex } from './file-index.ts';
import type { IndexedFile } from './indexed-file.ts';

/** The names of what files of a frame hold; one may stand in it several times. */
export const definedNames = (index: FileIndex, frame: FrameId): readonly string[] =>
  index.files.flatMap((file) => (file.frame === frame ? namesHeld(file) : []));

/** The names of what a file holds; most files of an index are those of the one before. */
const namesHeld = readOnce(({ holds }: IndexedFile) =>
  holds.flatMap(({ name }) => [name, lastName(name)]),
);
