/** A whole number as people write it: `11,806`. */
export function number(value: number): string {
  // By hand: the first number format of a process takes longer than all else that a short command does.
  const whole = Math.round(value);
  if (Math.abs(whole) < 1_000) return String(whole);
  return String(whole).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A number of things: `1 entry`, `2 entries`. */
export function many(value: number, one: string, more = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : more}`;
}

/** The size of a model, in billions of parameters: `8 billion parameters`, `3.2 billion parameters`. */
export function parameters(billions: number): string {
  return `${Math.round(billions * 10) / 10} billion parameters`;
}

/** A size in bytes: `812 B`, `340 kB`, `2.4 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A share, 0 to 1, in percent; never 100 % for less than all. */
export function percent(share: number): string {
  const value = Math.round(share * 100);
  return `${value === 100 && share < 1 ? 99 : value} %`;
}

/** A stretch of time, in milliseconds: `0.4 s`, `12 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 119_500) return `${Math.round(ms / 1_000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** How long ago something was, in milliseconds, for a list: `now`, `5 min`, `3 h`, `12 d`. */
export function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / 60 / 24)} d`;
}

/** When something was, in milliseconds since 1970, in a sentence. */
export function ago(at: number, now: number): string {
  const text = when(at, now);
  return / (?:min|h)$/.test(text) ? `${text} ago` : text;
}

/** When something was, in milliseconds since 1970, for a list: how long ago within a day, then the date. */
export function when(at: number, now: number): string {
  if (now - at < 24 * 3_600_000) return age(now - at);
  if (!(at >= day.begins && at < day.ends)) day = dayOf(new Date(at));
  return day.text;
}

/** The day that was told last: a list in order of time tells each many times. */
let day = { text: '', begins: 0, ends: 0 };

function dayOf(date: Date): typeof day {
  const [year, month, at] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    text: `${year}-${two(month + 1)}-${two(at)}`,
    begins: new Date(year, month, at).getTime(),
    ends: new Date(year, month, at + 1).getTime(),
  };
}
