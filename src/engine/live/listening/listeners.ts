import type { Fact } from '../../../core/state/fact.ts';

/** A fact that is durable, with its place in the journal. */
export type SessionFact = Fact & {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** A function that is called with each thing that is told. */
export type Listener<Notice = SessionFact> = (notice: Notice) => void;

/** Who listens to a session or a machine. */
interface Listeners<Notice> {
  /** Adds one; returns the function that removes it. */
  add(listener: Listener<Notice>): () => void;
  /** Calls each of them with each of these, in order. */
  notify(all: Iterable<Notice>): void;
}

/** An empty set of listeners. */
export function newListeners<Notice = SessionFact>(): Listeners<Notice> {
  const listeners = new Set<Listener<Notice>>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify(all) {
      if (listeners.size === 0) return;
      for (const notice of all) for (const listener of listeners) call(listener, notice);
    },
  };
}

/** A listener that throws is its host's mistake: it surfaces as uncaught, and takes nothing of the engine with it. */
function call<Notice>(listener: Listener<Notice>, notice: Notice): void {
  try {
    listener(notice);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
