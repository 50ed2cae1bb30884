import { indexOpening } from '../../file-index/file-lines.ts';

// Most compressions change the chronicle at its end: lines come behind the others, and the index of
// files below them is written anew. A cache that keeps whole blocks keeps what is before, if that is
// in blocks of its own.
//
//   What happened …  - e3 … - e9 │ - e12 … - e40 │ - e44 …  Files and commands … │
//                       full           full              changes

/** Least length of a full block, in UTF-16 units. */
const least = 4_000;

/** Most full blocks: a cache looks back twenty. */
const most = 16;

/** The text of a chronicle in blocks that stay as they are while it grows at its end, but for the last. */
export function chronicleBlocks(text: string): readonly string[] {
  const index = text.indexOf(`\n${indexOpening}`);
  const lines = index < 0 ? text.length : index;
  let size = least;
  while (lines / size > most) size *= 2;
  const blocks: string[] = [];
  let begun = 0;
  for (;;) {
    const end = text.indexOf('\n- ', begun + size) + 1;
    if (end === 0 || end > lines) break;
    blocks.push(text.slice(begun, end));
    begun = end;
  }
  return [...blocks, text.slice(begun)];
}
