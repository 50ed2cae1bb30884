import type { Section } from '../../src/index.ts';
import { nameClasses, type NameClass } from './names.ts';
import { rate, type Share } from './share.ts';
import { sound, type Faults } from './validity.ts';
import type { Spending } from './method.ts';
import { bySection, type Yield } from './yield.ts';

/** What came of one method over one or more histories, in counts that can be added up. */
export interface Tally {
  /** Contexts that were made: one before each assistant message but a first one. */
  readonly contexts: number;
  /** References to names that a plain window of the budget has lost. */
  readonly far: Share;
  readonly farByClass: Readonly<Record<NameClass, Share>>;
  /** Those whose entry is among the first hits of a query made of the newest messages. */
  readonly recalled: Share;
  /** Those that some entry among these hits mentions. */
  readonly recalledAnywhere: Share;
  /** Those that some entry among the first hits mentions when the name itself is asked for. */
  readonly recalledByName: Share;
  /** References to names that history holds, however near. */
  readonly names: Share;
  /** Runs of eight words that a step copies from history. */
  readonly spans: Share;
  /** Those among them that are further back than the budget. */
  readonly farSpans: Share;
  /** Directives of people, every fifth context. */
  readonly directives: Share;
  /** References to names that were last mentioned in another frame. */
  readonly crossFrame: Share;
  /** Entries that people typed, verbatim in a context. */
  readonly human: Share;
  /** Sum of the shares of contexts that are the same as the start of the one before, and how many there were. */
  readonly prefix: Share;
  /** Tokens by section, and those of them that later messages use; of the contexts of the first three quarters. */
  readonly yield: Yield;
  /** Tokens of all contexts. */
  readonly tokens: number;
  /** Tokens of the greatest. */
  readonly greatest: number;
  readonly faults: Faults;
  /** Histories that came back from the method's log other than they went in; null where no method kept one. */
  readonly brokenLogs: number | null;
  readonly spending: Spending;
  /** Tokens of the histories. */
  readonly history: number;
  /** Milliseconds spent on making contexts, and on taking entries in. */
  readonly assembling: number;
  readonly appending: number;
}

const none: Share = { kept: 0, of: 0 };

/** Nothing yet. */
export const emptyTally: Tally = {
  contexts: 0,
  far: none,
  recalled: none,
  recalledAnywhere: none,
  recalledByName: none,
  farByClass: Object.fromEntries(nameClasses.map((kind) => [kind, none])) as Tally['farByClass'],
  names: none,
  spans: none,
  farSpans: none,
  directives: none,
  crossFrame: none,
  human: none,
  prefix: none,
  yield: bySection(() => none),
  tokens: 0,
  greatest: 0,
  faults: sound,
  brokenLogs: null,
  spending: { compressions: 0, calls: 0, input: 0, output: 0 },
  history: 0,
  assembling: 0,
  appending: 0,
};

/** The sum of tallies of different histories. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const sum = tallies.reduce((one, other) => add(one, other), emptyTally);
  return { ...sum, greatest: Math.max(0, ...tallies.map(({ greatest }) => greatest)) };
}

/** Adds numbers field by field, however deep; null is what nobody counted. */
function add<Value>(one: Value, other: Value): Value {
  if (one === null) return other;
  if (other === null) return one;
  if (typeof one === 'number') return (one + (other as number)) as Value;
  return Object.fromEntries(
    Object.entries(one as object).map(([field, value]) => [
      field,
      add(value, (other as Record<string, unknown>)[field]),
    ]),
  ) as Value;
}

/** A tally as people read it: shares from 0 to 1, null of nothing. */
export interface Rates {
  readonly far: number | null;
  readonly farByClass: Readonly<Record<NameClass, number | null>>;
  readonly recalled: number | null;
  readonly recalledAnywhere: number | null;
  readonly recalledByName: number | null;
  readonly names: number | null;
  readonly spans: number | null;
  readonly farSpans: number | null;
  readonly directives: number | null;
  readonly crossFrame: number | null;
  readonly human: number | null;
  readonly prefix: number | null;
  readonly yield: Readonly<Record<Section, number | null>>;
  /** Tokens of a context. */
  readonly mean: number | null;
  /** Tokens that a summarizer read and wrote for each 1,000 of history. */
  readonly summarizerIn: number | null;
  readonly summarizerOut: number | null;
  /** Milliseconds that a context took: its making, and taking in what came since the one before. */
  readonly ms: number | null;
}

/** The rates of a tally. */
export function ratesOf(tally: Tally): Rates {
  const { contexts, history, spending } = tally;
  return {
    far: rate(tally.far),
    farByClass: Object.fromEntries(
      nameClasses.map((kind) => [kind, rate(tally.farByClass[kind])]),
    ) as Rates['farByClass'],
    recalled: rate(tally.recalled),
    recalledAnywhere: rate(tally.recalledAnywhere),
    recalledByName: rate(tally.recalledByName),
    names: rate(tally.names),
    spans: rate(tally.spans),
    farSpans: rate(tally.farSpans),
    directives: rate(tally.directives),
    crossFrame: rate(tally.crossFrame),
    human: rate(tally.human),
    prefix: rate(tally.prefix),
    yield: bySection((section) => rate(tally.yield[section])),
    mean: rate({ kept: tally.tokens, of: contexts }),
    summarizerIn: rate({ kept: 1_000 * spending.input, of: history }),
    summarizerOut: rate({ kept: 1_000 * spending.output, of: history }),
    ms: rate({ kept: tally.assembling + tally.appending, of: contexts }),
  };
}
