import { align, type Alignment } from '../../core/host-history/align.ts';
import { entryId, ordinal } from '../../core/values/id.ts';
import {
  toComparable,
  type ComparableEntry,
  type ComparableMessage,
} from '../../core/host-history/comparable-message.ts';
import { isEdit } from '../../core/documents/page-edit.ts';
import type { Message } from '../../core/messages/message.ts';
import { positionsIn, toSpans, type Span } from '../../core/values/span.ts';
import type { State } from '../../core/state/state.ts';
import { leftAt, type HostFork } from '../../core/state/timeline.ts';
import { branchesIn } from '../../core/host-history/branches.ts';
import type { EntryRow } from '../journal/load.ts';
import { chainHash, identityHash } from '../journal/recorded-input.ts';
import { wholeRows } from '../journal/whole-rows.ts';
import type { SessionReader } from '../live/session-access.ts';
import { callsAsText } from './late-messages.ts';
import { matchingBranch } from './matching-branch.ts';

// As long as the beginning of a host's list has the hash that it had when it was last
// compared, nothing was dropped, and only what came since is looked at. Otherwise the log is
// read once and aligned: first with the current branch, then, where that leaves
// something new, with those that were left. The document of a recovery and an edit of the
// page by hand are in the log alone: no list lacks them, and no branch leaves them behind.

/** A host's list beside the log. */
export interface HostAlignment extends Omit<Alignment, 'gone'> {
  readonly gone: readonly Span[];
  /** The branch to go back to first; null where the list is on the current one. */
  readonly back: HostFork | null;
  /** The first entry to leave then; null for none. */
  readonly leaves: number | null;
}

/** Compares a host's list with the log, and with how it was when it was last compared. */
export async function alignWithLog(
  session: SessionReader,
  messages: readonly Message[],
): Promise<HostAlignment> {
  return (await alignGrown(session, messages)) ?? alignAnew(session, messages);
}

const unchanged = {
  lost: [],
  cleared: [],
  shortened: [],
  edited: [],
  inside: [],
  forkedAt: null,
  kept: [],
  back: null,
  leaves: null,
} as const;

/**
 * What was added to a list that begins as it did the last time: first the entries that were appended
 * here meanwhile, then what is new. Null where that is not so, or where the list may be on a branch
 * that was left.
 */
async function alignGrown(
  session: SessionReader,
  messages: readonly Message[],
): Promise<HostAlignment | null> {
  const { entryCount: entries, hash, losses } = session.state;
  const known = losses.host ?? { length: entries, hash, entries, gone: [] };
  const isEmptied = known.length === 0 && known.entries > 0;
  if (isEmptied || messages.length < known.length) return null;
  if (chainOf(messages.slice(0, known.length)) !== known.hash) return null;
  const rest = messages.slice(known.length);
  const branches = branchesIn(session.state);
  let met = 0;
  for await (const { n, message } of logOf(session, known.entries)) {
    if (leftAt(branches, n) !== undefined) continue;
    const other = rest[met];
    const isMet = other !== undefined && chainHash('', other) === chainHash('', message);
    if (isMet) met += 1;
    else if (!isOwn(session.state, n, message)) return null;
  }
  const fresh = rest.slice(met).map((_, index) => known.length + met + index);
  const recent = recentOf(session.state);
  const isBack = branches.some(({ after }) => after != null && ordinal(after) >= recent);
  if (fresh.length > 0 && isBack) return null;
  const relation = fresh.length > 0 ? 'append' : 'same';
  return { ...unchanged, relation, manner: relation, fresh, gone: known.gone };
}

async function alignAnew(
  session: SessionReader,
  messages: readonly Message[],
): Promise<HostAlignment> {
  const log: ComparableEntry[] = [];
  const own: number[] = [];
  const listed = new Set(messages.map(identityHash));
  for await (const { n, message, hash = identityHash(message) } of logOf(session, 0))
    if (isOwn(session.state, n, message) && !listed.has(hash)) own.push(n);
    else log.push({ ...toComparable(message, hash), n });
  const list = comparableList(messages, log);
  const gone = new Set(positionsIn(session.state.losses.host?.gone ?? []));
  const branches = branchesIn(session.state);
  const isCurrent = (n: number): boolean => leftAt(branches, n) === undefined;
  const current = log.filter(({ n }) => isCurrent(n));
  const alignment = align(current, list, gone);
  const isNew = alignment.fresh.length > 0 && branches.length > 0;
  const match = isNew ? await matchingBranch(session, { log, list, gone, alignment }) : null;
  const found = match?.alignment ?? alignment;
  const seen = { ...found, ...match?.seen };
  const leaves = found.forkedAt;
  const stays = own.filter((n) => leaves !== null && n > leaves && isCurrent(n));
  const kept = [...found.kept, ...stays].toSorted((a, b) => a - b);
  return {
    ...seen,
    kept,
    gone: toSpans(found.gone),
    back: withKept(match?.back, own.filter(isCurrent)),
    leaves,
  };
}

/** Whether an entry is the engine's own: an edit of the page, or the document of a recovery. */
const isOwn = ({ documents }: State, n: number, message: Message): boolean =>
  isEdit(message) || (n === 1 && documents.recovered !== null);

/** A way back to a branch that keeps the engine's own entries made since. */
function withKept(back: HostFork | undefined, own: readonly number[]): HostFork | null {
  if (back === undefined) return null;
  const since = own.filter((n) => n >= ordinal(back.at)).map(entryId);
  return { ...back, keep: [...back.keep, ...since] };
}

/** The messages as they are compared: an answer whose calls the log has as text only, as that text. */
function comparableList(
  messages: readonly Message[],
  log: readonly ComparableMessage[],
): readonly ComparableMessage[] {
  const known = new Set(log.map(({ hash }) => hash));
  return messages.map((message) => {
    const whole = comparable(message);
    if (message.role !== 'assistant' || whole.call === '' || known.has(whole.hash)) return whole;
    const text = comparable(callsAsText(message));
    return known.has(text.hash) ? text : whole;
  });
}

function comparable(message: Message): ComparableMessage {
  return toComparable(message, identityHash(message));
}

/** Entries that may follow the end of a branch while new messages may still be on it: a host's own summaries. */
const mostAfterBranch = 4;

/** The oldest of the newest entries on the current branch; 0 where it has no more of them. */
function recentOf(state: State): number {
  const branches = branchesIn(state);
  let n = state.entryCount;
  for (let met = 0; n > 0; n -= 1) {
    if (leftAt(branches, n) !== undefined) continue;
    if (met === mostAfterBranch) return n;
    met += 1;
  }
  return 0;
}

/** Entries after a position, on whatever branch; the hash of one whose text was taken out. */
async function* logOf(
  session: SessionReader,
  after: number,
): AsyncGenerator<{ readonly n: number; readonly message: Message; readonly hash?: string }> {
  const { entryCount: last } = session.state;
  if (after === last) return;
  await session.written;
  const range = { after, before: last + 1, last };
  for await (const [n, row] of wholeRows(session.store, session.id, range)) {
    const { message, redacted: hash } = row as EntryRow;
    yield hash === undefined ? { n, message } : { n, message, hash };
  }
}

/** The cumulative hash over a list. */
export function chainOf(messages: readonly Message[]): string {
  return messages.reduce(chainHash, '');
}
