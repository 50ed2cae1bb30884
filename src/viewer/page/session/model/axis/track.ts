import { partitionPoint } from '../../../partition-point.ts';

// Two sessions on one axis: the playhead goes through the steps of both, in the order in which they stand
// there; steps at the same place are taken together.

/** For each place of the playhead the step of one session and of another, by their indexes. */
export interface Track {
  readonly own: Int32Array;
  readonly beside: Int32Array;
}

/** Joins the steps of two sessions, by how far from their beginnings they stand; neither may be empty. */
export function joinedTrack(own: Float64Array, beside: Float64Array): Track {
  const places: (readonly [number, number])[] = [];
  for (let [one, other] = [0, 0]; ;) {
    places.push([one, other]);
    const [next, then] = [own[one + 1] ?? Infinity, beside[other + 1] ?? Infinity];
    if (next === Infinity && then === Infinity) break;
    if (next <= then) one += 1;
    if (then <= next) other += 1;
  }
  return {
    own: Int32Array.from(places, ([one]) => one),
    beside: Int32Array.from(places, ([, other]) => other),
  };
}

/** Which of two sessions. */
export type Side = keyof Track;

/** The place of the playhead at a step of a session: the other as far as it is by then. */
export function placeOn(
  track: Track,
  distances: Readonly<Record<Side, Float64Array>>,
  { side, at }: { readonly side: Side; readonly at: number },
): number {
  const other = side === 'own' ? 'beside' : 'own';
  const far = distances[side][at] ?? 0;
  let place = Math.max(0, lowerBound(track[side], at));
  while (
    track[side][place + 1] === at &&
    (distances[other][track[other][place + 1]!] ?? Infinity) <= far
  )
    place += 1;
  return place;
}

/** The place of the playhead at these steps of both, or at that one of them which is farther on. */
export function placeOfBoth(
  track: Track,
  distances: Readonly<Record<Side, Float64Array>>,
  at: Readonly<Record<Side, number>>,
): number {
  const isAhead = (distances.beside[at.beside] ?? 0) > (distances.own[at.own] ?? 0);
  const side = isAhead ? 'beside' : 'own';
  for (let place = lowerBound(track[side], at[side]); place < track.own.length; place += 1) {
    if (track[side][place] !== at[side]) break;
    if (track.own[place] === at.own && track.beside[place] === at.beside) return place;
  }
  return placeOn(track, distances, { side, at: at[side] });
}

/** The first index whose value, of values that never fall, is `value` at least. */
export const lowerBound = (values: Int32Array, value: number): number =>
  partitionPoint(values.length, (index) => values[index]! < value);
