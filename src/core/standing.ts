import { inPlaceIn, type Gap, type InPlace } from './in-place.ts';
import type { Line, Logged } from './line.ts';
import { movedIn } from './moved.ts';
import { commonOf } from './patience.ts';

/** What of a log stands in a list; positions count as the log does, indexes of the list from 0. */
export interface Standing extends InPlace {
  /** Entries that stand in it whole. */
  readonly whole: ReadonlySet<number>;
  /** The last of them in order; 0 for none. */
  readonly last: number;
  /** Indexes of messages that the log does not have. */
  readonly fresh: readonly number[];
  /** Those of them that stand before something that both have in order. */
  readonly inside: readonly number[];
}

/** What both have in order: positions of the log, indexes of the list. */
export type Anchors = readonly (readonly [n: number, index: number])[];

/** What stands in a list, given what both have in order of what the list had before. */
export function standingIn(
  log: readonly Logged[],
  list: readonly Line[],
  anchors: Anchors,
): Standing {
  const back = gapsIn(log, list, anchors).flatMap(takenBack);
  const order = [...anchors, ...back];
  const whole = new Map(order.map(([n, index]) => [index, n]));
  const lastInside = anchors.at(-1)?.[1] ?? -1;
  const isThere = new Set(whole.values());
  const leftover = {
    log: log.filter(({ n }) => !isThere.has(n)),
    list: list.flatMap((line, index) => (whole.has(index) ? [] : [[index, line] as const])),
    lastInside,
  };
  const moved = movedIn(leftover);
  const less = moved.filter((match) => !match.whole);
  for (const { index, entry } of moved) whole.set(index, entry.n);
  const met = new Set(whole.values());
  const gaps = gapsIn(log, list, anchors).map((gap) => ({
    ...gap,
    log: gap.log.filter(({ n }) => !met.has(n)),
    list: gap.list.filter(([index]) => !whole.has(index)),
  }));
  for (const { index } of less) whole.delete(index);
  const inPlace = inPlaceIn(gaps, less);
  const found = new Set(whole.values());
  const isKnown = (index: number): boolean => whole.has(index) || inPlace.taken.has(index);
  const fresh = list.flatMap((_, index) => (isKnown(index) ? [] : [index]));
  const inside = fresh.filter((index) => index < lastInside);
  return { ...inPlace, whole: found, last: anchors.at(-1)?.[0] ?? 0, fresh, inside };
}

/** Entries that the list lacked before and has again, between two that it always had. */
function takenBack({ log, list, isLast }: Gap): Anchors {
  if (isLast) return [];
  const lines = list.map(([, line]) => line);
  return commonOf(log, lines).map(([at, place]) => [log[at]!.n, list[place]![0]] as const);
}

/** What stands between those that both have in order. */
function gapsIn(log: readonly Logged[], list: readonly Line[], anchors: Anchors): readonly Gap[] {
  const places = new Map(log.map(({ n }, place) => [n, place]));
  const ends = [...anchors, null];
  let [fromLog, fromList] = [0, 0];
  return ends.map((end) => {
    const toLog = end === null ? log.length : places.get(end[0])!;
    const toList = end === null ? list.length : end[1];
    const gap: Gap = {
      log: log.slice(fromLog, toLog),
      list: list.slice(fromList, toList).map((line, at) => [fromList + at, line] as const),
      isFirst: fromLog === 0 && fromList === 0,
      isLast: end === null,
    };
    [fromLog, fromList] = [toLog + 1, toList + 1];
    return gap;
  });
}
