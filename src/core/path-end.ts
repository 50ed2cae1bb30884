/** Of paths that are the end of one other only, that one: the same file, said shorter. */
export function wholePaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const ends = new Map<string, Set<string>>();
  for (const one of new Set(paths))
    for (let at = one.indexOf('/'); at >= 0; at = one.indexOf('/', at + 1)) {
      const end = one.slice(at + 1);
      ends.set(end, (ends.get(end) ?? new Set()).add(one));
    }
  const longestOf = (one: string): string => {
    const longer = [...(ends.get(one) ?? [])];
    const most = longer.toSorted((a, b) => b.length - a.length)[0];
    return most !== undefined && longer.every((other) => most.endsWith(other)) ? most : one;
  };
  return new Map(paths.map((one) => [one, longestOf(one)]));
}
