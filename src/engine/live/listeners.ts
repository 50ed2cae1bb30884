import type { Fact } from '../../core/state/fact.ts';
import type { JournalRecord } from '../../core/state/input.ts';

/** A fact as listeners hear it: once durable, with its place in the journal. */
export type SessionFact = Fact & {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** Hears facts. */
export type Listener = (fact: SessionFact) => void;

/** Who hears a session's facts. */
export interface Listeners {
  /** One more; returns how to take it off. */
  add(listener: Listener): () => void;
  /** Tells everybody each fact of a record. */
  tell(record: JournalRecord): void;
}

/** Nobody yet. */
export function newListeners(): Listeners {
  const listeners = new Set<Listener>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell({ facts, seq, at }) {
      for (const fact of facts)
        for (const listener of listeners) hear(listener, { ...fact, seq, at });
    },
  };
}

/** A listener that throws is its host's mistake: it surfaces as uncaught, and takes nothing of the engine with it. */
function hear(listener: Listener, fact: SessionFact): void {
  try {
    listener(fact);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
