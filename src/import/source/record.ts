import { isObject } from '../../core/values/json.ts';
import { lastMoment } from '../../core/values/validation.ts';

/** One JSON object of a session file, before anything is known of it. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether `value` is a JSON object, not an array. */
export const isJson: (value: unknown) => value is Json = isObject;

/** Most arrays and objects within each other; what is deeper cannot be written again on every stack. */
const mostDepth = 1_000;

/** The value that `text` holds as JSON; throws `SyntaxError`, and `RangeError` for one that is nested too deep. */
export function toValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.length > 2 * mostDepth && isDeeper(value, mostDepth))
    throw new RangeError('nested too deep');
  return value;
}

/** The object that `text` holds, or in words why it holds none. */
export function toRecord(text: string): Json | string {
  let value: unknown;
  try {
    value = toValue(text);
  } catch (error) {
    return error instanceof RangeError ? 'nested too deep' : 'not JSON';
  }
  return isJson(value) ? value : 'not a JSON object';
}

/** Whether more than `depth` arrays and objects stand within each other. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** Whether a text is empty or white space. */
export const isBlank = (text: string): boolean => !/\S/.test(text);

/** A field's text, if it is text and not empty. */
export function stringAt(record: Json, field: string): string | undefined {
  const value = record[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of fields under names of their own; {@link stringAt} of each, where there is one. */
export function stringsAt<Name extends string>(
  record: Json,
  fields: Readonly<Record<Name, string>>,
): { readonly [One in Name]?: string } {
  const found = Object.entries<string>(fields).flatMap(([name, field]) => {
    const text = stringAt(record, field);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(found) as { readonly [One in Name]?: string };
}

/** A field's object, if it is one. */
export function recordAt(record: Json, field: string): Json | undefined {
  const value = record[field];
  return isJson(value) ? value : undefined;
}

/** The objects in a field that is an array; other values are left out. */
export function recordsAt(record: Json, field: string): readonly Json[] {
  const value = record[field];
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** A time in milliseconds since 1970, from such a number or an ISO date; nothing for anything else. */
export function toTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && time >= 0 && time <= lastMoment ? time : undefined;
}
