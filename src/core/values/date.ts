// Days and times of day in UTC, by arithmetic alone: core has no `Date`.

const msOfDay = 86_400_000;

const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** The day of a moment in milliseconds since 1970, `YYYY-MM-DD` in UTC. */
export function dayOf(at: number): string {
  const z = Math.floor(at / msOfDay) + 719_468;
  const era = Math.floor(z / 146_097);
  const ofEra = z - era * 146_097;
  const years = Math.floor(
    (ofEra - Math.floor(ofEra / 1_460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) /
      365,
  );
  const ofYear = ofEra - (365 * years + Math.floor(years / 4) - Math.floor(years / 100));
  const shifted = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * shifted + 2) / 5) + 1;
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const year = years + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** The time of day of a moment, `HH:MM` in UTC. */
export function timeOf(at: number): string {
  const minutes = Math.floor((((at % msOfDay) + msOfDay) % msOfDay) / 60_000);
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** The beginning of a day in UTC, in milliseconds since 1970; 0 where there is no such day. */
export function startOfDay(day: string): number {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return 0;
  const m = Number(month);
  const y = Number(year) - (m <= 2 ? 1 : 0);
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * (m > 2 ? m - 3 : m + 9) + 2) / 5) + Number(date) - 1;
  const days = ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear;
  const midnight = (era * 146_097 + days - 719_468) * msOfDay;
  return dayOf(midnight) === day ? midnight : 0;
}
