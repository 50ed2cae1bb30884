/** Ids in order as ranges of those in a row. */
export function rangesOf(ids: readonly string[]): readonly string[] {
  const runs: [number, number][] = [];
  for (const id of ids) {
    const n = Number(id.slice(1));
    const last = runs.at(-1);
    if (last !== undefined && last[1] + 1 === n) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([first, last]) => (first === last ? `e${first}` : `e${first}-e${last}`));
}
