import { fail } from './error.ts';
import { isObject } from './json.ts';

// Input is described by schemas, in the words of JSON Schema, so that one checker
// serves the arguments of calls and those of a model's tools. All of it is checked
// before anything is changed. An unknown field is refused, too: it would have no
// effect.

/** The JSON Schema of a value, as far as it is used here. */
export interface Schema {
  readonly type?: Type;
  /** Its purpose, for models. */
  readonly description?: string;
  readonly enum?: readonly string[];
  /** 0 for an integer unless told. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  /** A condition that JSON Schema cannot state; checked last. */
  readonly holds?: (value: unknown) => boolean;
  /** The values it takes, in words, where its type does not say it all. */
  readonly takes?: string;
}

type Type = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

/** The schemas of an object's fields. */
export type Properties = Readonly<Record<string, Schema>>;

/** The type of the values that a schema takes. */
export type SchemaValue<S> = S extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : S extends { readonly type: 'string' }
    ? string
    : S extends { readonly type: 'number' | 'integer' }
      ? number
      : S extends { readonly type: 'boolean' }
        ? boolean
        : S extends { readonly items: infer Item }
          ? readonly SchemaValue<Item>[]
          : S extends {
                readonly properties: infer Fields;
                readonly required: readonly (infer Name)[];
              }
            ? { readonly [Field in keyof Fields & Name]: SchemaValue<Fields[Field]> } & {
                readonly [Field in Exclude<keyof Fields, Name>]?: SchemaValue<Fields[Field]>;
              }
            : unknown;

/** A fault of a value: the first that a check finds. */
export type Fault = InvalidValue | UnknownField;

/** A value that its schema refuses; undefined where it is missing. */
interface InvalidValue {
  /** Its path: `usage.inputTokens`, `artifacts[0]`; empty for the whole value. */
  readonly at: string;
  readonly value: unknown;
  readonly schema: Schema;
}

/** A field that the schema does not have. */
interface UnknownField {
  readonly at: string;
  readonly name: string;
  /** The fields that it has. */
  readonly known: readonly string[];
}

/** Refuses what a schema does not take, by the name of the argument or of its field; throws `OPTION_INVALID`. */
export function checkArgument(name: string, value: unknown, schema: Schema): void {
  const fault = faultIn(value, schema);
  if (fault === null) return;
  if ('known' in fault) throw unknownField(fault);
  const { at, value: wrong, schema: wanted } = fault;
  throw at === ''
    ? refusal(`Argument "${name}"`, wrong, { option: name, wanted: wordsOf(wanted) })
    : invalid(at, wrong, wordsOf(wanted));
}

/** The first fault of a value; null if it has none. */
export function faultIn(value: unknown, schema: Schema): Fault | null {
  if (!fits(value, schema)) return { at: '', value, schema };
  if (typeof value !== 'object') return null;
  if (schema.items !== undefined) return faultInList(value as readonly unknown[], schema.items);
  return schema.properties === undefined ? null : faultInObject(value as Fields, schema);
}

type Fields = Readonly<Record<string, unknown>>;

function faultInObject(fields: Fields, schema: Schema): Fault | null {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const name of required)
    if (fields[name] === undefined)
      return { at: name, value: undefined, schema: properties[name]! };
  if (additionalProperties === false)
    for (const name of Object.keys(fields))
      if (!Object.hasOwn(properties, name) && fields[name] !== undefined)
        return { at: name, name, known: Object.keys(properties) };
  for (const name in properties) {
    const value = fields[name];
    const fault = value === undefined ? null : faultIn(value, properties[name]!);
    if (fault !== null) return inside(name, fault);
  }
  return null;
}

function faultInList(list: readonly unknown[], items: Schema): Fault | null {
  for (const [index, item] of list.entries()) {
    const fault = faultIn(item, items);
    if (fault !== null) return inside(`[${index}]`, fault);
  }
  return null;
}

/** The fault with its path extended by one level. */
function inside(path: string, fault: Fault): Fault {
  const { at } = fault;
  return { ...fault, at: at === '' || at.startsWith('[') ? path + at : `${path}.${at}` };
}

function fits(value: unknown, schema: Schema): boolean {
  const { type, holds } = schema;
  if (type !== undefined && !isOfType(value, type)) return false;
  if (typeof value === 'string' && !(schema.enum?.includes(value) ?? true)) return false;
  if (typeof value === 'number' && !isWithin(value, schema)) return false;
  return holds === undefined || holds(value);
}

function isWithin(value: number, { type, minimum, maximum }: Schema): boolean {
  const least = minimum ?? (type === 'integer' ? 0 : undefined);
  return !(least !== undefined && value < least) && !(maximum !== undefined && value > maximum);
}

function isOfType(value: unknown, type: Type): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === type && !Number.isNaN(value);
}

const nouns: Readonly<Record<Type, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The values that a schema takes, in words. */
export function wordsOf(schema: Schema): string {
  const { type = 'object', enum: words, minimum = 0, maximum, takes } = schema;
  if (takes !== undefined) return takes;
  if (words !== undefined) return `one of ${words.join(', ')}`;
  if (type !== 'number' && type !== 'integer') return nouns[type];
  return `${nouns[type]} from ${minimum}${maximum === undefined ? '' : ` to ${maximum}`}`;
}

/** The fields of an object on one line: `{ title, criteria, parent? }`. */
export function signatureOf({ properties = {}, required = [] }: Schema): string {
  const names = Object.keys(properties);
  if (names.length === 0) return 'none';
  return `{ ${names.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ')} }`;
}

/** The refusal of a value that an option or argument does not take; one inside a list is the list's. */
export function invalid(name: string, value: unknown, wanted: string): Error {
  return refusal(`Option "${name}"`, value, { option: name.replace(/\[.*/, ''), wanted });
}

function refusal(
  what: string,
  value: unknown,
  { option, wanted }: { readonly option: string; readonly wanted: string },
): Error {
  const wrong =
    value === undefined ? 'is missing' : `cannot be ${readableValue(value).slice(0, longest)}`;
  return fail('OPTION_INVALID', `${what} ${wrong}; it takes ${wanted}`, { option, value });
}

function unknownField({ name, known }: UnknownField): Error {
  const said = `There is no option "${name}"; there are ${known.join(', ')}`;
  return fail('OPTION_INVALID', said, { option: name, known });
}

/** Longest value that a refusal repeats, in UTF-16 units. */
const longest = 80;

/** A value as people read it; its kind where it has no text. */
export function readableValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return value.toString();
  if (typeof value !== 'object' && typeof value !== 'string') return `${value as number}`;
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return Array.isArray(value) ? 'this list' : 'this object';
  }
}

/** An object with the fields of a type and no others. */
export function objectOf<T>(
  properties: { readonly [Name in keyof T]-?: Schema },
  required: readonly (keyof T & string)[] = [],
): Schema & { readonly properties: { readonly [Name in keyof T]-?: Schema } } {
  const schema = { type: 'object', properties, required, additionalProperties: false } as const;
  return { ...schema, takes: signatureOf(schema) };
}

/** A list whose members are alike. */
export const listOf = (items: Schema, takes: string): Schema => ({ type: 'array', items, takes });

/** Any value. */
export const anything: Schema = {};

/** A text, also an empty one. */
export const text: Schema = { type: 'string' };

export const texts: Schema = listOf(text, 'a list of texts');

/** Whether a value is a text and not blank. */
export const isNonEmptyText = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '';

/** A text that is not blank; `takes` describes it. */
export const nonEmptyText = (takes = 'a text that is not empty'): Schema => ({
  holds: isNonEmptyText,
  takes,
});

/** The id of an object of some kind; that it exists is checked elsewhere. */
export const idOf = (kind: string): Schema => ({
  type: 'string',
  takes: `the id of ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`,
});

export const flag: Schema = { type: 'boolean' };

/** One of a few texts. */
export const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words });

/** A whole number. */
export const integer = (minimum: number, maximum?: number): Schema => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});

/** A largest number of results; `Infinity` for all. */
export const limit: Schema = {
  minimum: 0,
  holds: (value) => Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY,
  takes: wordsOf(integer(0)),
};

/** A wait in whole milliseconds, no longer than a timer of JavaScript can wait. */
export const wait = (minimum: number): Schema => integer(minimum, 2 ** 31 - 1);

/** The last moment that JavaScript has a date for, in milliseconds since 1970. */
export const lastMoment: number = 8.64e15;

export const time: Schema = {
  type: 'number',
  minimum: 0,
  maximum: lastMoment,
  takes: 'milliseconds since 1970',
};

export const callable: Schema = {
  holds: (value) => typeof value === 'function',
  takes: 'a function',
};

/** An `AbortSignal`, of whatever make. */
export const signal: Schema = {
  holds: (value) => {
    const { aborted, throwIfAborted, addEventListener } = Object(value) as Fields;
    return (
      typeof aborted === 'boolean' &&
      typeof throwIfAborted === 'function' &&
      typeof addEventListener === 'function'
    );
  },
  takes: 'an AbortSignal',
};
