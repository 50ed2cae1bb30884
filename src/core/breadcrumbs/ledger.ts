import type { NameKind } from '../text/entities.ts';
import { mentionsIn } from '../text/salience.ts';
import type { Message } from '../messages/message.ts';
import { bestFirst, positionsBeyond, type Ranking } from '../values/top-k.ts';

// The ledger keeps the names of everything that left the window. Each feed is one
// such departure. A name's score is the sum of its weights in all feeds, each
// fading by `fade` with every later feed.
//
// A feed brings some hundred names among thousands, and ranks them all. Going
// through thousands of objects would take longer than all else, so an index of
// positions and columns of numbers is kept beside the newest ledger and handed on
// to the next. It is a cache: for a ledger without one it is built again.

/** A name of the ledger. */
export interface LedgerName {
  readonly name: string;
  readonly kind: NameKind;
  /** Ordinal of the entry that last held it. */
  readonly entry: number;
  /** Entries that held it, over all feeds. */
  readonly mentions: number;
  /** Feeds that held it. */
  readonly feeds: number;
  /** Faded sum of its weights, as of feed `at`. */
  readonly score: number;
  /** Whether it was ever created or changed: the path as it was given. */
  readonly changed: string | false;
  /** Number of the last feed that held it, from 1. */
  readonly at: number;
}

/** The names of everything that left the window. */
export interface Ledger {
  /** Feeds so far. */
  readonly feeds: number;
  /** In no order; each once. */
  readonly names: readonly LedgerName[];
}

/** A ledger before the first feed. */
export const emptyLedger: Ledger = { feeds: 0, names: [] };

/** A name in one feed; plain JSON, fit for a journal. */
export interface LedgerMention {
  readonly name: string;
  readonly kind: NameKind;
  /** Ordinal of the entry that last held it. */
  readonly entry: number;
  /** Entries of the feed that held it. */
  readonly mentions: number;
  /** How likely it is needed again; above 0. */
  readonly weight: number;
  readonly changed: string | false;
}

/** Most names that are kept; recall finds the rest. */
const mostNames = 4_096;

/** Most names of one feed. */
const mostMentions = 768;

/** The share of a score that is left after one feed without the name. */
const fade = 0.95;

/**
 * The names of entries that leave the window, ranked by role (changed, said by a
 * person, in arguments, only in tool output), frequency and spread; at most 768,
 * the best first.
 */
export function mentionsOf(
  entries: readonly { readonly n: number; readonly message: Message }[],
): readonly LedgerMention[] {
  return mentionsIn(entries.map(({ message }) => message))
    .slice(0, mostMentions)
    .map(({ name, kind, last, messages, weight, changed }) => ({
      name,
      kind,
      entry: entries[last]?.n ?? 0,
      mentions: messages,
      weight,
      changed,
    }));
}

/** The ledger with one more feed; above 4,096 names the weakest are dropped. */
export function addToLedger(ledger: Ledger, mentions: readonly LedgerMention[]): Ledger {
  const at = ledger.feeds + 1;
  const index = indexOf(ledger);
  indexes.delete(ledger);
  const names = ledger.names.slice();
  for (const mention of mentions) {
    const position = index.positions.get(mention.name) ?? names.length;
    const known = names[position];
    const name = known === undefined ? newName(mention, at) : updatedName(known, mention, at);
    names[position] = name;
    enter(index, position, name);
  }
  const next = { feeds: at, names };
  if (names.length > mostNames)
    for (const position of [...positionsBeyond(rankingOf(next, index), mostNames)].sort(
      (a, b) => b - a,
    ))
      remove(index, names, position);
  indexes.set(next, index);
  return next;
}

/** All names, best first: by the faded score and the number of feeds that held them, then by the later entry. */
export function ranked(ledger: Ledger): Iterable<LedgerName> {
  const positions = bestFirst(rankingOf(ledger, indexOf(ledger)));
  return {
    *[Symbol.iterator]() {
      for (const position of positions) yield ledger.names[position]!;
    },
  };
}

const newName = (
  { name, kind, entry, mentions, weight, changed }: LedgerMention,
  at: number,
): LedgerName => ({
  name,
  kind,
  entry,
  mentions,
  feeds: 1,
  score: weight,
  changed,
  at,
});

function updatedName(known: LedgerName, mention: LedgerMention, at: number): LedgerName {
  const score = known.score * faded(at - known.at) + mention.weight;
  return {
    ...known,
    entry: Math.max(known.entry, mention.entry),
    mentions: known.mentions + mention.mentions,
    feeds: known.at === at ? known.feeds : known.feeds + 1,
    score: Math.round(score * 1_000) / 1_000,
    changed: mention.changed || known.changed,
    at,
  };
}

function rankingOf({ feeds: now, names }: Ledger, { scores, at, feeds }: LedgerIndex): Ranking {
  const values = new Float64Array(names.length);
  for (let position = 0; position < values.length; position += 1)
    values[position] =
      scores[position]! * faded(now - at[position]!) + 2 * Math.log(feeds[position]!);
  const tie = (one: number, other: number): number => {
    const [a, b] = [names[one]!, names[other]!];
    return b.entry - a.entry || (a.name < b.name ? -1 : 1);
  };
  return { values, tie };
}

/** The first powers of {@link fade}: a feed needs thousands. */
const powers: readonly number[] = Array.from({ length: 1_024 }, (_, feeds) => fade ** feeds);

/** The share of a score that is left after some feeds without the name. */
const faded = (feeds: number): number => powers[feeds] ?? fade ** feeds;

/** The positions of names in a list, and the numbers of their scores by position. */
interface LedgerIndex {
  readonly positions: Map<string, number>;
  readonly scores: number[];
  /** Number of the last feed that held it. */
  readonly at: number[];
  readonly feeds: number[];
}

const indexes = new WeakMap<Ledger, LedgerIndex>();

function indexOf(ledger: Ledger): LedgerIndex {
  const known = indexes.get(ledger);
  if (known !== undefined) return known;
  const index: LedgerIndex = { positions: new Map(), scores: [], at: [], feeds: [] };
  ledger.names.forEach((name, position) => {
    enter(index, position, name);
  });
  indexes.set(ledger, index);
  return index;
}

/** Enters a name at a position: that of a name with the same key, or the next one. */
function enter(index: LedgerIndex, position: number, name: LedgerName): void {
  index.positions.set(name.name, position);
  index.scores[position] = name.score;
  index.at[position] = name.at;
  index.feeds[position] = name.feeds;
}

/** Removes the name at a position from index and list; the last name takes its place. */
function remove(index: LedgerIndex, names: LedgerName[], position: number): void {
  index.positions.delete(names[position]!.name);
  const last = names.pop()!;
  for (const column of [index.scores, index.at, index.feeds]) column.pop();
  if (position === names.length) return;
  names[position] = last;
  enter(index, position, last);
}
