import { isObject } from '../values/json.ts';
import {
  checkArgument,
  faultIn,
  isNonEmptyText,
  listOf,
  nonEmptyText,
  signatureOf,
  text,
  type Schema,
} from '../values/validation.ts';

/** A JSON schema, as a model reads it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The description of a tool for a model. */
export interface ToolSpec {
  readonly name: string;
  /** Its purpose and when to use it, in words for the model. */
  readonly description: string;
  /** Schema of its arguments, an object. */
  readonly parameters: JsonSchema;
}

/** What a program adds to a tool, such as what runs it, is taken. */
const spec: Schema = {
  type: 'object',
  properties: { name: nonEmptyText(), description: text, parameters: { type: 'object' } },
  required: ['name', 'description', 'parameters'],
};

const takes = `${signatureOf(spec)}, of which the spelling of a server is made`;

const given: Schema = {
  properties: {
    tools: listOf({ holds: (tool) => faultIn(tool, spec) === null, takes }, `a list of ${takes}`),
  },
};

/** The tools of a request, checked, none unless told: a server would be sent nameless ones. Throws `OPTION_INVALID`. */
export function toolsIn(options: { readonly tools?: readonly ToolSpec[] }): readonly ToolSpec[] {
  checkArgument('options', options, given);
  return options.tools ?? [];
}

/** The tool schemas given to `assemble`, by their digest. */
export interface Tools {
  /** Identifies the schemas; '' for none. */
  readonly digest: string;
  readonly tokens: number;
  /** Whether `recall` is one of them, under whatever prefix a host gives its tools. */
  readonly recall: boolean;
}

/** The tools of a request without any. */
export const noTools: Tools = { digest: '', tokens: 0, recall: false };

/** A tool in a server's spelling; one that the server runs itself may have a type alone, or stand alone in an object. */
export const spelledTool: Schema = {
  holds: isSpelledTool,
  takes: 'a tool with a name, as servers spell it: { name, … } or { function: { name, … } }',
};

function isSpelledTool(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, function: inner } = schema as SpelledSchema;
  const values = Object.values(schema);
  if ([schema, ...values.filter(isObject)].some(hasName)) return true;
  if (type === 'function' || inner !== undefined) return false;
  return isNonEmptyText(type) || (values.length === 1 && Object(values[0]) === values[0]);
}

/** Whether a field such as `name` or `toolName` holds one. */
const hasName = (fields: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(fields).some(([field, value]) => /name$/i.test(field) && isNonEmptyText(value));

/** Whether the schemas of a request, in a server's spelling, offer `recall`. */
export function offersRecall(schemas: readonly unknown[]): boolean {
  return schemas.some((schema) => {
    const { name, function: inner } = Object(schema) as SpelledSchema;
    return /(?:^|[^a-z])recall$/i.test(String(name ?? inner?.name));
  });
}

/** A schema as servers spell it: its name at the top, or within `function`. */
interface SpelledSchema {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly function?: { readonly name?: unknown };
}
