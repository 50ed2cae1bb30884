import type { Assembly, Fact, OutMessage } from '../../index.ts';

/** Counts of a play. */
export interface PlayCounts {
  /** Prompts that were assembled, one after each step. */
  readonly assemblies: number;
  /** Tokens of the largest. */
  readonly largest: number;
  /** Of those, how many were over the limit. */
  readonly over: number;
  /** Prompts that the engine refused to make. */
  readonly refused: number;
  /** Calls of the model: entries of the assistant. */
  readonly calls: number;
  /** Tokens of the prompts of those calls, and how many of them began the prompt before. */
  readonly sent: number;
  readonly reused: number;
  readonly compressions: number;
  /** Entries that were shortened, cleared or put out of view, each counted once. */
  readonly shortened: number;
  readonly cleared: number;
  readonly offloaded: number;
  readonly entries: number;
  /** Tokens of the entries of each frame. */
  readonly byFrame: ReadonlyMap<string, number>;
}

/** Counts facts and prompts. */
export interface PlayCounter {
  addFact(fact: Fact): void;
  addPrompt(assembly: Assembly): void;
  addRefusal(): void;
  readonly tally: PlayCounts;
}

/** A counter that starts at zero. */
export function playCounter(): PlayCounter {
  const byFrame = new Map<string, number>();
  const tally = {
    assemblies: 0,
    largest: 0,
    over: 0,
    refused: 0,
    calls: 0,
    sent: 0,
    reused: 0,
    compressions: 0,
    entries: 0,
    byFrame,
  };
  const relieved = {
    shortened: new Set<string>(),
    cleared: new Set<number>(),
    offloaded: new Set<string>(),
  };
  let last: Assembly | null = null;
  let lastSent: Assembly | null = null;

  /** An assistant's entry answers the prompt that was made before it. */
  const call = (): void => {
    tally.calls += 1;
    if (last === null) return;
    tally.sent += sizeOf(last);
    if (lastSent !== null) tally.reused += sameStart(lastSent, last);
    lastSent = last;
  };

  return {
    get tally() {
      const { shortened, cleared, offloaded } = relieved;
      return {
        ...tally,
        shortened: shortened.size,
        cleared: cleared.size,
        offloaded: offloaded.size,
      };
    },
    addFact(fact) {
      if (fact.type === 'entry.appended') {
        tally.entries += 1;
        byFrame.set(fact.frame, (byFrame.get(fact.frame) ?? 0) + fact.tokens);
        if (fact.form === 'short') relieved.shortened.add(fact.entry);
        if (fact.role === 'assistant') call();
      } else if (fact.type === 'entry.shortened') relieved.shortened.add(fact.entry);
      else if (fact.type === 'entry.cleared')
        for (const [n] of fact.entries) relieved.cleared.add(n);
      else if (fact.type === 'entry.offloaded')
        for (const entry of fact.entries) relieved.offloaded.add(entry);
      else if (fact.type === 'compression.finished') tally.compressions += 1;
    },
    addPrompt(assembly) {
      const size = sizeOf(assembly);
      tally.assemblies += 1;
      tally.largest = Math.max(tally.largest, size);
      if (size > assembly.budget.limit) tally.over += 1;
      last = assembly;
    },
    addRefusal() {
      tally.refused += 1;
      last = null;
    },
  };
}

/** Tokens of a prompt: what its budget says, or the sum of its messages where that is more. */
function sizeOf({ budget, messages }: Assembly): number {
  const sum = messages.reduce((sum, { tokens }) => sum + tokens, budget.tools);
  return Math.max(budget.total, sum);
}

/** Tokens at the start of `next` that are the same, message by message, as in `before`. */
function sameStart(before: Assembly, next: Assembly): number {
  let same = 0;
  for (const [index, message] of next.messages.entries()) {
    const old = before.messages[index];
    if (old === undefined || !isSame(old, message)) break;
    same += message.tokens;
  }
  return same;
}

function isSame(one: OutMessage, other: OutMessage): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
