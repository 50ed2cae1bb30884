import { fail } from '../../core/values/error.ts';
import { entryId } from '../../core/values/id.ts';
import type { Compared } from '../../core/state/input.ts';
import { checkMessage, type Message } from '../../core/messages/message.ts';
import { anything, checkArgument, listOf } from '../../core/values/validation.ts';
import type { HostList } from '../../core/truncation/recovery.ts';
import { toSpans } from '../../core/values/span.ts';
import type { State } from '../../core/state/state.ts';
import type { EvidenceNumbers } from '../../core/truncation/detect.ts';
import type { RecordStore } from '../../store/store.ts';
import { toIncoming } from '../commands/append-command.ts';
import { exactCounter } from '../live/counting.ts';
import { alignWithLog, chainOf, type HostAlignment } from './host-list.ts';
import { asMachineText } from './late-messages.ts';
import type { LiveSession } from '../live/live-session.ts';
import { takes } from '../step/phase-rules.ts';
import { switchBranch } from './switch-branch.ts';

// A host's own list of messages. What it has that the log has not is appended, what it lacks
// begins a recovery, and where it took another branch, so does the session. What is known to
// be gone is remembered, so that a loss is noticed once.

/** What became of a host's list since the last time. */
export interface Synced {
  /** `fork` where a prompt was edited and sent again, or an answer thrown away: another branch, and no loss. */
  readonly relation: HostAlignment['relation'];
  /** Ids of the messages that the log did not have. */
  readonly appended: readonly string[];
  /** Entries that the list lacks or has otherwise, and had before. */
  readonly lost: readonly string[];
  /** The first entry of the branch that was left. */
  readonly forkedAt?: string;
}

/**
 * Compares a host's list with the log, appends what is new, and begins a recovery where something
 * was lost; system prompts in it are left out. Throws `OPTION_INVALID`, `MESSAGE_INVALID`, and
 * `SESSION_COMPLETED` where the list goes on.
 */
export async function sync(
  live: LiveSession,
  store: RecordStore,
  history: unknown,
): Promise<Synced> {
  checkArgument('history', history, hostList);
  const messages = (history as readonly unknown[])
    .filter((one) => !isSystem(one))
    .map(checkMessage);
  const { synced, durable } = await live.enqueue(async () => {
    await exactCounter(live);
    const alignment = await alignWithLog(live, store, messages);
    const before = live.state;
    checkOpen(before, alignment);
    const fresh = await freshIn(live, store, { alignment, messages });
    const appended = fresh.map((_, index) => entryId(before.entries + 1 + index) as string);
    if (fresh.length > 0) {
      const { entries, count } = await toIncoming(live, fresh, undefined);
      live.step({ type: 'append', entries }, { count });
    }
    const compared = comparedWith(live.state, { alignment, messages });
    const isNews = alignment.relation !== 'same' || !sameList(before.watch.host, compared.host);
    const { durable } = isNews
      ? live.step({ type: 'compare', compared })
      : { durable: live.written };
    const { relation, forkedAt } = alignment;
    const fork = forkedAt === null ? {} : { forkedAt: entryId(forkedAt) as string };
    return { synced: { relation, appended, lost: alignment.lost.map(entryId), ...fork }, durable };
  });
  await durable;
  return synced;
}

const hostList = listOf(anything, 'a list of messages');

/** Refuses another branch in a session that is completed: it would go on. */
function checkOpen(state: State, { back, leaves }: HostAlignment): void {
  if (takes(state, 'sync.branch') || (back === null && leaves === null)) return;
  const { session, phase } = state;
  throw fail(
    'SESSION_COMPLETED',
    `Session "${session}" is ${phase}, and a list that takes another way would go on with it; undo takes the completion back`,
    { session },
  );
}

function isSystem(message: unknown): boolean {
  return (message as { role?: unknown } | null)?.role === 'system';
}

/** The messages to append, once the branch of the list is taken. */
async function freshIn(
  live: LiveSession,
  store: RecordStore,
  {
    alignment,
    messages,
  }: { readonly alignment: HostAlignment; readonly messages: readonly Message[] },
): Promise<readonly Message[]> {
  await switchBranch(live, store, alignment);
  const rest = alignment.fresh.map((index) => messages[index]!);
  return asMachineText(rest, new Set(alignment.inside.map((index) => messages[index]!)));
}

function comparedWith(
  after: State,
  {
    alignment,
    messages,
  }: { readonly alignment: HostAlignment; readonly messages: readonly Message[] },
): Compared {
  const { relation, lost, gone, forkedAt } = alignment;
  const host: HostList = {
    length: messages.length,
    hash: chainOf(messages),
    entries: after.entries,
    gone,
  };
  const fork = forkedAt === null ? {} : { forkedAt: entryId(forkedAt) };
  return { relation, host, lost: toSpans(lost), numbers: numbersOf(alignment), ...fork };
}

/** How many entries were lost in which manner; what is nought is left out. */
function numbersOf({ manner, lost, cleared, shortened, edited }: HostAlignment): EvidenceNumbers {
  const inPlace = { cleared: cleared.length, shortened: shortened.length, edited: edited.length };
  const dropped = lost.length - inPlace.cleared - inPlace.shortened - inPlace.edited;
  const name = manner === 'restart' || manner === 'middle' ? manner : 'head';
  const all = { lost: lost.length, [name]: dropped, ...inPlace };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

function sameList(one: HostList | null, other: HostList): boolean {
  return one === null
    ? other.length === other.entries && other.gone.length === 0
    : one.length === other.length && one.hash === other.hash && one.entries === other.entries;
}
