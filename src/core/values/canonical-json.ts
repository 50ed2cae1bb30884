/** The JSON of a value with the fields of every object in one order; undefined for what JSON cannot hold. */
export function canonicalJson(value: unknown): string | undefined {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}
