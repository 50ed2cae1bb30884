import type { Entry } from './history.ts';
import type { Needs, Reference } from './needs.ts';
import { presenceOf } from './presence.ts';
import type { Reader } from './reader.ts';

/** What an entry needs from afar. */
export interface Far {
  readonly names: readonly Reference[];
  /** The entries before this place have left a plain window. */
  readonly before: number;
}

/**
 * The references to names that a plain window of `budget` tokens has lost, entry by entry: last mentioned
 * more than that ago, and in none of the newest entries that fit. A window that keeps the newest scores 0 by
 * construction.
 */
export function farOf(
  entries: readonly Entry[],
  needs: Needs,
  { budget, reader }: { readonly budget: number; readonly reader: Reader },
): readonly Far[] {
  const window = presenceOf(needs.traces.length);
  let first = 0;
  let used = 0;
  return entries.map(({ text, tokens }, place) => {
    const before = first;
    const names = needs.at[place]!.names.filter(
      ({ trace, gap }) => gap > budget && !window.has(trace),
    );
    window.add(reader.read(text, true));
    used += tokens;
    for (; used > budget; first += 1) {
      window.remove(reader.read(entries[first]!.text, true));
      used -= entries[first]!.tokens;
    }
    return { names, before };
  });
}
