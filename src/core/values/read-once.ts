/** What `read` makes of a value, read once and kept as long as the value is. */
export function readOnce<K extends object, V>(read: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { readonly read: V }>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.read;
    const made = read(of);
    known.set(of, { read: made });
    return made;
  };
}
