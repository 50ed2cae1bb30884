import { ordinal } from '../../core/values/id.ts';

// A line that was broken, and is mended, or a file that is written in the middle: what it says comes to the log behind
// entries that follow it in the file. The log only grows, so it stays there, and is told:
//
//   read first   e1  ──  e2 e3          read again   e1 [e4] e2 e3      e4 came late: between e1 and e2

/** An entry that came to the log behind others which follow it in its file. */
export interface LateEntry {
  readonly entry: string;
  /** Its line in the file, from 1. */
  readonly line: number;
  /** The entry that it follows in the file; left out where it is the first. */
  readonly after?: string;
  /** The entry that it belongs before, which was there already. */
  readonly before: string;
}

/** A place in a file. */
interface Place {
  readonly line: number;
  /** Whether it begins what a person or the model says, and is no result and no machine text, which may stand between the lines of an answer. */
  readonly isSpoken: boolean;
  /** Whether it is the rest of an answer that was read in parts. */
  readonly isRest: boolean;
}

/** The entries of a file in its order. */
export interface FileOrder {
  /** Takes a place; what it gives is called with the entry that the place came to. */
  place(at: Place): (entry: string) => void;
  /** Those that came late, in the order of the file. */
  late(): readonly LateEntry[];
}

/** An entry, and its line. */
type Located = Pick<Place, 'line'> & { readonly entry: string };

/** The entries that follow, met from the last on: of a result that is told with its call, those before it by their lines do not count. */
function newFollowing(): {
  readonly add: (one: Located) => void;
  readonly beyond: (line: number) => Located | undefined;
} {
  // The nearest is the last; one is hidden by a nearer one whose line is no smaller.
  const nearest: Located[] = [];
  return {
    add(one) {
      while (nearest.length > 0 && nearest.at(-1)!.line <= one.line) nearest.pop();
      nearest.push(one);
    },
    beyond: (line) => nearest.findLast((one) => one.line > line),
  };
}

/** The order of a file whose session had so many entries before. */
export function newFileOrder(before: number): FileOrder {
  const places: (Place & { entry: string })[] = [];
  return {
    place(at) {
      const place = { ...at, entry: '' };
      places.push(place);
      return (entry) => (place.entry = entry);
    },
    late() {
      const taken = places.filter(({ entry }) => entry !== '');
      const found: LateEntry[] = [];
      const known = newFollowing();
      const spoken = newFollowing();
      for (let at = taken.length - 1; at >= 0; at -= 1) {
        const place = taken[at]!;
        const { entry, line } = place;
        if (ordinal(entry) <= before) {
          known.add(place);
          if (place.isSpoken) spoken.add(place);
          continue;
        }
        const next = (place.isRest ? spoken : known).beyond(line);
        if (next === undefined) continue;
        const after = taken[at - 1]?.entry;
        found.push({ entry, line, ...(after !== undefined && { after }), before: next.entry });
      }
      return found.toReversed();
    },
  };
}
