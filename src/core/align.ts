import { forkOf, type ForkManner } from './fork.ts';
import type { InPlace } from './in-place.ts';
import { isShort, type Line, type Logged } from './line.ts';
import { beginning, commonOf, overlap, type Pairs } from './patience.ts';
import { standingIn, type Anchors, type Standing } from './standing.ts';

// A host keeps a list of messages of its own, and changes it behind our back. Beside
// the log it says what became of each entry:
//
//   log    e1 e2 e3 e4 e5 e6 e7         log    e1 e2 e3 e4 e5
//   list            e4 e5 e6 e7 +       list   e1 e2 e3~e4 e5      e3 cleared or shortened
//          └ lost ┘             new     list   e1 e2 e3 +          e4 e5: another way taken
//
// First it is compared with what the host had, then what is left over with the
// rest of the log, and what is then left over is new.

/** What became of a host's list, in the word that fits best. */
export type Manner =
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
export interface Alignment extends Omit<InPlace, 'taken'> {
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
  /** The first entry of the way that was left. */
  readonly forkedAt: number | null;
  /** Entries after it that the list has all the same. */
  readonly kept: readonly number[];
}

/** What became of a list that was the log without what was `gone` before. */
export function align(
  log: readonly Logged[],
  list: readonly Line[],
  gone: ReadonlySet<number> = new Set(),
): Alignment {
  const present = log.filter(({ n }) => !gone.has(n));
  const anchors = anchorsOf({ log, present }, list);
  const { taken: _, whole, last, fresh, inside, ...forms } = standingIn(log, list, anchors);
  const changed = new Set(Object.values(forms).flat());
  const lacking = log.flatMap(({ n }) => (whole.has(n) ? [] : [n]));
  const news = (positions: readonly number[]): readonly number[] =>
    positions.filter((n) => !gone.has(n));
  const lost = news(lacking);
  const dropped = lost.filter((n) => !changed.has(n));
  const inPlace = {
    cleared: news(forms.cleared),
    shortened: news(forms.shortened),
    edited: news(forms.edited),
  };
  const base = { ...inPlace, fresh, inside };
  const left = new Set(dropped.filter((n) => n > last));
  const manner = partingOf({ log, list, left, dropped, anchors, fresh, inside });
  if (manner !== null) {
    const stays = (n: number): boolean => !left.has(n);
    const rest = { lost: lost.filter(stays), gone: lacking.filter(stays) };
    const forkedAt = log.find(({ n }) => left.has(n))!.n;
    const kept = [...whole].filter((n) => n > forkedAt);
    return { ...base, ...rest, relation: 'fork', manner, forkedAt, kept };
  }
  const relation = lost.length > 0 ? 'cut' : fresh.length > 0 ? 'append' : 'same';
  const cut = (): Manner =>
    dropped.length > 0 ? dropOf(dropped, { whole, present }) : formOf(inPlace);
  return {
    ...base,
    lost,
    gone: lacking,
    relation,
    manner: relation === 'cut' ? cut() : relation,
    forkedAt: null,
    kept: [],
  };
}

/** What both have of what the host had, or all that both have where the list begins as the log does for longer; one message may be said again. */
function anchorsOf(
  { log, present }: Record<'log' | 'present', readonly Logged[]>,
  list: readonly Line[],
): Anchors {
  const common = pairsOf(present, list).map(([at, index]) => [present[at]!.n, index] as const);
  const begun = beginning(log, list);
  if (begun < 2 || begun <= common.length) return common;
  return commonOf(log, list).map(([at, index]) => [log[at]!.n, index] as const);
}

/** So many messages that both have tell that another way was taken, although the head is gone, too. */
const telling = 3;

interface Ends extends Pick<Alignment, 'fresh' | 'inside'> {
  readonly log: readonly Logged[];
  readonly list: readonly Line[];
  readonly anchors: Anchors;
  readonly dropped: readonly number[];
  /** Those of them that come after all that both have. */
  readonly left: ReadonlySet<number>;
}

/** Which other way was taken at the end; null where something in the middle changed, too. */
function partingOf({ log, list, anchors, dropped, left, fresh, inside }: Ends): ForkManner | null {
  const common = list.length - fresh.length;
  const ahead = new Set(inside);
  const after = fresh.filter((index) => !ahead.has(index));
  const [first = [0, 0]] = anchors;
  const isHead =
    dropped.every((n) => left.has(n) || n < first[0]) && inside.every((index) => index < first[1]);
  const isWhole = left.size === dropped.length && inside.length === 0;
  if (!isWhole && !(isHead && common >= telling && after.length > 0)) return null;
  return forkOf({
    left: log.filter(({ n }) => left.has(n)),
    fresh: after.map((index) => list[index]!),
    common,
    isFirstTurn: log.filter(({ human }) => human).length === 1,
  });
}

/** What the host still has, in order; where the log repeats itself, the newest of it. */
function pairsOf(present: readonly Logged[], list: readonly Line[]): Pairs {
  const begun = beginning(present, list);
  const isPrompt = begun > 0 && present[begun]?.human === true && list[begun]?.human === true;
  const common = commonOf(present, list);
  const after = common.slice(begun).map(([at]) => present[at]!);
  if (isPrompt && isLastTurn(present, begun) && isLastTurn(list, begun) && after.every(isShort))
    return common.slice(0, begun);
  const kept = overlap(present, list);
  if (kept < common.length || (isPrompt && kept === begun)) return common;
  return Array.from({ length: kept }, (_, at) => [present.length - kept + at, at] as const);
}

/** Whether the prompt at `at` is the last one. */
function isLastTurn(lines: readonly Line[], at: number): boolean {
  return lines.findLastIndex(({ human }) => human) === at;
}

function dropOf(
  dropped: readonly number[],
  { whole, present }: Pick<Standing, 'whole'> & { readonly present: readonly Logged[] },
): Manner {
  const kept = present.filter(({ n }) => whole.has(n));
  if (kept.length <= 1 && dropped.length > 1) return 'restart';
  return kept[0] !== undefined && kept[0].n < dropped[0]! ? 'middle' : 'head';
}

function formOf({ cleared, shortened }: Omit<InPlace, 'taken'>): Manner {
  if (cleared.length > 0) return 'cleared';
  return shortened.length > 0 ? 'shortened' : 'edited';
}
