import type { Line } from './line.ts';

// What two lists have in common is found by what stands only once in each, in
// order (a patience diff), and grown from there.

/** Positions of lines that two lists have in common, ascending in both. */
export type Pairs = readonly (readonly [logged: number, listed: number])[];

/** Positions, the first inside and the last outside. */
export type Range = readonly [from: number, to: number];

interface Matching {
  readonly log: readonly Line[];
  readonly list: readonly Line[];
  readonly found: (readonly [number, number])[];
}

/** Positions of lines that both have, in order. */
export function commonOf(
  log: readonly Line[],
  list: readonly Line[],
  [inLog, inList]: readonly [Range, Range] = [
    [0, log.length],
    [0, list.length],
  ],
): Pairs {
  const found: (readonly [number, number])[] = [];
  match({ log, list, found }, inLog, inList);
  return found.toSorted(([one], [other]) => one - other);
}

/** How many lines both begin with. */
export function beginning(log: readonly Line[], list: readonly Line[]): number {
  let length = 0;
  while (length < log.length && log[length]!.key === list[length]?.key) length += 1;
  return length;
}

/** How many of the last lines of a log a list begins with: what is left where the oldest were dropped. */
export function overlap(log: readonly Line[], list: readonly Line[]): number {
  const lines = [...list, null, ...log.slice(-list.length)];
  const border: number[] = [0];
  for (let at = 1; at < lines.length; at += 1) {
    const key = lines[at]?.key;
    let length = border[at - 1]!;
    while (length > 0 && lines[length]?.key !== key) length = border[length - 1]!;
    border[at] = key !== undefined && lines[length]?.key === key ? length + 1 : 0;
  }
  return list.length === 0 ? 0 : border.at(-1)!;
}

/** Takes what both stretches begin and end with, then looks between what stands once in each. */
function match(matching: Matching, inLog: Range, inList: Range): void {
  const { log, list, found } = matching;
  let [a, endA] = inLog;
  let [b, endB] = inList;
  while (a < endA && b < endB && log[a]!.key === list[b]!.key) found.push([a++, b++]);
  while (a < endA && b < endB && log[endA - 1]!.key === list[endB - 1]!.key)
    found.push([--endA, --endB]);
  if (a === endA || b === endB) return;
  const anchors = anchorsOf(matching, [a, endA], [b, endB]);
  if (anchors.length === 0) {
    greedy(matching, [a, endA], [b, endB]);
    return;
  }
  for (const [atLog, atList] of [...anchors, [endA, endB] as const]) {
    match(matching, [a, atLog], [b, atList]);
    if (atLog < endA) found.push([atLog, atList]);
    [a, b] = [atLog + 1, atList + 1];
  }
}

/** Lines that stand once in each stretch, as many as keep their order. */
function anchorsOf({ log, list }: Matching, inLog: Range, inList: Range): Pairs {
  const once = (lines: readonly Line[], [from, to]: Range): Map<string, number> => {
    const places = new Map<string, number>();
    for (let index = from; index < to; index += 1) {
      const { key } = lines[index]!;
      places.set(key, places.has(key) ? -1 : index);
    }
    return places;
  };
  const listed = once(list, inList);
  const pairs = [...once(log, inLog)].flatMap(([key, at]) => {
    const other = listed.get(key) ?? -1;
    return at < 0 || other < 0 ? [] : [[at, other] as const];
  });
  return rising(pairs);
}

/** The longest run of pairs whose second members rise; their first ones do. */
function rising(pairs: Pairs): Pairs {
  const tails: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, value], index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = index;
  });
  const run: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) run.push(pairs[at]!);
  return run.reverse();
}

/** Pairs of lines that stand more than once, from the end: hosts drop the oldest. */
function greedy({ log, list, found }: Matching, inLog: Range, inList: Range): void {
  const places = new Map<string, number[]>();
  for (let index = inLog[0]; index < inLog[1]; index += 1) {
    const { key } = log[index]!;
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  let before = inLog[1];
  for (let index = inList[1] - 1; index >= inList[0]; index -= 1) {
    const candidates = places.get(list[index]!.key) ?? [];
    while (candidates.length > 0 && candidates.at(-1)! >= before) candidates.pop();
    const at = candidates.pop();
    if (at === undefined) continue;
    found.push([at, index]);
    before = at;
  }
}
