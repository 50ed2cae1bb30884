import { partitionPoint } from '../values/partition-point.ts';

/** Indexes of equal members of two lists, ascending in both. */
type Pairs = readonly (readonly [one: number, other: number])[];

interface Chain {
  readonly pair: readonly [number, number];
  readonly next: Chain | null;
}

/**
 * The longest common subsequence of two lists (Hunt and Szymanski, from the end). Where the first
 * list repeats itself, the last of its equal members are taken.
 */
export function commonSubsequence(one: readonly string[], other: readonly string[]): Pairs {
  const places = placesOf(one);
  // Of all chains of a length, the one that begins last; a longer one begins earlier.
  const chains: Chain[] = [];
  for (const [index, member] of [...other.entries()].toReversed())
    for (const at of places.get(member) ?? []) {
      const length = partitionPoint(chains.length, (shorter) => chains[shorter]!.pair[0] > at);
      chains[length] = { pair: [at, index], next: chains[length - 1] ?? null };
    }
  const pairs: (readonly [number, number])[] = [];
  for (let chain = chains.at(-1) ?? null; chain !== null; chain = chain.next)
    pairs.push(chain.pair);
  return pairs;
}

/** The indexes of each distinct member of a list, ascending. */
export function placesOf(members: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  members.forEach((member, at) => {
    const positions = places.get(member);
    if (positions === undefined) places.set(member, [at]);
    else positions.push(at);
  });
  return places;
}
