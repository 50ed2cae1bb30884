import { align, type Alignment } from '../core/align.ts';
import { entryId } from '../core/id.ts';
import { isSame, type ComparableMessage, type ComparableEntry } from '../core/line.ts';
import { leftAt, type Fork, type Left } from '../core/timeline.ts';
import { waysIn } from '../core/ways.ts';
import type { Store } from '../store/store.ts';
import type { Live } from './live.ts';
import { stateAt } from './past.ts';

// A host goes back to a way that was left, perhaps with its head dropped or
// summarized meanwhile. Each record that left a way knows the log as it was before:
//
//   taken   e1 e2 e3 e4 e9 e10            the list is e3 … e8: beside what is taken
//   left    e1 e2 e3 e4 e5 e6 e7 e8       four are new, beside what was left none is

/** A way to go back to. */
export type Turn = Fork;

/** A list beside a way that was left. */
export interface OtherWay {
  readonly turn: Turn;
  readonly alignment: Alignment;
  /** What that is, seen from the way that is taken. */
  readonly seen: Pick<Alignment, 'relation' | 'forkedAt' | 'gone'>;
}

interface Given {
  /** Every entry, on whatever way. */
  readonly all: readonly ComparableEntry[];
  readonly list: readonly ComparableMessage[];
  readonly gone: ReadonlySet<number>;
  /** The list beside the way that is taken. */
  readonly alignment: Alignment;
}

/** Ways that are looked at: those that have most of what is new. */
const mostWays = 8;

/** The way that was left and has most of what is new in a list; null where none has any of it. */
export async function otherWay(live: Live, store: Store, given: Given): Promise<OtherWay | null> {
  const { alignment } = given;
  let best: OtherWay | null = null;
  for (const way of likely(waysIn(live.state), given)) {
    const other = await besideWay(live, store, { ...given, way });
    const least = (best?.alignment ?? alignment).fresh.length;
    if (other.alignment.fresh.length < least && isBelievable(other, alignment)) best = other;
  }
  return best === null ? null : { turn: best.turn, alignment: best.alignment, seen: best.seen };
}

interface Candidate extends OtherWay {
  /** Its entries, those of them aside that the list leaves. */
  readonly path: readonly ComparableEntry[];
  /** Those of them that the list has and the way that is taken has not. */
  readonly met: readonly ComparableEntry[];
}

/** Ways that have something new, those with most of it first. */
function likely(ways: readonly Left[], { all, list, alignment }: Given): readonly Left[] {
  const fresh = new Set(alignment.fresh.map((index) => list[index]!.hash));
  const lines = all.filter(({ hash }) => fresh.has(hash));
  return ways
    .map((way) => [way, lines.filter(({ n }) => leftAt([way], n) !== undefined).length] as const)
    .filter(([, count]) => count > 0)
    .toSorted(([one, count], [other, most]) => most - count || other.id - one.id)
    .slice(0, mostWays)
    .map(([way]) => way);
}

/** The list beside the log as it was before a way was left. */
async function besideWay(
  live: Live,
  store: Store,
  { way, ...given }: Given & { readonly way: Left },
): Promise<Candidate> {
  const { all, list, gone } = given;
  const from = way.id - 1;
  const old = await stateAt(store, live.id, from);
  const ways = waysIn(old);
  const before = all.filter(({ n }) => n <= old.entries && leftAt(ways, n) === undefined);
  const since = broughtAlong(given, { before, after: old.entries });
  const first = align([...before, ...since], list, gone);
  const stays = ({ n }: ComparableEntry): boolean => !first.gone.includes(n) && !isLeftBy(first)(n);
  const kept = since.filter(stays);
  const again = kept.length === since.length ? first : align([...before, ...kept], list, gone);
  const alignment = withoutTail(again, { before, kept, ways: waysIn(live.state) });
  const keep = kept.map(({ n }) => entryId(n));
  const turn = { from, at: entryId(old.entries + 1), keep };
  return { turn, alignment, ...seenFrom(live, given, { alignment, way: [...before, ...kept] }) };
}

/** What the list does not have of the end of the way stays left: that is no loss. */
function withoutTail(
  alignment: Alignment,
  { before, kept, ways }: Record<'before' | 'kept', readonly ComparableEntry[]> & { ways: readonly Left[] },
): Alignment {
  const forms = new Set([...alignment.cleared, ...alignment.shortened, ...alignment.edited]);
  const stays = ({ n }: ComparableEntry): boolean =>
    !alignment.lost.includes(n) || forms.has(n) || leftAt(ways, n) === undefined;
  const spoken = before.filter(({ role, human }) => human || role !== 'user');
  const tail = spoken.slice(spoken.findLastIndex(stays) + 1).map(({ n }) => n);
  const [forkedAt] = tail;
  if (alignment.forkedAt !== null || forkedAt === undefined) return alignment;
  const later = before.filter((one) => one.n > forkedAt && !spoken.includes(one) && stays(one));
  const isHere = (n: number): boolean => !tail.includes(n);
  const lost = alignment.lost.filter(isHere);
  const gone = alignment.gone.filter(isHere);
  return { ...alignment, lost, gone, forkedAt, kept: [...later, ...kept].map(({ n }) => n) };
}

/** What was said since and the list has all the same: a summary of the host's own, a call; prompts are said anew. */
function broughtAlong(
  { all, list }: Given,
  { before, after }: { readonly before: readonly ComparableEntry[]; readonly after: number },
): readonly ComparableEntry[] {
  const wanted = new Set(list.map(({ hash }) => hash));
  for (const { hash } of before) wanted.delete(hash);
  return all.filter(
    (entry) => entry.n > after && isSame(entry, entry) && wanted.delete(entry.hash),
  );
}

/** Tells what another way of a list leaves. */
function isLeftBy({ forkedAt, kept }: Alignment): (n: number) => boolean {
  return (n) => forkedAt !== null && n >= forkedAt && !kept.includes(n);
}

function seenFrom(
  { state }: Live,
  { all, gone }: Given,
  { alignment, way }: { readonly alignment: Alignment; readonly way: readonly ComparableEntry[] },
): Pick<Candidate, 'seen' | 'path' | 'met'> {
  const isLeft = isLeftBy(alignment);
  const path = way.filter(({ n }) => !isLeft(n));
  const ways = waysIn(state);
  const isTaken = (n: number): boolean => leftAt(ways, n) === undefined;
  const isOn = new Set(path.map(({ n }) => n));
  const forkedAt = all.find(({ n }) => isTaken(n) && !isOn.has(n))?.n ?? null;
  const { lost, fresh } = alignment;
  const onWay = new Set(way.map(({ n }) => n));
  const lacking = new Set([...alignment.gone, ...[...gone].filter((n) => !onWay.has(n))]);
  const seen = {
    relation:
      forkedAt !== null ? 'fork' : lost.length > 0 ? 'cut' : fresh.length > 0 ? 'append' : 'same',
    forkedAt,
    gone: [...lacking].toSorted((one, other) => one - other),
  } as const;
  return { seen, path, met: path.filter(({ n }) => !lacking.has(n) && !isTaken(n)) };
}

/** So many in a row are no coincidence; of fewer, one must tell or stand next to what is known. */
const telling = 3;

/** Whether a host went back there, and has not only said again what was said there once. */
function isBelievable({ alignment, path, met }: Candidate, beside: Alignment): boolean {
  if (met.length >= telling) return true;
  const forms = new Set([...alignment.cleared, ...alignment.shortened, ...alignment.edited]);
  const dropped = alignment.lost.filter((n) => !forms.has(n));
  const lacking = new Set(alignment.gone);
  const first = path.find(({ n }) => !lacking.has(n))?.n ?? 0;
  const known = new Set(beside.gone);
  if (dropped.some((n) => n > first) && dropped.some((n) => !known.has(n))) return false;
  const before = path[path.findIndex((entry) => entry === met[0]) - 1];
  const isJoined = before === undefined || !lacking.has(before.n);
  return met.length > 0 && (isJoined || met.length > 1 || met.some((one) => isSame(one, one)));
}
