import type { Entry, Move } from './history.ts';
import type { Shown } from './said.ts';

/** What a method spent on summaries, in tokens. */
export interface Spending {
  readonly compressions: number;
  /** Calls of a summarizer. */
  readonly calls: number;
  readonly input: number;
  readonly output: number;
}

/** One way to choose what a model sees, fed with one session. */
export interface Method {
  append(entry: Entry): Promise<void>;
  /** A change of frame or goal; left out where nobody looks at them. */
  readonly move?: (move: Move) => Promise<void>;
  /** What would be sent now; null where it refuses. */
  context(): Promise<readonly Shown[] | null>;
  /** Everything it took in, as it would give it back; left out where it keeps no log. */
  readonly log?: () => AsyncIterable<unknown>;
  /**
   * Places of the first entries that its search finds among those before a place, at most `limit`, the
   * best first; left out where it has none.
   */
  readonly recall?: (
    query: string,
    options: { readonly before: number; readonly limit: number },
  ) => Promise<readonly number[]>;
  /** The place of the entry with an id that its contexts use; left out where they use none. */
  readonly placeOf?: (id: string) => number | null;
  readonly spending?: () => Spending;
  readonly close?: () => Promise<void>;
}

/** What a method is told at the start. */
export interface Beginning {
  /** Tokens that a context may have. */
  readonly budget: number;
  /** The system prompt; '' for none. */
  readonly system: string;
  /** What the session is called. */
  readonly title: string;
}

/** A method by its name. */
export interface MethodKind {
  readonly name: string;
  /** What it does, in a line. */
  readonly about: string;
  begin(beginning: Beginning): Promise<Method>;
}
