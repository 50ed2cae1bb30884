import type { Exchange } from '../outcomes/exchanges.ts';
import { wasDone } from '../outcomes/failures.ts';
import { editsOf } from './file-facts.ts';
import { filesShown } from './shown-files.ts';

// What a file held before it was written anew: of a whole file only what it had not is new.

/** The heads of what a file holds, as they are told, before the exchange at a place of a list. */
export type HeldBefore = (path: string, at: number) => ReadonlySet<string>;

/** Finds what files held before each of some exchanges; `before` tells what they held before all of them. */
export const heldFinder =
  (
    exchanges: readonly Exchange[],
    before: (path: string) => Iterable<string> = () => [],
  ): HeldBefore =>
  (path, at) => {
    const held = new Set(before(path));
    for (const exchange of exchanges.slice(0, at)) {
      if (!wasDone(exchange)) continue;
      for (const edit of editsOf(exchange))
        if (edit.path === path) for (const { now } of edit.facts) held.add(now);
      for (const shown of filesShown(exchange))
        if (shown.path === path) for (const { now } of shown.holds) held.add(now);
    }
    return held;
  };
