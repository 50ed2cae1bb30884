import { entryId, ordinal } from '../values/id.ts';
import { frameAt, type FrameRanges } from './frame-ranges.ts';
import { childrenOf, frameOf, type FrameTree } from './tree.ts';

/** Finds the entry in which a frame below made work what had failed in an entry; 0 for none. */
export const cureFinder =
  ({ frames, frameRanges }: { readonly frames: FrameTree; readonly frameRanges: FrameRanges }) =>
  (n: number): number => {
    const frame = frameAt(frameRanges, n);
    if (frame === undefined) return 0;
    for (const { results } of childrenOf(frames, frameOf(frames, frame))) {
      const cure = results?.cures?.[entryId(n)];
      if (cure !== undefined) return ordinal(cure);
    }
    return 0;
  };
