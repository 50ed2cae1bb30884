import {
  faultIn,
  readableValue,
  signatureOf,
  wordsOf,
  type Fault,
  type Schema,
} from '../../core/values/validation.ts';
import { clip } from '../../core/text/sentences.ts';

/** The arguments of a call, or what is wrong with them, in words for the model. */
type ReadArguments =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly wrong: string };

/** Longest value or name that is quoted, in characters. */
const longest = 60;

/**
 * Reads the arguments of a call: an object, or its JSON as a text. A field that
 * is null counts as left out.
 */
export function readArguments(
  { name, parameters }: { readonly name: string; readonly parameters: Schema },
  value: unknown,
): ReadArguments {
  const values = withoutNulls(
    typeof value === 'string' ? parsed(value) : (value ?? {}),
    parameters,
  );
  const fault = faultIn(values, parameters);
  if (fault === null) return { values: values as Readonly<Record<string, unknown>> };
  return { wrong: `Wrong arguments: ${describe(fault)}. ${name} takes ${signatureOf(parameters)}` };
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return text;
  }
}

/** A value without the fields that are null, as deep as its schema goes. */
function withoutNulls(value: unknown, { items, properties }: Schema): unknown {
  if (items !== undefined && Array.isArray(value))
    return value.map((one) => withoutNulls(one, items));
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      Object.hasOwn(properties, name) ? withoutNulls(field, properties[name]!) : field,
    ]),
  );
}

function describe(fault: Fault): string {
  if ('known' in fault) return `"${clip(fault.at, longest)}" is not known`;
  const { at, value, schema } = fault;
  if (value === undefined) return `"${at}" is missing`;
  return `${at === '' ? 'they are' : `"${at}" is`} ${clip(readableValue(value), longest)}, not ${wordsOf(schema)}`;
}
