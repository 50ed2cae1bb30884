// A long decision is not taken in one go: others wait for the event loop. But it is
// pure, so it may be broken off at any part of it and begun again from its start;
// what its parts made before is there then, and is not made again.
//
//   run 1   ■■■ break
//   run 2   ··· ■■■■ break        ■ made   · remembered
//   run 3   ··· ···· ■■ done

/** Does a part of some work: `make` is pure, and changes nothing that is there before it. */
export type Part = <T>(make: () => T) => T;

/** Does each part where it stands. */
export const atOnce: Part = (make) => make();

/** What a run throws where it is broken off. */
const broken = Symbol('broken off');

/** Work that is done in runs. */
export interface Runs {
  /** Runs `work` from its start until it ends, or `isOver` says at a part of it that it is enough for now; a run does one part at least. */
  run<T>(work: (part: Part) => T): { readonly value: T } | null;
}

/** Work before its first run. It must ask for the same parts in the same order in each. */
export function newRuns(isOver: () => boolean): Runs {
  const made: unknown[] = [];
  return {
    run(work) {
      let at = 0;
      let isWithin = false;
      const before = made.length;
      const part: Part = <T>(make: () => T): T => {
        if (isWithin) return make();
        if (at < made.length) return made[at++] as T;
        if (at > before && isOver()) throw broken;
        isWithin = true;
        const value = make();
        isWithin = false;
        made.push(value);
        at += 1;
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

/** Members that are made in one part. */
const perPart = 64;

/** What `make` makes of each member of a list, some in each part. */
export function mapInParts<T, V>(
  list: readonly T[],
  part: Part,
  make: (member: T) => V,
): readonly V[] {
  const made: V[] = [];
  for (let at = 0; at < list.length; at += perPart)
    made.push(...part(() => list.slice(at, at + perPart).map(make)));
  return made;
}
