import type { Fact } from '../../core/state/fact.ts';
import type { JournalRecord } from '../../core/state/input.ts';

/** A fact that is durable, with its place in the journal. */
export type SessionFact = Fact & {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** A function that is called with each fact. */
export type Listener = (fact: SessionFact) => void;

/** The listeners of a session. */
interface Listeners {
  /** Adds one; returns the function that removes it. */
  add(listener: Listener): () => void;
  /** Calls each of them with each fact of a record. */
  notify(record: JournalRecord): void;
}

/** An empty set of listeners. */
export function newListeners(): Listeners {
  const listeners = new Set<Listener>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify({ facts, seq, at }) {
      for (const fact of facts)
        for (const listener of listeners) call(listener, { ...fact, seq, at });
    },
  };
}

/** A listener that throws is its host's mistake: it surfaces as uncaught, and takes nothing of the engine with it. */
function call(listener: Listener, fact: SessionFact): void {
  try {
    listener(fact);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
