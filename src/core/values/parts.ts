// A long decision is not taken in one go: others wait for the event loop. But it is
// pure, so it may be broken off at any part of it and begun again from its start;
// what its parts made before is there then, and is not made again.
//
//   run 1   ■■■ break
//   run 2   ··· ■■■■ break        ■ made   · remembered
//   run 3   ··· ···· ■■ done
//
// A part may have parts within it; once it is whole, nothing of it is gone through again.

/** Does a part of some work: `make` is pure, and changes nothing that is there before it. */
export type Part = <T>(make: () => T) => T;

/** Does each part where it stands. */
export const atOnce: Part = (make) => make();

/** What a run throws where it is broken off. */
const broken = Symbol('broken off');

/** Work that is done in runs. */
export interface Runs {
  /** Runs `work` from its start until it ends, or the limit says at a part of it that it is enough for now; a run does one part at least. */
  run<T>(work: (part: Part) => T): { readonly value: T } | null;
}

/** A part as far as it was made: its value once it is whole, before that the parts within it. */
interface PartRecord {
  isWhole: boolean;
  value: unknown;
  within: PartRecord[];
}

/** How long a run may take: it begins with the first part that it makes, for to go through those before takes a while itself. */
export interface RunLimit {
  begin(): void;
  isOver(): boolean;
}

/** Work before its first run. It must ask for the same parts in the same order in each. */
export function newRuns(limit: RunLimit): Runs {
  const all: PartRecord[] = [];
  return {
    run(work) {
      let siblings = all;
      let at = 0;
      let [hasBegun, hasMade] = [false, false];
      const part: Part = <T>(make: () => T): T => {
        const [before, index] = [siblings, at];
        const earlier = before[index];
        if (earlier?.isWhole === true) {
          at += 1;
          return earlier.value as T;
        }
        if (earlier === undefined && hasMade && limit.isOver()) throw broken;
        if (earlier === undefined && !hasBegun) {
          limit.begin();
          hasBegun = true;
        }
        const record =
          earlier ?? (before[index] = { isWhole: false, value: undefined, within: [] });
        [siblings, at] = [record.within, 0];
        const value = make();
        record.isWhole = true;
        record.value = value;
        record.within = none;
        hasMade = true;
        [siblings, at] = [before, index + 1];
        return value;
      };
      try {
        return { value: work(part) };
      } catch (error) {
        if (error !== broken) throw error;
        return null;
      }
    },
  };
}

const none: PartRecord[] = [];

/** Members that are made in one part. */
const perPart = 64;

/** What grows by each member of a list, some in each part: nobody else knows of it before it is whole. */
export function growInParts<T, V>(
  list: readonly T[],
  part: Part,
  { from, add }: { from: () => V; add: (grown: V, member: T, index: number) => void },
): V {
  return part(() => {
    const grown = part(from);
    for (let at = 0; at < list.length; at += perPart)
      part(() =>
        list.slice(at, at + perPart).forEach((member, index) => add(grown, member, at + index)),
      );
    return grown;
  });
}

/** What `make` makes of each member of a list, some in each part. */
export function mapInParts<T, V>(
  list: readonly T[],
  part: Part,
  make: (member: T) => V,
): readonly V[] {
  return part(() => {
    const values: V[] = [];
    for (let at = 0; at < list.length; at += perPart)
      values.push(...part(() => list.slice(at, at + perPart).map(make)));
    return values;
  });
}
