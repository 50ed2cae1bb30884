/** A number as people read it. */
export const number = (value: number): string => Math.round(value).toLocaleString('en');

/** A number of things: `1 entry`, `2 entries`. */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : more}`;
