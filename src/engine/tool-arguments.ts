import { clip } from '../core/sentence.ts';
import type { ToolSpec } from '../core/tool.ts';

/** A schema as far as the tools of a session use it. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** What a model gave, checked against the schema; or what is wrong with it, in words for the model. */
export type Read =
  | { readonly given: Readonly<Record<string, unknown>> }
  | { readonly wrong: string };

/** Longest value or name that is told back, in characters. */
const longest = 60;

/**
 * Reads the arguments of a call: an object, or its JSON as a text. A field that
 * is null counts as left out.
 */
export function readArguments(spec: ToolSpec, value: unknown): Read {
  const given = typeof value === 'string' ? parsed(value) : (value ?? {});
  const fault = faultIn(given, spec.parameters, '');
  if (fault === null) return { given: present(given as object) };
  return { wrong: `Wrong arguments: ${fault}. ${spec.name} takes ${signature(spec.parameters)}` };
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return text;
  }
}

/** The first thing that is wrong; null if nothing is. */
function faultIn(value: unknown, schema: Schema, at: string): string | null {
  const { type = 'object' } = schema;
  if (!isOf(type, value)) {
    const whole = at === '' ? 'they are' : `"${at}" is`;
    return `${whole} ${shown(value)}, not ${nouns[type] ?? type}`;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value as string))
    return `"${at}" is ${shown(value)}, not one of ${schema.enum.join(', ')}`;
  if (type === 'array') return faultInList(value as readonly unknown[], schema, at);
  return type === 'object' ? faultInObject(value as object, schema, at) : null;
}

function faultInList(list: readonly unknown[], { items = {} }: Schema, at: string): string | null {
  for (const [index, item] of list.entries()) {
    const fault = faultIn(item, items, `${at}[${index}]`);
    if (fault !== null) return fault;
  }
  return null;
}

function faultInObject(value: object, schema: Schema, at: string): string | null {
  const { properties = {}, required = [] } = schema;
  const given = present(value);
  const inside = (name: string): string => (at === '' ? name : `${at}.${name}`);
  for (const name of required)
    if (!Object.hasOwn(given, name)) return `"${inside(name)}" is missing`;
  for (const [name, field] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) return `"${clip(inside(name), longest)}" is not known`;
    const fault = faultIn(field, properties[name]!, inside(name));
    if (fault !== null) return fault;
  }
  return null;
}

const nouns: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  integer: 'a whole number from 0',
  boolean: 'true or false',
};

function isOf(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isSafeInteger(value) && (value as number) >= 0;
  return typeof value === type;
}

/** The fields that are there. */
function present(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== null && field !== undefined),
  );
}

/** The fields of an object on one line: `{ title, criteria, parent? }`. */
function signature({ properties = {}, required = [] }: Schema): string {
  const names = Object.keys(properties);
  if (names.length === 0) return 'none';
  return `{ ${names.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ')} }`;
}

/** A value as JSON; its kind where there is no JSON of it. */
function shown(value: unknown): string {
  try {
    return clip(JSON.stringify(value) ?? typeof value, longest);
  } catch {
    return typeof value;
  }
}
