import type { Fact } from '../../core/state/fact.ts';

/** A fact that is durable, with its place in the journal. */
export type SessionFact = Fact & {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** A function that is called with each thing that is told. */
export type Listener<Told = SessionFact> = (told: Told) => void;

/** Who listens to a session or a machine. */
interface Listeners<Told> {
  /** Adds one; returns the function that removes it. */
  add(listener: Listener<Told>): () => void;
  /** Calls each of them with each of these, in order. */
  notify(all: readonly Told[]): void;
}

/** An empty set of listeners. */
export function newListeners<Told = SessionFact>(): Listeners<Told> {
  const listeners = new Set<Listener<Told>>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify(all) {
      for (const told of all) for (const listener of listeners) call(listener, told);
    },
  };
}

/** A listener that throws is its host's mistake: it surfaces as uncaught, and takes nothing of the engine with it. */
function call<Told>(listener: Listener<Told>, told: Told): void {
  try {
    listener(told);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
