import { fail } from '../../core/values/error.ts';
import { entryId } from '../../core/values/id.ts';
import type { Compared } from '../../core/state/input.ts';
import { checkMessage, type Message } from '../../core/messages/message.ts';
import { anything, checkArgument, flag, listOf, objectOf } from '../../core/values/validation.ts';
import type { HostList } from '../../core/truncation/recovery.ts';
import { toSpans } from '../../core/values/span.ts';
import type { State } from '../../core/state/state.ts';
import type { EvidenceNumbers } from '../../core/truncation/evidence.ts';
import { toIncoming } from '../commands/append-command.ts';
import { decided } from '../live/decided.ts';
import { exactCounter } from '../live/counting.ts';
import type { CommandSession } from '../live/session-access.ts';
import { takes } from '../step/phase-rules.ts';
import { alignWithLog, chainOf, type HostAlignment } from './host-list.ts';
import { asMachineText } from './late-messages.ts';
import { switchBranch } from './switch-branch.ts';

// A host's own list of messages. What it has that the log has not is appended, what it lacks
// begins a recovery, and where it took another branch, so does the session. What is known to
// be gone is remembered, so that a loss is noticed once.

/** What a host's list has become since the last time. */
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

/** How a host hands over its list. */
export interface SyncOptions {
  /**
   * Whether it compacted the list itself since the last time: then what it lacks raises no alarm, and
   * the next assembly begins with where the work stood; false unless told.
   */
  readonly compacted?: boolean | undefined;
}

const syncOptions = objectOf<SyncOptions>({ compacted: flag });

/**
 * Compares a host's list with the log, appends what is new, and begins a recovery where something
 * was lost; system prompts in it are left out. Throws `OPTION_INVALID`, `MESSAGE_INVALID`, and
 * `SESSION_COMPLETED` where the list goes on.
 */
export async function sync(
  session: CommandSession,
  history: unknown,
  options: SyncOptions = {},
): Promise<Synced> {
  checkArgument('options', options, syncOptions);
  checkArgument('history', history, hostList);
  const messages = (history as readonly unknown[])
    .filter((one) => !isSystem(one))
    .map(checkMessage);
  const { synced } = await decided(session, async (writer) => {
    await exactCounter(writer);
    const alignment = await alignWithLog(writer, messages);
    const before = writer.state;
    checkOpen(before, alignment);
    await switchBranch(writer, alignment);
    const fresh = freshIn(alignment, messages);
    const appended = fresh.map((_, index) => entryId(before.entryCount + 1 + index) as string);
    if (fresh.length > 0) {
      const { entries, count } = await toIncoming(writer, fresh, undefined);
      await writer.stepInParts({ type: 'append', entries }, { count });
    }
    const compared = {
      ...comparedWith(writer.state, alignment, messages),
      ...(options.compacted === true ? { compacted: true } : {}),
    };
    const isNews = alignment.relation !== 'same' || !isSameList(before.losses.host, compared.host);
    const { durable } = isNews
      ? writer.step({ type: 'compare', compared })
      : { durable: writer.written };
    const { relation, forkedAt } = alignment;
    const fork = forkedAt === null ? {} : { forkedAt: entryId(forkedAt) as string };
    return { synced: { relation, appended, lost: alignment.lost.map(entryId), ...fork }, durable };
  });
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

/** The messages to append. */
function freshIn(
  { fresh, inside }: HostAlignment,
  messages: readonly Message[],
): readonly Message[] {
  const messageAt = (index: number): Message => messages[index]!;
  return asMachineText(fresh.map(messageAt), new Set(inside.map(messageAt)));
}

function comparedWith(
  after: State,
  alignment: HostAlignment,
  messages: readonly Message[],
): Compared {
  const { relation, lost, gone, forkedAt } = alignment;
  const host: HostList = {
    length: messages.length,
    hash: chainOf(messages),
    entries: after.entryCount,
    gone,
  };
  const fork = forkedAt === null ? {} : { forkedAt: entryId(forkedAt) };
  return { relation, host, lost: toSpans(lost), numbers: numbersOf(alignment), ...fork };
}

/** How many entries were lost in which manner; without those of which there are none. */
function numbersOf({ manner, lost, cleared, shortened, edited }: HostAlignment): EvidenceNumbers {
  const inPlace = { cleared: cleared.length, shortened: shortened.length, edited: edited.length };
  const dropped = lost.length - inPlace.cleared - inPlace.shortened - inPlace.edited;
  const name = manner === 'restart' || manner === 'middle' ? manner : 'head';
  const all = { lost: lost.length, [name]: dropped, ...inPlace };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

function isSameList(one: HostList | null, other: HostList): boolean {
  return one === null
    ? other.length === other.entries && other.gone.length === 0
    : one.length === other.length && one.hash === other.hash && one.entries === other.entries;
}
