import { number } from '../words/amounts.ts';
import { type Axis } from './places.ts';

/** How far from the beginning, which is in turn `first`, something is, in words. */
export function distanceText(axis: Axis, distance: number, first: number): string {
  if (axis === 'turns') return `turn ${Math.floor(distance) + first}`;
  return axis === 'time' ? stretchText(distance) : `${number(distance)} tokens`;
}

/** Where two sessions are compared, and by what. */
export function pairingText(axis: Axis, distance: number, first: number): string {
  const text = distanceText(axis, distance, first);
  if (axis === 'turns') return `both in ${text}`;
  return axis === 'time'
    ? `each ${text} after its own beginning`
    : `each when ${text} had been said in it`;
}

/** How long a pause was, in milliseconds, in one unit: `41 min`, `18 h`. */
export function pauseText(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours < 1.5) return `${Math.round(hours * 60)} min`;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} d`;
}

/** A stretch of time in milliseconds, in its two largest units: `2 h 10 min`. */
function stretchText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (one: string, rest: number, unit: string): string =>
    rest === 0 ? one : `${one} ${rest} ${unit}`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return two(`${minutes} min`, seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return two(`${hours} h`, minutes % 60, 'min');
  return two(`${Math.floor(hours / 24)} d`, hours % 24, 'h');
}
