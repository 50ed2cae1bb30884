// Readers of JSON of others, whose shape is not to be relied on.

/** The value of JSON; null where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a value is neither a list nor null, but has fields. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a value has under a name; undefined where it has nothing there. */
export const fieldOf = (value: unknown, field: string): unknown =>
  (value as Readonly<Record<string, unknown>> | null | undefined)?.[field];

/** The first of these fields with a number above 0; null where none has one. */
export function firstNumber(value: unknown, fields: readonly string[]): number | null {
  for (const field of fields) {
    const number = fieldOf(value, field);
    if (typeof number === 'number' && number > 0) return number;
  }
  return null;
}

/** The texts in a field that lists them. */
export function textsIn(value: unknown, field: string): readonly string[] {
  const list = fieldOf(value, field);
  return Array.isArray(list) ? list.filter((word) => typeof word === 'string') : [];
}

/** A value that is not as JSON would give it back. */
export interface NotJson {
  /** `context.lines[2]`. */
  readonly path: string;
  /** What it is, in words. */
  readonly is: string;
  readonly value: unknown;
}

/** The first part of a value that JSON cannot hold; null where there is none. A field that is undefined counts as one that is not there. */
export function notJson(value: unknown, path: string): NotJson | null {
  const fault = firstNotJson(value, path, []);
  return fault?.is === tooDeep ? { path, is: tooDeep, value } : fault;
}

/** The deepest that a value is looked into. */
const deepest = 1_000;

const tooDeep = `more than ${deepest} values in one another`;

function firstNotJson(value: unknown, path: string, within: readonly object[]): NotJson | null {
  if (typeof value !== 'object' || value === null) {
    const is = primitiveFault(value);
    return is === null ? null : { path, is, value };
  }
  if (within.includes(value)) return { path, is: 'a part of itself', value };
  if (within.length === deepest) return { path, is: tooDeep, value };
  const inside = [...within, value];
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) {
      const at = `${path}[${index}]`;
      const fault =
        member === undefined
          ? { path: at, is: 'undefined', value: member }
          : firstNotJson(member, at, inside);
      if (fault !== null) return fault;
    }
    return null;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype)
    return {
      path,
      is: `an object of the class ${value.constructor?.name || 'without a name'}`,
      value,
    };
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    const fault = firstNotJson(field, `${path}.${name}`, inside);
    if (fault !== null) return fault;
  }
  return null;
}

/** What a value is that is no object and that JSON cannot hold; null for one that it can. */
function primitiveFault(value: unknown): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : String(value);
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}

/** What JSON cannot write of a value, and where: `meta.size is a bigint`; null where nothing is found. */
export function notWritable(
  value: unknown,
  path: string,
  within: readonly object[] = [],
): string | null {
  if (typeof value === 'bigint') return `${path} is a bigint`;
  if (typeof value !== 'object' || value === null) return null;
  if (within.includes(value)) return `${path} is a part of itself`;
  if (within.length === deepest) return `more than ${deepest} values lie in one another`;
  const inside = [...within, value];
  for (const [name, field] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`;
    const fault = notWritable(field, at, inside);
    if (fault !== null) return fault;
  }
  return null;
}
