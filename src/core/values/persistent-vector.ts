// A growing list as a value. Changing one of ten thousand members must not copy
// the other 9,999, and the old list must stay readable: the members lie in
// chunks of 32, the chunks in one array, and a change copies one chunk and that
// array (313 references for ten thousand members).

const bits = 5;
const width = 1 << bits;

/** A persistent list: `set` and `push` give a new one and leave the old as it was. */
export interface PersistentVector<T> {
  readonly length: number;
  readonly chunks: readonly (readonly T[])[];
}

/** The list without members. */
export function emptyVector<T>(): PersistentVector<T> {
  return { length: 0, chunks: [] };
}

/** A list of these members. */
export function vectorOf<T>(members: readonly T[]): PersistentVector<T> {
  const chunks: T[][] = [];
  for (let start = 0; start < members.length; start += width)
    chunks.push(members.slice(start, start + width));
  return { length: members.length, chunks };
}

/** The member at `index`, or undefined outside the list. */
export function at<T>(vector: PersistentVector<T>, index: number): T | undefined {
  return vector.chunks[index >> bits]?.[index & (width - 1)];
}

/** The list with `member` added at its end. */
export function push<T>(vector: PersistentVector<T>, member: T): PersistentVector<T> {
  const chunks = vector.chunks.slice();
  const last = vector.length >> bits;
  chunks[last] = [...(chunks[last] ?? []), member];
  return { length: vector.length + 1, chunks };
}

/** The list with `member` in place of the one at `index`, which must be in it. */
export function set<T>(vector: PersistentVector<T>, index: number, member: T): PersistentVector<T> {
  const chunk = vector.chunks[index >> bits]!.with(index & (width - 1), member);
  return { length: vector.length, chunks: vector.chunks.with(index >> bits, chunk) };
}

/** The list with the members of `changes` in place of the old ones. */
export function setAll<T>(
  vector: PersistentVector<T>,
  changes: ReadonlyMap<number, T>,
): PersistentVector<T> {
  const chunks: (readonly T[])[] = vector.chunks.slice();
  const copied = new Set<number>();
  for (const [index, member] of changes) {
    const chunk = index >> bits;
    if (!copied.has(chunk)) {
      chunks[chunk] = (chunks[chunk] ?? []).slice();
      copied.add(chunk);
    }
    (chunks[chunk] as T[])[index & (width - 1)] = member;
  }
  return { length: vector.length, chunks };
}

/** The members in order. */
export function members<T>(vector: PersistentVector<T>): readonly T[] {
  return vector.chunks.flat();
}
