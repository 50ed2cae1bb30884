import type { Step } from '../wire.ts';
import { partitionPoint } from '../../../partition-point.ts';

/** What stands on the horizontal axis. */
export type Axis = 'turns' | 'time' | 'tokens';

/** Where each step stands on the axis, from 0 to 1; it never goes back. */
export function placesOn(axis: Axis, steps: readonly Step[]): Float64Array {
  const places = distancesOn(axis, steps);
  return scaled(places, places.at(-1) ?? 0);
}

/** The turn in which something is said first; the last one where nothing is. */
export const firstTurn = (steps: readonly Step[]): number =>
  (steps.find(({ said }) => said > 0) ?? steps.at(-1))?.turn ?? 0;

/** How far each step stands from the beginning on the axis, in turns from `first` on, milliseconds or tokens; it never goes back. */
export function distancesOn(
  axis: Axis,
  steps: readonly Step[],
  first = firstTurn(steps),
): Float64Array {
  const distances =
    axis === 'turns'
      ? turnsOf(steps).map((turn) => Math.max(0, turn - first))
      : Float64Array.from(steps, valueOn(axis));
  const begun = axis === 'turns' ? 0 : (distances[0] ?? 0);
  let most = 0;
  for (const [index, distance] of distances.entries()) {
    most = Math.max(most, distance - begun);
    distances[index] = most;
  }
  return distances;
}

/** Distances as places, of which `most` is at 1. */
export const scaled = (distances: Float64Array, most: number): Float64Array =>
  most > 0 ? distances.map((distance) => distance / most) : distances;

const valueOn = (axis: 'time' | 'tokens') => (step: Step) =>
  axis === 'time' ? step.at : step.said;

/** The turn of each step, and its share of that turn's steps. */
function turnsOf(steps: readonly Step[]): Float64Array {
  const places = new Float64Array(steps.length);
  for (let first = 0; first < steps.length;) {
    const { turn } = steps[first]!;
    let end = first + 1;
    while (end < steps.length && steps[end]!.turn === turn) end += 1;
    for (let index = first; index < end; index += 1)
      places[index] = turn + (index - first) / (end - first);
    first = end;
  }
  return places;
}

/** The last index whose place is at most `place`. */
export const indexAt = (places: Float64Array, place: number): number =>
  Math.max(0, partitionPoint(places.length, (index) => places[index]! <= place) - 1);
