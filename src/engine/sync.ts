import { align, lineOf, type Alignment, type Line } from '../core/align.ts';
import { entryId } from '../core/id.ts';
import type { Compared } from '../core/input.ts';
import { checkMessage, type Message } from '../core/message.ts';
import { positionsIn, toSpans, type HostList } from '../core/recovery.ts';
import type { State } from '../core/state.ts';
import type { Numbers } from '../core/truncation.ts';
import type { Store } from '../store/store.ts';
import { toIncoming } from './append-step.ts';
import { exact } from './count.ts';
import type { Live } from './live.ts';
import { readLog } from './log.ts';
import { chainHash } from './recorded.ts';

// A host's own list of messages. As long as its beginning has the hash that it had
// when it was last compared, nothing was dropped, and only what came since is
// looked at. Otherwise the whole log is read once and aligned with the list; what
// is then known to be gone is remembered, so that a loss is noticed once.

/** What became of a host's list since the last time. */
export interface Synced {
  /** `fork` where a prompt was edited and sent again, or an answer thrown away: another way, and no loss. */
  readonly relation: Alignment['relation'];
  /** Ids of the messages that the log did not have. */
  readonly appended: readonly string[];
  /** Entries that the list lacks or has otherwise, and had before. */
  readonly lost: readonly string[];
  /** The first entry of the way that was left. */
  readonly forkedAt?: string;
}

/** Compares a host's list with the log, appends what is new, and begins a recovery where something was lost. */
export async function sync(live: Live, store: Store, history: readonly unknown[]): Promise<Synced> {
  const messages = history.filter((one) => !isSystem(one)).map(checkMessage);
  const { synced, durable } = await live.enqueue(async () => {
    await exact(live);
    const alignment =
      (await grown(live, store, messages)) ?? (await aligned(live, store, messages));
    const fresh = alignment.fresh.map((index) => messages[index]!);
    const before = live.state;
    const appended = fresh.map((_, index) => entryId(before.entries + 1 + index) as string);
    if (fresh.length > 0) {
      const { entries, count } = await toIncoming(live, fresh, undefined);
      live.step({ type: 'append', entries }, { count });
    }
    const compared = comparedWith(before, live.state, { alignment, messages });
    const isNews = alignment.relation !== 'same' || !sameList(before.watch.host, compared.host);
    const { durable } = isNews
      ? live.step({ type: 'compare', compared })
      : { durable: live.written };
    const { relation, forkedAt } = alignment;
    const lost = positionsIn(compared.lost).map(entryId);
    const fork = forkedAt === null ? {} : { forkedAt: entryId(forkedAt) as string };
    return { synced: { relation, appended, lost, ...fork }, durable };
  });
  await durable;
  return synced;
}

function isSystem(message: unknown): boolean {
  return (message as { role?: unknown } | null)?.role === 'system';
}

const unchanged = { lost: [], cleared: [], shortened: [], forkedAt: null } as const;

/**
 * What was added to a list that begins as it did: entries that were appended here meanwhile must
 * follow, and then what is new; null where that is not so.
 */
async function grown(
  live: Live,
  store: Store,
  messages: readonly Message[],
): Promise<Alignment | null> {
  const { entries, hash, watch } = live.state;
  const known = watch.host ?? { length: entries, hash, entries, gone: [] };
  if (messages.length < known.length) return null;
  if (chainOf(messages.slice(0, known.length)) !== known.hash) return null;
  const rest = messages.slice(known.length);
  let met = 0;
  for await (const line of linesOf(live, store, known.entries)) {
    const other = rest[met];
    if (other === undefined || chainHash('', other) !== line.hash) return null;
    met += 1;
  }
  const fresh = rest.slice(met).map((_, index) => known.length + met + index);
  const relation = fresh.length > 0 ? 'append' : 'same';
  return { ...unchanged, relation, manner: relation, fresh };
}

async function aligned(live: Live, store: Store, messages: readonly Message[]): Promise<Alignment> {
  const log: Line[] = [];
  for await (const line of linesOf(live, store, 0)) log.push(line);
  const list = messages.map((message) => lineOf(message, chainHash('', message)));
  return align(log, list);
}

async function* linesOf(live: Live, store: Store, after: number): AsyncGenerator<Line> {
  if (after >= live.state.entries) return;
  await live.written;
  for await (const entry of readLog(store, live.id, { after })) {
    const message = entry as Message;
    yield lineOf(message, chainHash('', message));
  }
}

function chainOf(messages: readonly Message[]): string {
  return messages.reduce(chainHash, '');
}

function comparedWith(
  before: State,
  after: State,
  { alignment, messages }: { alignment: Alignment; messages: readonly Message[] },
): Compared {
  const { relation, manner, lost, cleared, shortened, forkedAt } = alignment;
  const gone = before.watch.host?.gone ?? [];
  const known = new Set(positionsIn(gone));
  const news = lost.filter((n) => !known.has(n));
  const inPlace = new Set([...cleared, ...shortened]);
  const of = (list: readonly number[]): number => list.filter((n) => !known.has(n)).length;
  const dropped = news.filter((n) => !inPlace.has(n)).length;
  const numbers: Numbers = {
    lost: news.length,
    ...(dropped > 0 ? { [dropName(manner)]: dropped } : {}),
    ...(of(cleared) > 0 ? { cleared: of(cleared) } : {}),
    ...(of(shortened) > 0 ? { shortened: of(shortened) } : {}),
  };
  const host: HostList = {
    length: messages.length,
    hash: chainOf(messages),
    entries: after.entries,
    gone: relation === 'cut' ? toSpans(lost) : gone,
  };
  const fork = forkedAt === null ? {} : { forkedAt: entryId(forkedAt) };
  return { relation, host, lost: toSpans(news), numbers, ...fork };
}

/** What entries are called that a list no longer has in any form. */
function dropName(manner: Alignment['manner']): 'head' | 'middle' | 'restart' {
  return manner === 'restart' || manner === 'middle' ? manner : 'head';
}

function sameList(one: HostList | null, other: HostList): boolean {
  return one === null
    ? other.length === other.entries && other.gone.length === 0
    : one.length === other.length && one.hash === other.hash && one.entries === other.entries;
}
