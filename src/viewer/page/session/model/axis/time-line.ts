import { distancesOn } from './places.ts';
import type { Step } from '../wire.ts';

// Nights would take the axis of time from the work. So a long pause is drawn as a break, of the same width
// whatever its length, and between breaks each millisecond is as wide as any other:
//
//   ▁▂▅▇ 18 h ▁▃▅ 41 min ▂▂▇

/** The axis of time. */
export interface TimeLine {
  /** Where each step stands, from 0 to 1. */
  readonly places: Float64Array;
  /** How much time is as wide as the axis, in milliseconds. */
  readonly reach: number;
  /** What is drawn between breaks. */
  readonly stretches: readonly Stretch[];
  readonly breaks: readonly Break[];
}

/** A stretch without a break: when it begins and how long it is, in milliseconds, and where it stands, from 0 to 1. */
export interface Stretch {
  readonly from: number;
  readonly reach: number;
  readonly place: number;
}

/** A pause that is drawn as a break, from 0 to 1, and how long it was, in milliseconds. */
export interface Break {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** A pause is long from this share of what is drawn on. */
const longShare = 1 / 10;

/** The shortest pause that is drawn as a break, in milliseconds. */
const shortest = 900_000;

/** The width of a break, and that of all, in shares of the rest. */
const breakShare = { one: 1 / 40, all: 1 / 3 } as const;

/** Lays steps out in time; there is one at least. */
export function timeLineOf(steps: readonly Step[]): TimeLine {
  const distances = distancesOn('time', steps);
  const gaps = distances.map((distance, index) => distance - (distances[index - 1] ?? 0));
  const { long, rest } = longOnes(gaps, distances.at(-1) ?? 0);
  const wide = Math.min(rest * breakShare.one, (rest * breakShare.all) / Math.max(1, long.size));
  const drawn = new Float64Array(steps.length);
  for (let index = 1; index < drawn.length; index += 1)
    drawn[index] = drawn[index - 1]! + (long.has(index) ? wide : gaps[index]!);
  const reach = drawn.at(-1)!;
  const places = reach > 0 ? drawn.map((distance) => distance / reach) : drawn;
  const begins = [0, ...long];
  return {
    places,
    reach,
    stretches: begins.map((first, n) => ({
      from: steps[0]!.at + distances[first]!,
      reach: distances[(begins[n + 1] ?? steps.length) - 1]! - distances[first]!,
      place: places[first]!,
    })),
    breaks: [...long].map((after) => ({
      from: places[after - 1]!,
      to: places[after]!,
      length: gaps[after]!,
    })),
  };
}

/** The steps behind long pauses, and how much time is left without those. */
function longOnes(
  gaps: Float64Array,
  whole: number,
): { readonly long: ReadonlySet<number>; readonly rest: number } {
  let rest = whole;
  const long: number[] = [];
  for (const index of [...gaps.keys()].sort((one, other) => gaps[other]! - gaps[one]!)) {
    const gap = gaps[index]!;
    if (gap < shortest || gap < rest * longShare || gap === rest) break;
    rest -= gap;
    long.push(index);
  }
  return { long: new Set(long.sort((one, other) => one - other)), rest };
}
