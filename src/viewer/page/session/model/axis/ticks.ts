import { distanceText } from './distance.ts';
import { number } from '../words/amounts.ts';
import { type Axis } from './places.ts';
import type { TimeLine } from './time-line.ts';
import { clockText, isTime } from '../time.ts';

// What stands below an axis: round turns, times or tokens, each where it is.

/** A label of an axis, and its place from 0 to 1. */
export interface Tick {
  readonly place: number;
  readonly text: string;
}

/** What an axis reaches over. */
export interface Reach {
  readonly axis: Axis;
  /** The turn, time or number of tokens where it begins. */
  readonly from: number;
  /** How far it goes from there, in turns, milliseconds or tokens. */
  readonly reach: number;
  /** Whether it is told by how far each place is from the beginning, as for two sessions. */
  readonly isDistance?: boolean;
}

/** Labels at round values of an axis, about as many as there is room for; one at its beginning where none is round. */
export function ticksOf(range: Reach, room: number): readonly Tick[] {
  const { axis, from, reach, isDistance = false } = range;
  // A distance in time or tokens counts from 0; turns are told by their numbers.
  const start = isDistance && axis !== 'turns' ? 0 : from;
  const stride = strideOf(axis, reach / Math.max(1, room));
  const values = roundValues(start, reach, stride);
  const isFar = values.length === 0 || (axis !== 'time' && values[0]! - start > 0.6 * stride);
  const all = isFar ? [start, ...values] : values;
  return all.map((value, index) => ({
    place: reach > 0 ? (value - start) / reach : 0,
    text: textOf(range, value, { before: all[index - 1] ?? null, stride }),
  }));
}

/** Labels at round times of an axis with breaks, each where it is; a stretch without any has one at its beginning, where there is room. */
export function timeTicks({ reach, stretches }: TimeLine, room: number): readonly Tick[] {
  const stride = strideOf('time', reach / Math.max(1, room));
  const ticks: Tick[] = [];
  let before: { readonly value: number; readonly place: number } | null = null;
  for (const stretch of stretches) {
    const values = roundValues(stretch.from, stretch.reach, stride);
    for (const value of values.length === 0 ? [stretch.from] : values) {
      const place = stretch.place + (reach > 0 ? (value - stretch.from) / reach : 0);
      if (before !== null && place - before.place < leastApart / room) continue;
      const among = { before: before?.value ?? null, stride: Math.min(stride, largest) };
      ticks.push({ place, text: textOf({ axis: 'time', from: 0, reach }, value, among) });
      before = { value, place };
    }
  }
  return ticks;
}

/** The least room between labels, in the room that one takes. */
const leastApart = 0.8;

function roundValues(start: number, reach: number, stride: number): readonly number[] {
  const first = Math.ceil(start / stride) * stride;
  const count = Math.floor((start + reach - first) / stride) + 1;
  if (!(reach > 0) || !(count > 0)) return [];
  return Array.from({ length: count }, (_, n) => first + n * stride);
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;

/** Stretches between times that people read at once, in milliseconds. */
const clockStrides: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 4, 7, 14, 28, 56, 91, 182, 364].map((n) => n * day),
];

/** The largest stride at which the hour is told beside the day: a stretch may begin at any. */
const largest = 12 * hour;

/** The round stretch that is `least` at least. */
function strideOf(axis: Axis, least: number): number {
  if (axis === 'time') {
    const stride = clockStrides.find((stride) => stride >= least);
    if (stride !== undefined) return stride;
    return 364 * day * roundUp(least / (364 * day));
  }
  return Math.max(1, roundUp(least));
}

/** 1, 2 or 5 with zeros, `least` at least. */
function roundUp(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  return ([1, 2, 5].find((n) => n * power >= least * (1 - 1e-9)) ?? 10) * power;
}

function textOf(
  { axis, from, isDistance = false }: Reach,
  value: number,
  among: { readonly before: number | null; readonly stride: number },
): string {
  if (axis === 'turns') return `turn ${Math.floor(value)}`;
  if (isDistance) return distanceText(axis, value, from);
  if (axis === 'tokens') return number(value);
  return isTime(value) ? clockText(value, among) : String(value);
}
