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
    const found = fieldOf(value, field);
    if (typeof found === 'number' && found > 0) return found;
  }
  return null;
}

/** The texts in a field that lists them. */
export function textsIn(value: unknown, field: string): readonly string[] {
  const found = fieldOf(value, field);
  return Array.isArray(found) ? found.filter((word) => typeof word === 'string') : [];
}
