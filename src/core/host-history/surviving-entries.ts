import {
  rewrittenMessages,
  type UnmatchedStretch,
  type RewrittenEntries,
} from './rewritten-messages.ts';
import type { ComparableEntry, ComparableMessage } from './comparable-message.ts';
import { movedMessages } from './moved-messages.ts';

/** What a list still has of a log; positions count as the log does, indexes of the list from 0. */
export interface SurvivingEntries extends RewrittenEntries {
  /** Entries that it has unchanged. */
  readonly whole: ReadonlySet<number>;
  /** The last entry of the anchors; 0 for none. */
  readonly last: number;
  /** Indexes of messages that the log does not have. */
  readonly fresh: readonly number[];
  /** Those of them before the last anchor. */
  readonly inside: readonly number[];
}

/** The messages that log and list have in the same order: position in the log, index in the list. */
export type Anchors = readonly (readonly [n: number, index: number])[];

/** What a list still has of a log: the anchors, and moved or rewritten messages between them. */
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

/** The stretches before, between and after the anchors. */
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
