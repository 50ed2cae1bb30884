import type { NamesOfKind } from './wire.ts';

/** The names that have a text in them, of each kind the first so many that all of them are at most `most`; and how many there are. */
export function namesWith(
  kinds: readonly NamesOfKind[],
  text: string,
  most: number,
): { readonly visible: readonly NamesOfKind[]; readonly count: number } {
  const wanted = text.trim().toLowerCase();
  const matches = kinds
    .map(({ kind, names }) => ({
      kind,
      names: names.filter((name) => name.toLowerCase().includes(wanted)),
    }))
    .filter(({ names }) => names.length > 0);
  // What small kinds leave of their share goes to the larger ones.
  let room = most;
  const shares = new Map(
    matches
      .toSorted((one, other) => one.names.length - other.names.length)
      .map(({ kind, names }, index) => {
        const share = Math.min(names.length, Math.floor(room / (matches.length - index)));
        room -= share;
        return [kind, share] as const;
      }),
  );
  return {
    visible: matches.map(({ kind, names }) => ({ kind, names: names.slice(0, shares.get(kind)) })),
    count: matches.reduce((sum, { names }) => sum + names.length, 0),
  };
}
