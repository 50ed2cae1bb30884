import { commonSubsequence } from './common-subsequence.ts';
import { detectFork, type ForkManner } from './detect-fork.ts';
import type { RewrittenEntries } from './rewritten-messages.ts';
import type { ComparableEntry, ComparableMessage } from './comparable-message.ts';
import { survivingEntries, type Anchors, type SurvivingEntries } from './surviving-entries.ts';

// A host keeps a list of messages of its own, and changes it behind our back. Beside
// the log it says what became of each entry:
//
//   log    e1 e2 e3 e4 e5 e6 e7         log    e1 e2 e3 e4 e5
//   list            e4 e5 e6 e7 +       list   e1 e2 e3~e4 e5      e3 cleared or shortened
//          └ lost ┘             new     list   e1 e2 e3 +          e4 e5: another branch taken
//
// First the list is compared with what the host had the last time, in order, or with all of
// the log where it begins as that did. What is unmatched then may stand elsewhere, or be
// rewritten where it stood. The rest is new.

/** How a host changed its list. */
type Manner =
  | 'same'
  | 'append'
  /** The oldest are gone, or replaced by something else. */
  | 'head'
  /** Some in the middle are. */
  | 'middle'
  /** Results gave way to a marker, where they stood. */
  | 'cleared'
  /** A text lost a part. */
  | 'shortened'
  /** A text is another one. */
  | 'edited'
  /** At most one entry is left. */
  | 'restart'
  | ForkManner;

/** A host's list beside the log; positions count as the log does, indexes of the list from 0. */
export interface Alignment extends RewrittenEntries {
  readonly relation: 'same' | 'append' | 'cut' | 'fork';
  readonly manner: Manner;
  /** Entries that the list lacks or has otherwise, and did not before, ascending. */
  readonly lost: readonly number[];
  /** All that the list lacks or has otherwise, ascending. */
  readonly gone: readonly number[];
  /** Indexes of messages that the log does not have yet. */
  readonly fresh: readonly number[];
  /** Those of them that stand before something that the log has. */
  readonly inside: readonly number[];
  /** The first entry of the abandoned branch. */
  readonly forkedAt: number | null;
  /** Entries after it that the list has all the same. */
  readonly kept: readonly number[];
}

/** Compares a list that was the log without the entries `gone` before. */
export function align(
  log: readonly ComparableEntry[],
  list: readonly ComparableMessage[],
  gone: ReadonlySet<number> = new Set(),
): Alignment {
  const present = log.filter(({ n }) => !gone.has(n));
  const common = commonInOrder(present, list);
  const isResumed = prefixLength(keysOf(log), keysOf(list)) > Math.max(1, common.length);
  const anchors = withReturned(log, list, isResumed ? commonInOrder(log, list) : common);
  const survivors = survivingEntries(log, list, anchors);
  const { whole, last, fresh, inside } = survivors;
  const isNews = (n: number): boolean => !gone.has(n);
  const rewritten = {
    cleared: survivors.cleared.filter(isNews),
    shortened: survivors.shortened.filter(isNews),
    edited: survivors.edited.filter(isNews),
  };
  const base = { ...rewritten, fresh, inside };
  const lacking = log.flatMap(({ n }) => (whole.has(n) ? [] : [n]));
  const lost = lacking.filter(isNews);
  const forms = new Set(Object.values(rewritten).flat());
  const dropped = lost.filter((n) => !forms.has(n));
  const left = new Set(dropped.filter((n) => n > last));
  const fork = forkIn({ log, list, left, dropped, anchors, fresh, inside });
  if (fork !== null) {
    const stays = (n: number): boolean => !left.has(n);
    const rest = { lost: lost.filter(stays), gone: lacking.filter(stays) };
    const forkedAt = log.find(({ n }) => left.has(n))!.n;
    const kept = [...whole].filter((n) => n > forkedAt);
    return { ...base, ...rest, relation: 'fork', manner: fork, forkedAt, kept };
  }
  const rest = { lost, gone: lacking, forkedAt: null, kept: [] };
  if (lost.length === 0) {
    const relation = fresh.length > 0 ? 'append' : 'same';
    return { ...base, ...rest, relation, manner: relation };
  }
  const manner =
    dropped.length > 0 ? dropManner(dropped, { whole, present }) : rewriteManner(rewritten);
  return { ...base, ...rest, relation: 'cut', manner };
}

/** The common prefix and the common subsequence behind it; or the end of the log that the list begins with, where that is no shorter. */
function commonInOrder(
  log: readonly ComparableEntry[],
  list: readonly ComparableMessage[],
): Anchors {
  const [one, other] = [keysOf(log), keysOf(list)];
  const prefix = prefixLength(one, other);
  const behind = commonSubsequence(one.slice(prefix), other.slice(prefix));
  const start = one.findIndex((_, from) => from + prefixLength(one, other, from) === one.length);
  const isEnd = start > 0 && one.length - start >= prefix + behind.length;
  const [from, length] = isEnd ? [start, one.length - start] : [0, prefix];
  const begin = Array.from({ length }, (_, at) => [from + at, at] as const);
  const rest = isEnd ? [] : behind.map(([at, index]) => [prefix + at, prefix + index] as const);
  return [...begin, ...rest].map(([at, index]) => [log[at]!.n, index] as const);
}

/** What both have in order, with the entries that were gone and follow it in both again. */
function withReturned(
  log: readonly ComparableEntry[],
  list: readonly ComparableMessage[],
  anchors: Anchors,
): Anchors {
  const places = new Map(log.map(({ n }, place) => [n, place]));
  const [entries, indexes] = [0, 1].map((side) => new Set(anchors.map((pair) => pair[side]!)));
  return anchors.flatMap(([n, index]) => {
    const run = [[n, index] as const];
    for (let by = 1; ; by += 1) {
      const entry = log[places.get(n)! + by];
      if (entry === undefined || entry.key !== list[index + by]?.key) return run;
      if (entries!.has(entry.n) || indexes!.has(index + by)) return run;
      run.push([entry.n, index + by]);
    }
  });
}

const keysOf = (messages: readonly ComparableMessage[]): readonly string[] =>
  messages.map(({ key }) => key);

/** Length of the common prefix of `other` and of `one` from an index on. */
function prefixLength(one: readonly string[], other: readonly string[], from = 0): number {
  let length = 0;
  while (from + length < one.length && one[from + length] === other[length]) length += 1;
  return length;
}

/** Fewest common messages that show another branch although the head is gone, too. */
const enough = 3;

/** What {@link forkIn} looks at. */
interface Comparison extends Pick<Alignment, 'fresh' | 'inside'> {
  readonly log: readonly ComparableEntry[];
  readonly list: readonly ComparableMessage[];
  readonly anchors: Anchors;
  readonly dropped: readonly number[];
  /** Those of them after the last anchor. */
  readonly left: ReadonlySet<number>;
}

/** How another branch was taken at the end; null where something in the middle changed, too. */
function forkIn({
  log,
  list,
  anchors,
  dropped,
  left,
  fresh,
  inside,
}: Comparison): ForkManner | null {
  const common = list.length - fresh.length;
  const ahead = new Set(inside);
  const after = fresh.filter((index) => !ahead.has(index));
  const [first = [0, 0]] = anchors;
  const isWhole = left.size === dropped.length && inside.length === 0;
  const isHeadGone =
    dropped.every((n) => left.has(n) || n < first[0]) && inside.every((index) => index < first[1]);
  if (!isWhole && !(isHeadGone && common >= enough && after.length > 0)) return null;
  return detectFork({
    left: log.filter(({ n }) => left.has(n)),
    fresh: after.map((index) => list[index]!),
    common,
    isFirstTurn: log.filter(({ human }) => human).length === 1,
  });
}

function dropManner(
  dropped: readonly number[],
  {
    whole,
    present,
  }: Pick<SurvivingEntries, 'whole'> & { readonly present: readonly ComparableEntry[] },
): Manner {
  const kept = present.filter(({ n }) => whole.has(n));
  if (kept.length <= 1 && dropped.length > 1) return 'restart';
  return kept[0] !== undefined && kept[0].n < dropped[0]! ? 'middle' : 'head';
}

function rewriteManner({ cleared, shortened }: RewrittenEntries): Manner {
  if (cleared.length > 0) return 'cleared';
  return shortened.length > 0 ? 'shortened' : 'edited';
}
