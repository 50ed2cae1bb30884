import { placesOf } from './common-subsequence.ts';
import {
  isInserted,
  isSameMessage,
  type ComparableEntry,
  type ComparableMessage,
} from './comparable-message.ts';

// Entries may stand in a list elsewhere than in the log: a host's summary stands at its
// head, and joined the log when it came; dropped messages come back. People say short
// things twice, so the text alone proves nothing.

/** The entries and messages outside the anchors. */
interface Unmatched {
  /** Ascending. */
  readonly log: readonly ComparableEntry[];
  /** With their indexes in the list, ascending. */
  readonly list: readonly (readonly [index: number, message: ComparableMessage])[];
  /** The last index of the anchors; -1 for none. */
  readonly lastCommon: number;
}

/** So many in a row are no coincidence. */
const enough = 3;

/** An entry that stands elsewhere in a list. */
interface MovedMessage {
  readonly index: number;
  readonly message: ComparableMessage;
  readonly entry: ComparableEntry;
  /** Place of the entry among those that are unmatched. */
  readonly place: number;
}

/** Entries that a list has in another place: index in the list, position in the log. */
export function movedMessages(
  unmatched: Unmatched,
): readonly (readonly [index: number, n: number])[] {
  const matches = matchesIn(unmatched);
  const isReordered =
    matches.length >= enough &&
    matches.length === Math.max(unmatched.log.length, unmatched.list.length);
  const runs = isReordered ? [matches] : runsOf(matches, unmatched.log);
  return runs
    .flatMap((run) => believed(run, unmatched.lastCommon))
    .map(({ index, entry }) => [index, entry.n] as const);
}

/** The whole run where it is long or one of it is certain; else what comes before the last anchor, and so is not new. */
function believed(run: readonly MovedMessage[], lastCommon: number): readonly MovedMessage[] {
  if (run.length >= enough || run.some(({ message, entry }) => isSameMessage(entry, message)))
    return run;
  return run.filter(({ index }) => index < lastCommon);
}

/** Messages and entries of one text: the entry after the last match, else the first one. */
function matchesIn({ log, list }: Unmatched): readonly MovedMessage[] {
  const open = placesOf(log.map(({ hash }) => hash));
  const matches: MovedMessage[] = [];
  for (const [index, message] of list) {
    const places = open.get(message.hash) ?? [];
    const next = places.indexOf((matches.at(-1)?.place ?? -1) + 1);
    const [place] = places.splice(Math.max(0, next), 1);
    if (place !== undefined) matches.push({ index, message, entry: log[place]!, place });
  }
  return matches;
}

/** Matches that are neighbors in both, but for what a host inserted, which joined the log when it came. */
function runsOf(
  matches: readonly MovedMessage[],
  log: readonly ComparableEntry[],
): readonly (readonly MovedMessage[])[] {
  const runs: MovedMessage[][] = [];
  for (const match of matches) {
    const before = runs.at(-1)?.at(-1);
    const isNext =
      before?.index === match.index - 1 &&
      nextPlace(log, before.place, match.place) === match.place;
    if (isNext) runs.at(-1)!.push(match);
    else runs.push([match]);
  }
  return runs;
}

/** The first place after `before` of what a host did not insert, up to `limit`. */
function nextPlace(log: readonly ComparableEntry[], before: number, limit: number): number {
  let place = before + 1;
  while (place < limit && isInserted(log[place]!)) place += 1;
  return place;
}
