import type { Name } from './ledger.ts';

// A feed finds some hundred names among thousands, and ranks them all. To go
// through thousands of objects for that takes longer than everything else in it:
// where each name stands and what it is worth is kept beside the newest ledger
// in a register, and handed on to the next one. A ledger without a register (an
// old one, one that was loaded) is gone through once. Nothing depends on it but
// the time.

/** Where the names of a list stand, and what their values are made of. */
export interface Register {
  readonly index: Map<string, number>;
  readonly score: number[];
  /** Number of the last feed that held it. */
  readonly at: number[];
  readonly feeds: number[];
}

/** The register of a list of names. */
export function registerOf(names: readonly Name[]): Register {
  const register: Register = { index: new Map(), score: [], at: [], feeds: [] };
  names.forEach((name, index) => {
    enter(register, index, name);
  });
  return register;
}

/** Enters a name at `index`: that of a name with the same key, or the next one. */
export function enter(register: Register, index: number, name: Name): void {
  register.index.set(name.name, index);
  register.score[index] = name.score;
  register.at[index] = name.at;
  register.feeds[index] = name.feeds;
}

/** Takes the name at `index` out of both: the last of all stands there from now on. */
export function remove(register: Register, names: Name[], index: number): void {
  register.index.delete(names[index]!.name);
  const last = names.pop()!;
  for (const column of [register.score, register.at, register.feeds]) column.pop();
  if (index === names.length) return;
  names[index] = last;
  enter(register, index, last);
}
