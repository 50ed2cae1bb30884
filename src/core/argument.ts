import { fail } from './error.ts';

// What comes from outside is looked at here, before anything is changed: a value
// that cannot be meant is refused by the name of its argument, with what that
// takes. A field that nobody knows is refused, too: it would be without effect.

/** Refuses a value by the name of its argument; throws `OPTION_INVALID`. */
export type Check = (name: string, value: unknown) => void;

/** What the fields of an object take. */
export type Fields<Name extends string = string> = Readonly<Record<Name, Check>>;

/** The refusal of a value that an option or argument does not take. */
export function invalid(option: string, value: unknown, wanted: string): Error {
  return fail(
    'OPTION_INVALID',
    `Option "${option}" cannot be ${shown(value)}; it takes ${wanted}`,
    {
      option,
      value,
    },
  );
}

/** Longest value that is told back, in UTF-16 units. */
const longest = 80;

/** A value as people read it; its kind where it has no text. */
function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return value.toString();
  if (typeof value !== 'object' && typeof value !== 'string') return `${value as number}`;
  try {
    return (JSON.stringify(value) ?? typeof value).slice(0, longest);
  } catch {
    return Array.isArray(value) ? 'this list' : 'this object';
  }
}

/** Refuses names of options that there are not: a misspelled one would be without effect. */
export function checkNames(given: object, known: readonly string[]): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !known.includes(name))
      throw fail('OPTION_INVALID', `There is no option "${name}"; there are ${known.join(', ')}`, {
        option: name,
        known,
      });
}

/** Refuses what is no object, fields that it does not have, and what they do not take; each may be left out. */
export function checkFields(name: string, given: unknown, fields: Fields): void {
  const known = Object.keys(fields);
  if (!isObject(given)) throw invalid(name, given, `{ ${known.join(', ')} }`);
  checkNames(given, known);
  for (const field of known) {
    const value = (given as Readonly<Record<string, unknown>>)[field];
    if (value !== undefined) fields[field]!(field, value);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Takes a text, also an empty one. */
export function text(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw invalid(name, value, 'a text');
}

/** Takes a text that says something; what it is called, `wanted`. */
export function filled(wanted = 'a text that is not empty'): Check {
  return (name, value) => {
    if (typeof value !== 'string' || value.trim() === '') throw invalid(name, value, wanted);
  };
}

/** Takes a list of texts. */
export function texts(name: string, value: unknown): void {
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
    throw invalid(name, value, 'a list of texts');
}

/** Takes true or false. */
export function flag(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw invalid(name, value, 'true or false');
}

/** Takes one of a few texts. */
export function oneOf(known: readonly string[]): Check {
  return (name, value) => {
    if (!known.includes(value as string)) throw invalid(name, value, `one of ${known.join(', ')}`);
  };
}

/** Refuses what is no whole number from `least` up. */
export function whole(name: string, value: unknown, least: number): asserts value is number {
  if (!Number.isSafeInteger(value) || (value as number) < least)
    throw invalid(name, value, `a whole number from ${least} up`);
}

/** Takes a whole number from `least` up. */
export function from(least: number): Check {
  return (name, value) => whole(name, value, least);
}

/** Takes how many there may be: a whole number from 0 up, or `Infinity` for all. */
export function limit(name: string, value: unknown): void {
  if (value !== Number.POSITIVE_INFINITY) whole(name, value, 0);
}

/** Takes a whole number from `least` to `most`. */
export function between(least: number, most: number): Check {
  return (name, value) => {
    if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most)
      throw invalid(name, value, `a whole number from ${least} to ${most}`);
  };
}

/** Takes a wait in whole milliseconds, no longer than a timer of JavaScript can wait. */
export const wait: (least: number) => Check = (least) => between(least, 2 ** 31 - 1);

/** The last moment that there is a date of, in milliseconds since 1970. */
export const lastMoment: number = 8.64e15;

/** Takes a time. */
export function time(name: string, value: unknown): void {
  if (!(typeof value === 'number' && value >= 0 && value <= lastMoment))
    throw invalid(name, value, 'milliseconds since 1970');
}

/** Takes a function. */
export function callable(name: string, value: unknown): void {
  if (typeof value !== 'function') throw invalid(name, value, 'a function');
}

/** Takes an `AbortSignal`, of whatever make. */
export function signal(name: string, value: unknown): void {
  const { aborted, throwIfAborted, addEventListener } = Object(value) as Record<string, unknown>;
  const isOne =
    typeof aborted === 'boolean' &&
    typeof throwIfAborted === 'function' &&
    typeof addEventListener === 'function';
  if (!isOne) throw invalid(name, value, 'an AbortSignal');
}
