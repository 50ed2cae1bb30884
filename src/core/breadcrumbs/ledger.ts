import type { NameKind } from '../text/entities.ts';
import { mentionsIn } from '../text/salience.ts';
import type { Message } from '../messages/message.ts';
import { bestFirst, positionsBeyond, type Ranking } from '../values/top-k.ts';

// The ledger remembers names of everything that left the window. Each feed is
// one such departure. A name's score is the sum of the weights it had when it
// was fed, each fading by `fade` with every later feed.

/** A candidate for the ledger's list. */
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

/** What one feed says of a name; plain JSON, fit for a journal. */
export interface LedgerMention {
  readonly name: string;
  readonly kind: NameKind;
  /** Ordinal of the entry that last held it. */
  readonly entry: number;
  /** Entries of the stretch that held it. */
  readonly mentions: number;
  /** How likely it is needed again; above 0. */
  readonly weight: number;
  readonly changed: string | false;
}

/** Most candidates that are kept; recall finds the rest. */
const most = 4_096;

/** What is left of a score after one feed without the name. */
const fade = 0.95;

/**
 * What a stretch of entries that leaves the window names, ranked by role
 * (changed, said by a person, in arguments, only in tool output), frequency and
 * spread; at most `limit`, the best first.
 */
export function mentionsOf(
  entries: readonly { readonly n: number; readonly message: Message }[],
  limit = 768,
): readonly LedgerMention[] {
  return mentionsIn(entries.map(({ message }) => message))
    .slice(0, Math.max(0, limit))
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
export function addToLedger(ledger: Ledger, sightings: readonly LedgerMention[]): Ledger {
  const at = ledger.feeds + 1;
  const register = registered(ledger);
  registers.delete(ledger);
  const names = ledger.names.slice();
  for (const sighting of sightings) {
    const index = register.index.get(sighting.name) ?? names.length;
    const known = names[index];
    const name = known === undefined ? newName(sighting, at) : updatedName(known, sighting, at);
    names[index] = name;
    enter(register, index, name);
  }
  const next = { feeds: at, names };
  if (names.length > most)
    for (const index of [...positionsBeyond(rankingOf(next, register), most)].sort((a, b) => b - a))
      remove(register, names, index);
  registers.set(next, register);
  return next;
}

const registers = new WeakMap<Ledger, LedgerIndex>();

function registered(ledger: Ledger): LedgerIndex {
  const known = registers.get(ledger) ?? registerOf(ledger.names);
  registers.set(ledger, known);
  return known;
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

function updatedName(known: LedgerName, sighting: LedgerMention, at: number): LedgerName {
  const score = known.score * faded(at - known.at) + sighting.weight;
  return {
    ...known,
    entry: Math.max(known.entry, sighting.entry),
    mentions: known.mentions + sighting.mentions,
    feeds: known.at === at ? known.feeds : known.feeds + 1,
    score: Math.round(score * 1_000) / 1_000,
    changed: sighting.changed || known.changed,
    at,
  };
}

/** All names, best first: score, faded by the feeds since, and the number of feeds that held it; then the later entry. */
export function ranked(ledger: Ledger): Iterable<LedgerName> {
  const positions = bestFirst(rankingOf(ledger, registered(ledger)));
  return {
    *[Symbol.iterator]() {
      for (const index of positions) yield ledger.names[index]!;
    },
  };
}

function rankingOf({ feeds: now, names }: Ledger, { score, at, feeds }: LedgerIndex): Ranking {
  const values = new Float64Array(names.length);
  for (let index = 0; index < values.length; index += 1)
    values[index] = score[index]! * faded(now - at[index]!) + 2 * Math.log(feeds[index]!);
  const tie = (one: number, other: number): number => {
    const [a, b] = [names[one]!, names[other]!];
    return b.entry - a.entry || (a.name < b.name ? -1 : 1);
  };
  return { values, tie };
}

/** The first powers of {@link fade}: a feed asks for thousands. */
const powers: readonly number[] = Array.from({ length: 1_024 }, (_, feeds) => fade ** feeds);

/** What is left of a score after some feeds without the name. */
const faded = (feeds: number): number => powers[feeds] ?? fade ** feeds;

// A feed finds some hundred names among thousands, and ranks them all. To go
// through thousands of objects for that takes longer than everything else in it:
// where each name stands and what it is worth is kept beside the newest ledger
// in a register, and handed on to the next one. A ledger without a register (an
// old one, one that was loaded) is gone through once. Nothing depends on it but
// the time.

/** Where the names of a list stand, and what their values are made of. */
export interface LedgerIndex {
  readonly index: Map<string, number>;
  readonly score: number[];
  /** Number of the last feed that held it. */
  readonly at: number[];
  readonly feeds: number[];
}

/** The register of a list of names. */
export function registerOf(names: readonly LedgerName[]): LedgerIndex {
  const register: LedgerIndex = { index: new Map(), score: [], at: [], feeds: [] };
  names.forEach((name, index) => {
    enter(register, index, name);
  });
  return register;
}

/** Enters a name at `index`: that of a name with the same key, or the next one. */
export function enter(register: LedgerIndex, index: number, name: LedgerName): void {
  register.index.set(name.name, index);
  register.score[index] = name.score;
  register.at[index] = name.at;
  register.feeds[index] = name.feeds;
}

/** Takes the name at `index` out of both: the last of all stands there from now on. */
export function remove(register: LedgerIndex, names: LedgerName[], index: number): void {
  register.index.delete(names[index]!.name);
  const last = names.pop()!;
  for (const column of [register.score, register.at, register.feeds]) column.pop();
  if (index === names.length) return;
  names[index] = last;
  enter(register, index, last);
}
