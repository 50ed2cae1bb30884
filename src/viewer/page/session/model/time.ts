import type { Head } from './wire.ts';

/** A time in UTC, to the second: `2026-03-03 17:50:49 UTC`; as a number where no calendar has it. */
export const timeText = (at: number): string =>
  isTime(at) ? `${iso(at).slice(0, 19).replace('T', ' ')} UTC` : String(at);

/** When something was said in a session: `~` and no seconds where that is only the date of its file. */
export const saidText = (at: number, head: Pick<Head, 'began' | 'isOfFile'> | null): string =>
  isOfFile(at, head) ? timeText(at).replace(/^(.*):\d\d UTC$/, '~$1 UTC') : timeText(at);

/** Whether a time is only the date of the file of a session. */
export const isOfFile = (at: number, head: Pick<Head, 'began' | 'isOfFile'> | null): boolean =>
  head?.isOfFile === true && head.began === at;

/** A time below an axis, in UTC: its day where that is not the one of the time before, and the hour unless only days stand there. */
export function clockText(
  at: number,
  { before, stride }: { readonly before: number | null; readonly stride: number },
): string {
  const [date, clock] = [iso(at).slice(0, 10), iso(at).slice(11, stride < 60_000 ? 19 : 16)];
  if (stride >= 24 * 3_600_000) return date;
  if (before === null) return `${date.slice(5)} ${clock} UTC`;
  return iso(before).startsWith(date) ? clock : `${date.slice(5)} ${clock}`;
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

/** Whether a calendar has it. */
export const isTime = (at: number): boolean => Math.abs(at) <= 8.64e15;

const iso = (at: number): string => new Date(at).toISOString();
