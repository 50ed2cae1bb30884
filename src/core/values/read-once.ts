/** What `read` makes of a value, read once and kept as long as the value is. */
export function readOnce<K extends object, V>(read: (of: K) => V): (of: K) => V {
  const reads = new WeakMap<K, { readonly read: V }>();
  return (of) => {
    const before = reads.get(of);
    if (before !== undefined) return before.read;
    const value = read(of);
    reads.set(of, { read: value });
    return value;
  };
}

/** What `read` makes of a text, kept for the `most` texts that were asked for last: as a rule the same come again soon, or never. */
export function readLately<V extends {}>(
  read: (of: string) => V,
  most: number = 16,
): (of: string) => V {
  const values = new Map<string, V>();
  return (of) => {
    const value = values.get(of) ?? read(of);
    values.delete(of);
    values.set(of, value);
    if (values.size > most) values.delete(values.keys().next().value!);
    return value;
  };
}

/** {@link readLately} for what people and models write: a text that is longer is read each time, and not kept. */
export function readShort<V extends {}>(
  read: (of: string) => V,
  limits: { readonly longest: number; readonly most: number },
): (of: string) => V {
  const lately = readLately(read, limits.most);
  return (of) => (of.length > limits.longest ? read : lately)(of);
}

/** {@link readLately} for what is short and comes again all the time, as words do: all is kept until there is too much of it, then nothing. */
export function readOften<V extends {}>(
  read: (of: string) => V,
  { longest, most }: { readonly longest: number; readonly most: number },
): (of: string) => V {
  const values = new Map<string, V>();
  return (of) => {
    const before = values.get(of);
    if (before !== undefined) return before;
    const own = copied(of);
    const value = read(own);
    if (of.length > longest) return value;
    if (values.size >= most) values.clear();
    values.set(own, value);
    return value;
  };
}

/** A copy of a slice in memory of its own: a slice keeps the whole text alive that it was cut from. */
const copied = (slice: string): string => ` ${slice}`.slice(1);
