import { isCleared, isSame, type Line, type Logged } from './line.ts';

// Entries may stand in a list elsewhere than in the log: a host takes dropped ones
// back, puts them in another order, or keeps its own summary at the head, which
// was appended here when it came. People say short things twice, and a prompt
// that is said again is no old one; so there must be more to it than the words.
// A result may have given way to a marker meanwhile: it is told by its call.

/** What is left of both once all that stands in order is set aside. */
export interface Leftover {
  /** Ascending. */
  readonly log: readonly Logged[];
  /** With their indexes in the list, ascending. */
  readonly list: readonly (readonly [index: number, line: Line])[];
  /** The last index that stands before something that both have; -1 for none. */
  readonly lastInside: number;
}

/** So many in a row are no coincidence. */
const telling = 3;

/** An entry that stands elsewhere in a list. */
export interface Match {
  readonly index: number;
  readonly line: Line;
  readonly entry: Logged;
  /** Place of the entry among those that are left over. */
  readonly place: number;
  /** Whether it stands there as it was said. */
  readonly whole: boolean;
}

/** Entries that stand in the list elsewhere. */
export function movedIn(leftover: Leftover): readonly Match[] {
  const matches = matchesIn(leftover);
  const { log, list, lastInside } = leftover;
  const isWhole = matches.length === Math.max(log.length, list.length);
  const isPrompt = matches.at(-1)?.line.human ?? true;
  const isShuffled = isWhole && matches.length >= (isPrompt ? telling : 2);
  return isShuffled ? matches : runsOf(matches).flatMap((run) => trusted(run, lastInside));
}

/** Those of a run to be believed: all where one is certain or they are many, else those that no prompt can be. */
function trusted(run: readonly Match[], lastInside: number): readonly Match[] {
  if (run.length >= telling || run.some(({ line, entry }) => isSame(entry, line))) return run;
  return run.filter(({ index, whole }) => whole && index < lastInside);
}

/** Lines of one text, the first with the first; and results that are less than they were, by their calls. */
function matchesIn({ log, list }: Leftover): readonly Match[] {
  const places = new Map<string, number[]>();
  log.forEach(({ hash }, place) => {
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [place]);
    else known.push(place);
  });
  const matches: Match[] = [];
  const met = new Set<number>();
  for (const [index, line] of list) {
    const open = places.get(line.hash) ?? [];
    const before = matches.at(-1);
    const next = open.indexOf((before?.place ?? -1) + 1);
    const [found] = open.splice(Math.max(0, next), 1);
    const isNext = before?.index === index - 1;
    const place = found ?? (isNext ? lessAfter(log, line, before.place) : undefined);
    if (place === undefined || met.has(place)) continue;
    met.add(place);
    matches.push({ index, line, entry: log[place]!, place, whole: found !== undefined });
  }
  return matches;
}

/** The place after this one, where the very next entry is a result that is less in the list. */
function lessAfter(log: readonly Logged[], line: Line, before: number): number | undefined {
  const entry = log[before + 1];
  if (entry?.n !== log[before]!.n + 1 || entry.call !== line.call) return undefined;
  return isCleared(line, entry) ? before + 1 : undefined;
}

/** Matches that are neighbors in both. */
function runsOf(matches: readonly Match[]): readonly (readonly Match[])[] {
  const runs: Match[][] = [];
  for (const match of matches) {
    const before = runs.at(-1)?.at(-1);
    const isNext = before?.index === match.index - 1 && before.place === match.place - 1;
    if (isNext) runs.at(-1)!.push(match);
    else runs.push([match]);
  }
  return runs;
}
