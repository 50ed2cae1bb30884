import { InvalidArgumentError } from 'commander';

/** Milliseconds of what stands behind a number. */
const units: Readonly<Record<string, number>> = {
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/** The beginning of a day, a moment, or a while ago (`3d`), in milliseconds since 1970. */
export function parseDate(text: string): number {
  const [, count, unit] = /^(\d{1,6})\s?(min|h|d|w)$/.exec(text.trim()) ?? [];
  if (unit !== undefined) return Date.now() - Number(count) * units[unit]!;
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError(
    'It takes a date or a while: 2026-11-20, 2026-11-20T14:00Z, 3d, 12h.',
  );
}

/** The end of a day, or the moment itself where a time was told. */
export function parseEnd(text: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text.trim());
  return parseDate(text) + (isDay ? 86_400_000 - 1 : 0);
}
