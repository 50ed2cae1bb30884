import type { Bodies } from '../core/body.ts';
import { evolve } from '../core/evolve.ts';
import { textId, ordinal, type TextId } from '../core/id.ts';
import type { Fact } from '../core/journal.ts';
import type { Message } from '../core/message.ts';
import type { State } from '../core/state.ts';
import type { Count } from '../core/tokens.ts';

/** What deciding may use beside the state; everything in it is a pure function or a value. */
export interface Context {
  readonly count: Count;
  readonly bodies: Bodies;
  /** Milliseconds since 1970, as of this step. */
  readonly at: number;
}

/**
 * A step being decided: facts so far, the state after them, and the texts they
 * name. Each fact is folded in as it is told, so that the next decision sees it.
 */
export interface Draft {
  readonly state: State;
  readonly facts: readonly Fact[];
  readonly texts: ReadonlyMap<TextId, string>;
  readonly bodies: Bodies;
  readonly count: Count;
  readonly at: number;
  tell(...facts: readonly Fact[]): void;
  /** Gives a text an id; it is stored with the step. */
  write(text: string): TextId;
  /** Makes the message of an entry readable that this step appends. */
  hold(n: number, message: Message): void;
  /** A copy to try something on; `adopt` takes it over. */
  fork(): Draft;
  adopt(fork: Draft): void;
}

/** An empty draft on top of `state`; null before the first fact of a session. */
export function newDraft(state: State | null, context: Context): Draft {
  return makeDraft({ state, facts: [], texts: new Map(), held: new Map() }, context);
}

interface Inside {
  state: State | null;
  facts: Fact[];
  texts: Map<TextId, string>;
  held: Map<number, Message>;
}

function makeDraft(inside: Inside, context: Context): Draft {
  const draft: Draft = {
    get state() {
      return inside.state!;
    },
    get facts() {
      return inside.facts;
    },
    get texts() {
      return inside.texts;
    },
    bodies: {
      message: (n) => inside.held.get(n) ?? context.bodies.message(n),
      text: (id) => inside.texts.get(id) ?? context.bodies.text(id),
      short(id) {
        const text = inside.texts.get(id);
        return text === undefined ? context.bodies.short(id) : (JSON.parse(text) as Message);
      },
    },
    count: context.count,
    at: context.at,
    tell(...facts) {
      for (const fact of facts) {
        inside.facts.push(fact);
        inside.state = evolve(inside.state, fact, context.at);
      }
    },
    write(text) {
      const last = Math.max(inside.state!.texts, ...[...inside.texts.keys()].map(ordinal));
      const id = textId(last + 1);
      inside.texts.set(id, text);
      return id;
    },
    hold(n, message) {
      inside.held.set(n, message);
    },
    fork() {
      const copy = { ...inside, facts: [...inside.facts], texts: new Map(inside.texts) };
      return makeDraft({ ...copy, held: new Map(inside.held) }, context);
    },
    adopt(fork) {
      inside.state = fork.state;
      inside.facts = [...fork.facts];
      inside.texts = new Map(fork.texts);
    },
  };
  return draft;
}
