import {
  rewrittenMessages,
  type UnmatchedStretch,
  type RewrittenEntries,
} from './rewritten-messages.ts';
import type { ComparableEntry, ComparableMessage } from './comparable-message.ts';
import { movedMessages } from './moved-messages.ts';

/** What of a log is still in a list; positions count as the log does, indexes of the list from 0. */
export interface SurvivingEntries extends RewrittenEntries {
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

/** What is left of a log in a list, given what both have in order. */
export function survivingEntries(
  log: readonly ComparableEntry[],
  list: readonly ComparableMessage[],
  anchors: Anchors,
): SurvivingEntries {
  const [last, lastCommon] = anchors.at(-1) ?? [0, -1];
  const found = new Map(anchors.map(([n, index]) => [index, n]));
  const inOrder = new Set(found.values());
  const unmatched = {
    log: log.filter(({ n }) => !inOrder.has(n)),
    list: [...list.entries()].filter(([index]) => !found.has(index)),
    lastCommon,
  };
  for (const [index, n] of movedMessages(unmatched)) found.set(index, n);
  const whole = new Set(found.values());
  const gaps = gapsIn(log, list, anchors).map((gap) => ({
    ...gap,
    log: gap.log.filter(({ n }) => !whole.has(n)),
    list: gap.list.filter(([index]) => !found.has(index)),
  }));
  const { known, ...rewritten } = rewrittenMessages(gaps);
  const fresh = [...list.keys()].filter((index) => !found.has(index) && !known.has(index));
  const inside = fresh.filter((index) => index < lastCommon);
  return { ...rewritten, whole, last, fresh, inside };
}

/** What stands between those that both have in order. */
function gapsIn(
  log: readonly ComparableEntry[],
  list: readonly ComparableMessage[],
  anchors: Anchors,
): readonly UnmatchedStretch[] {
  const places = new Map(log.map(({ n }, place) => [n, place]));
  const listed = [...list.entries()];
  let [fromLog, fromList] = [0, 0];
  return [...anchors, null].map((end) => {
    const [toLog, toList] =
      end === null ? [log.length, list.length] : [places.get(end[0])!, end[1]];
    const gap: UnmatchedStretch = {
      log: log.slice(fromLog, toLog),
      list: listed.slice(fromList, toList),
      isFirst: fromLog === 0 && fromList === 0,
      isLast: end === null,
    };
    [fromLog, fromList] = [toLog + 1, toList + 1];
    return gap;
  });
}
