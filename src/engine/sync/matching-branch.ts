import { align, type Alignment } from '../../core/host-history/align.ts';
import { entryId } from '../../core/values/id.ts';
import {
  isSameMessage,
  type ComparableEntry,
  type ComparableMessage,
} from '../../core/host-history/comparable-message.ts';
import type { State } from '../../core/state/state.ts';
import { leftAt, type HostFork, type AbandonedBranch } from '../../core/state/timeline.ts';
import { branchesIn } from '../../core/host-history/branches.ts';
import { positionsIn } from '../../core/values/span.ts';
import type { SessionReader } from '../live/session-access.ts';
import { stateAt } from '../time-travel/journal-search.ts';

// A host goes back to a branch that was left, perhaps with its head dropped or summarized
// meanwhile. Each record that left a branch knows the log as it was before:
//
//   current   e1 e2 e3 e4 e9 e10          of the list e3 … e8, four are new beside the current
//   left      e1 e2 e3 e4 e5 e6 e7 e8     branch, and none beside the one that was left

/** A list beside a branch that was left. */
interface MatchingBranch {
  /** How to go back to it. */
  readonly back: HostFork;
  readonly alignment: Alignment;
  /** What that is, seen from the current branch. */
  readonly seen: Pick<Alignment, 'relation' | 'forkedAt'>;
}

/** A list, and the log that it is compared with. */
interface Compared {
  /** Every entry, on whatever branch. */
  readonly log: readonly ComparableEntry[];
  readonly list: readonly ComparableMessage[];
  readonly gone: ReadonlySet<number>;
  /** The list beside the current branch. */
  readonly alignment: Alignment;
}

/** Most branches that are compared: those that have most of what is new. */
const mostBranches = 8;

/** The branch that was left and has most of the new messages of a list; null where none has any. */
export async function matchingBranch(
  session: SessionReader,
  compared: Compared,
): Promise<MatchingBranch | null> {
  let best: BranchCandidate | null = null;
  for (const branch of likelyBranches(branchesIn(session.state), compared)) {
    const candidate = await besideBranch(session, { ...compared, branch });
    const least = (best ?? compared).alignment.fresh.length;
    if (candidate.alignment.fresh.length < least && isBelievable(candidate, compared.alignment))
      best = candidate;
  }
  return best;
}

interface BranchCandidate extends MatchingBranch {
  /** Its entries, without those that the list leaves. */
  readonly path: readonly ComparableEntry[];
  /** Those of them that the list has and the current branch has not. */
  readonly regained: readonly ComparableEntry[];
  /** Positions of entries that the host lacked before, on the current branch or on this one. */
  readonly missed: ReadonlySet<number>;
}

/** Branches that have new messages of the list, those with most of them first. */
function likelyBranches(
  branches: readonly AbandonedBranch[],
  { log, list, alignment }: Compared,
): readonly AbandonedBranch[] {
  const fresh = new Set(alignment.fresh.map((index) => list[index]!.hash));
  const entries = log.filter(({ hash }) => fresh.has(hash));
  return branches
    .map((branch) => {
      const count = entries.filter(({ n }) => leftAt([branch], n) !== undefined).length;
      return { branch, count };
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count || other.branch.id - one.branch.id)
    .slice(0, mostBranches)
    .map(({ branch }) => branch);
}

/** The list beside the log as it was before a branch was left. */
async function besideBranch(
  session: SessionReader,
  { branch, ...compared }: Compared & { readonly branch: AbandonedBranch },
): Promise<BranchCandidate> {
  const { log, list } = compared;
  const from = branch.id - 1;
  const old = await stateAt(session.store, session.id, from);
  const others = branchesIn(old);
  const missed = new Set([...compared.gone, ...positionsIn(old.losses.host?.gone ?? [])]);
  const before = log.filter(({ n }) => n <= old.entryCount && leftAt(others, n) === undefined);
  const since = saidSince(compared, { before, after: old.entryCount });
  const first = align([...before, ...since], list, missed);
  const isLeft = isLeftBy(first);
  const kept = since.filter(({ n }) => !first.gone.includes(n) && !isLeft(n));
  const all = [...before, ...kept];
  const alignment = kept.length === since.length ? first : align(all, list, missed);
  const keep = kept.map(({ n }) => entryId(n));
  const back = { from, at: entryId(old.entryCount + 1), keep };
  return {
    back,
    alignment,
    missed,
    ...seenFromCurrent(session.state, compared, { alignment, all }),
  };
}

/** Entries since a branch was left that the list has as well: a summary of the host's own, a call; prompts count as said anew. */
function saidSince(
  { log, list }: Compared,
  { before, after }: { readonly before: readonly ComparableEntry[]; readonly after: number },
): readonly ComparableEntry[] {
  const wanted = new Set(list.map(({ hash }) => hash));
  for (const { hash } of before) wanted.delete(hash);
  return log.filter(
    (entry) => entry.n > after && isSameMessage(entry, entry) && wanted.delete(entry.hash),
  );
}

/** A test for the entries that a list leaves by its fork. */
function isLeftBy({ forkedAt, kept }: Alignment): (n: number) => boolean {
  return (n) => forkedAt !== null && n >= forkedAt && !kept.includes(n);
}

function seenFromCurrent(
  state: State,
  { log }: Compared,
  { alignment, all }: { readonly alignment: Alignment; readonly all: readonly ComparableEntry[] },
): Pick<BranchCandidate, 'seen' | 'path' | 'regained'> {
  const isLeft = isLeftBy(alignment);
  const path = all.filter(({ n }) => !isLeft(n));
  const isOnPath = new Set(path.map(({ n }) => n));
  const branches = branchesIn(state);
  const isCurrent = (n: number): boolean => leftAt(branches, n) === undefined;
  const forkedAt = log.find(({ n }) => isCurrent(n) && !isOnPath.has(n))?.n ?? null;
  const isLacking = new Set(alignment.gone);
  return {
    seen: { relation: forkedAt === null ? unforked(alignment) : 'fork', forkedAt },
    path,
    regained: path.filter(({ n }) => !isLacking.has(n) && !isCurrent(n)),
  };
}

function unforked({ lost, fresh }: Alignment): Alignment['relation'] {
  if (lost.length > 0) return 'cut';
  return fresh.length > 0 ? 'append' : 'same';
}

/** So many regained entries are no coincidence; of fewer, one must be certain or follow what it followed in the host's own list. */
const enough = 3;

/** Whether a host went back to a branch, and has not only said again what was said there once. */
function isBelievable(
  { alignment, path, regained, missed }: BranchCandidate,
  current: Alignment,
): boolean {
  if (regained.length >= enough) return true;
  const [first] = regained;
  if (first === undefined) return false;
  const rewritten = new Set([...alignment.cleared, ...alignment.shortened, ...alignment.edited]);
  const dropped = alignment.lost.filter((n) => !rewritten.has(n));
  const isLacking = new Set(alignment.gone);
  const begin = path.find(({ n }) => !isLacking.has(n))?.n ?? 0;
  const isKnown = new Set(current.gone);
  if (dropped.some((n) => n > begin) && dropped.some((n) => !isKnown.has(n))) return false;
  const before = path.findLast(({ n }) => n < first.n && !missed.has(n));
  const isJoined = before === undefined || !isLacking.has(before.n);
  return isJoined || regained.length > 1 || isSameMessage(first, first);
}
