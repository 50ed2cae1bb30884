/** The first place where two values, written as JSON, are not the same. */
export interface JsonDifference {
  /** `a.b[2]`; empty for the whole value. */
  readonly path: string;
  /** Undefined where there is nothing; so is `other`. */
  readonly one: unknown;
  readonly other: unknown;
}

/** Where two JSON values first differ, the order of their fields included; null where they are the same, byte for byte. */
export function firstDifference(one: unknown, other: unknown, path = ''): JsonDifference | null {
  const texts = [one, other].map((value) => JSON.stringify(value));
  if (texts[0] === texts[1]) return null;
  if (!isBranch(one) || !isBranch(other) || Array.isArray(one) !== Array.isArray(other))
    return { path, one, other };
  const [fields, others] = [fieldsOf(one), fieldsOf(other)];
  for (const field of new Set([...Object.keys(fields), ...Object.keys(others)])) {
    const below = pathTo(path, field, Array.isArray(one));
    const difference = firstDifference(fields[field], others[field], below);
    if (difference !== null) return difference;
  }
  return { path, one: Object.keys(fields), other: Object.keys(others) };
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The fields that JSON has of a value. */
function fieldsOf(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

function pathTo(path: string, field: string, isList: boolean): string {
  if (isList) return `${path}[${field}]`;
  return path === '' ? field : `${path}.${field}`;
}
