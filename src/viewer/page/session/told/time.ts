/** A time in UTC, to the second: `2026-03-03 17:50:49 UTC`; as a number where no calendar has it. */
export const timeText = (at: number): string =>
  isTime(at) ? `${iso(at).slice(0, 19).replace('T', ' ')} UTC` : String(at);

/** What tells a time from others between `first` and `last`: the day, or within two days the hour, too. */
export function tickText(at: number, [first, last]: readonly [number, number]): string {
  if (!isTime(at)) return String(at);
  const isShort = Math.abs(last - first) < 2 * 24 * 3_600_000;
  return isShort ? `${iso(at).slice(5, 16).replace('T', ' ')} UTC` : iso(at).slice(0, 10);
}

/** The time that is meant, in milliseconds since 1970, in UTC where no zone is named; null for none. */
export function timeIn(text: string): number | null {
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})(?:[T ](.+))?$/.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  const hour = clock?.replace(/ ?UTC$/, 'Z');
  const zone = hour === undefined || /(?:Z|[+-]\d{2}:?\d{2})$/.test(hour) ? '' : 'Z';
  const time = Date.parse(hour === undefined ? day : `${day}T${hour}${zone}`);
  return Number.isNaN(time) ? null : time;
}

const isTime = (at: number): boolean => Math.abs(at) <= 8.64e15;

const iso = (at: number): string => new Date(at).toISOString();
