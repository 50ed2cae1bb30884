import { lifecycles } from '../../../machines/lifecycle.ts';
import type { Bodies } from '../../core/messages/bodies.ts';
import { evolve, type Folding } from '../../core/state/evolve.ts';
import { textId, ordinal, type TextId } from '../../core/values/id.ts';
import type { Fact } from '../../core/state/fact.ts';
import type { Message } from '../../core/messages/message.ts';
import { atOnce, type Part } from '../../core/values/parts.ts';
import type { State } from '../../core/state/state.ts';
import { countFor, type Count } from '../../core/messages/token-count.ts';
import { movesOf } from './fact-moves.ts';
import type { Transition } from './trace.ts';

/** What deciding may use beside the state; everything in it is a pure function or a value. */
export interface DecideContext {
  readonly count: Count;
  readonly bodies: Bodies;
  /** Milliseconds since 1970, as of this step. */
  readonly at: number;
  /** Does a part of the work; at once unless told. */
  readonly part?: Part;
  /** Whether somebody is told which machine went where; false unless told. */
  readonly isTraced?: boolean;
}

/**
 * A step being decided: facts so far, the state after them, and the texts they
 * name. Each fact is folded in as it is recorded, so that the next decision sees it.
 */
export interface Draft {
  /** The state before the step; null before the first fact of a session. */
  readonly before: State | null;
  readonly state: State;
  readonly facts: readonly Fact[];
  readonly texts: ReadonlyMap<TextId, string>;
  readonly bodies: Bodies;
  readonly count: Count;
  readonly at: number;
  /** Does a part of the work that takes a while: a decision may be begun again behind it. */
  readonly part: Part;
  /** Which machine went where so far; null where nobody is told. */
  readonly trace: readonly Transition[] | null;
  /** Adds moves of machines that no fact tells of; nothing where nobody is told. */
  tell(...moves: readonly Transition[]): void;
  record(...facts: readonly Fact[]): void;
  /** Gives a text an id; it is stored with the step. */
  write(text: string): TextId;
  /** Adds the message of an entry that this step appends to `bodies`. */
  putMessage(n: number, message: Message): void;
  /** A copy to try something on. */
  fork(): Draft;
  /** Takes over the facts, the state, the texts and the messages of a fork. */
  adopt(fork: Draft): void;
  /**
   * Does a stage of the step as one part, though it records: on a fork, which is taken over. A decision that is
   * begun again behind it goes through nothing of it; to find the way back through all of its parts took some
   * 2 ms each time.
   */
  stage<T>(work: (draft: Draft) => T): T;
}

/** An empty draft on top of `state`; null before the first fact of a session. */
export function newDraft(state: State | null, context: DecideContext): Draft {
  const trace = context.isTraced === true ? [] : null;
  const lists = { facts: [], texts: new Map(), messages: [], trace };
  return new StepDraft({ before: state, state, areShared: false, ...lists }, context);
}

interface DraftLists {
  readonly facts: Fact[];
  readonly texts: Map<TextId, string>;
  /** Those of the entries that the step appends, in their order. */
  readonly messages: Message[];
  readonly trace: Transition[] | null;
}

interface DraftContent extends DraftLists {
  readonly before: State | null;
  state: State | null;
  /** Whether a fork has the lists, too: they are copied before they change. */
  readonly areShared: boolean;
}

const copied = ({ facts, texts, messages, trace }: DraftLists): DraftLists => ({
  facts: [...facts],
  texts: new Map(texts),
  messages: [...messages],
  trace: trace && [...trace],
});

/** A class, because one is made for each step: an object literal would make a closure for each method. */
class StepDraft implements Draft, Bodies {
  readonly count: Count;
  readonly at: number;
  readonly part: Part;
  #content: DraftContent;
  readonly #context: DecideContext;
  readonly #folding: Folding;

  constructor(content: DraftContent, context: DecideContext) {
    this.#content = content;
    this.#context = context;
    this.count = countFor(context.count, content.before?.options);
    this.at = context.at;
    this.part = context.part ?? atOnce;
    this.#folding = { at: context.at, lifecycles };
  }

  get before(): State | null {
    return this.#content.before;
  }

  get state(): State {
    return this.#content.state!;
  }

  get facts(): readonly Fact[] {
    return this.#content.facts;
  }

  get texts(): ReadonlyMap<TextId, string> {
    return this.#content.texts;
  }

  get trace(): readonly Transition[] | null {
    return this.#content.trace;
  }

  get bodies(): Bodies {
    return this;
  }

  message(n: number): Message {
    return this.#content.messages[this.#indexOf(n)] ?? this.#context.bodies.message(n);
  }

  text(id: TextId): string {
    return this.#content.texts.get(id) ?? this.#context.bodies.text(id);
  }

  short(id: TextId): Message {
    const text = this.#content.texts.get(id);
    return text === undefined ? this.#context.bodies.short(id) : (JSON.parse(text) as Message);
  }

  tell(...moves: readonly Transition[]): void {
    this.#own().trace?.push(...moves);
  }

  record(...facts: readonly Fact[]): void {
    const content = this.#own();
    for (const fact of facts) {
      const before = content.state;
      content.facts.push(fact);
      content.state = this.part(() => evolve(before, fact, this.#folding));
      if (content.trace !== null) this.tell(...movesOf(before, fact, content.state));
    }
  }

  write(text: string): TextId {
    const { state, texts } = this.#own();
    const last = Math.max(state!.textCount, ...[...texts.keys()].map(ordinal));
    const id = textId(last + 1);
    texts.set(id, text);
    return id;
  }

  putMessage(n: number, message: Message): void {
    this.#own().messages[this.#indexOf(n)] = message;
  }

  #indexOf(n: number): number {
    return n - 1 - (this.before?.entryCount ?? 0);
  }

  fork(): StepDraft {
    this.#content = { ...this.#content, areShared: true };
    return new StepDraft(this.#content, this.#context);
  }

  stage<T>(work: (draft: Draft) => T): T {
    const { fork, value } = this.part(() => {
      const fork = this.fork();
      return { fork, value: work(fork) };
    });
    this.adopt(fork);
    return value;
  }

  adopt(fork: StepDraft): void {
    fork.#content = { ...fork.#content, areShared: true };
    this.#content = { ...fork.#content, before: this.before };
  }

  /** The content, with lists that may change. */
  #own(): DraftContent {
    if (this.#content.areShared)
      this.#content = { ...this.#content, ...copied(this.#content), areShared: false };
    return this.#content;
  }
}
