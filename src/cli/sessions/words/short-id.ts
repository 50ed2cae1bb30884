/** Ids up to this length stand whole, in characters. */
const shortEnough = 16;

/** The least that stands of a longer one. */
const leastShown = 8;

/** Names each of these ids by as much of its beginning as no other begins with, so that it can be typed. */
export function shortId(ids: readonly string[]): (id: string) => string {
  let lengths: ReadonlyMap<string, number> | undefined;
  return (id) =>
    id.length <= shortEnough ? id : id.slice(0, (lengths ??= lengthsOf(ids)).get(id));
}

function lengthsOf(ids: readonly string[]): ReadonlyMap<string, number> {
  const sorted = [...ids].sort();
  return new Map(
    sorted.map((id, at) => {
      const shared = Math.max(sharedLength(id, sorted[at - 1]), sharedLength(id, sorted[at + 1]));
      return [id, Math.max(leastShown, shared + 1)];
    }),
  );
}

/** How many characters two ids have in common at their beginning. */
function sharedLength(one: string, other = ''): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
