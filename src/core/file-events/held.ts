import type { Exchange } from '../outcomes/exchanges.ts';
import { wasDone } from '../outcomes/failures.ts';
import { editsOf } from './file-facts.ts';
import { filesShown } from './shown-files.ts';

// What a file held before it was written anew: of a whole file only what it had not is new.

/** The heads of what a file holds, as they are told, by name. */
export type Heads = ReadonlyMap<string, string>;

/** What a file held before the exchange at a place of a list; places are asked for in their order. */
export type HeldBefore = (path: string, at: number) => Heads;

/** Finds what files held before each of some exchanges; `before` tells what they held before all of them. */
export function heldFinder(
  exchanges: readonly Exchange[],
  before: (path: string) => Heads = () => new Map(),
): HeldBefore {
  const files = new Map<string, Map<string, string>>();
  const headsOf = (path: string): Map<string, string> => {
    const heads = files.get(path) ?? new Map(before(path));
    files.set(path, heads);
    return heads;
  };
  const play = (exchange: Exchange): void => {
    for (const { path, extent, facts, gone } of editsOf(exchange)) {
      const heads = headsOf(path);
      if (extent !== 'part') heads.clear();
      for (const { name, inside } of gone) if (name === inside) heads.delete(name);
      for (const { name, now } of facts)
        if (now === '') heads.delete(name);
        else heads.set(name, now);
    }
    for (const { path, holds } of filesShown(exchange))
      for (const { name, now } of holds) headsOf(path).set(name, now);
  };
  let next = 0;
  return (path, at) => {
    for (; next < at; next += 1) if (wasDone(exchanges[next]!)) play(exchanges[next]!);
    return headsOf(path);
  };
}
