import type { Bodies } from '../../core/messages/bodies.ts';
import { frameId, ordinal, type TextId } from '../../core/values/id.ts';
import type { Message } from '../../core/messages/message.ts';
import type { State } from '../../core/state/state.ts';
import { recentResults } from '../../core/frames/recent-results.ts';
import { frameOf, path } from '../../core/frames/tree.ts';

/** The bodies that a state refers to: positions of entries, and texts. */
export interface References {
  readonly messages: ReadonlySet<number>;
  readonly texts: ReadonlySet<TextId>;
  /** Texts that are shortened messages. */
  readonly shorts: ReadonlySet<TextId>;
}

/** The bodies that assembling or deciding may read. Bounded by what is open, not by history. */
export function referencesOf(state: State): References {
  const messages = new Set<number>();
  const texts = new Set<TextId>();
  const shorts = new Set<TextId>();
  const addEntry = (entry: { n: number; text?: TextId } | null): void => {
    if (entry === null) return;
    messages.add(entry.n);
    if (entry.text !== undefined) shorts.add(entry.text);
  };
  for (const view of state.views.values()) {
    for (const item of view.items) addEntry(item);
    for (const entry of view.human) addEntry(entry);
    for (const { text, rewrite, breadcrumbs } of view.checkpoints) {
      texts.add(text);
      for (const id of breadcrumbs?.texts ?? []) texts.add(id);
      if (rewrite !== undefined) texts.add(rewrite.text);
    }
  }
  for (const { source } of state.chronicle.lines) texts.add(source);
  if (state.epochView.plan.index !== null) texts.add(state.epochView.plan.index);
  if (state.losses.recovered !== null) texts.add(state.losses.recovered.text);
  if (state.documents.recovered !== null) texts.add(state.documents.recovered);
  addEntry(state.newest);
  addEntry(state.epochView.newest);
  for (const tree of [state.frames, state.epochView.frames])
    for (const { partial } of tree.length > 0 ? path(tree, shownActive(state, tree)) : [])
      if (partial !== null) texts.add(partial.text);
  for (const text of resultsIn(state)) texts.add(text);
  return { messages, texts, shorts };
}

/** The results that the epoch shows in full, and those that the next one may. */
function resultsIn({ frames, views, active, epochView }: State): readonly TextId[] {
  const whole = epochView.plan.whole.map((id) => frameOf(epochView.frames, id));
  const open = new Set([...views.keys(), ...path(frames, active).map(({ id }) => id)]);
  const recent = [...open].flatMap((id) => recentResults(frames, frameOf(frames, id)));
  return [...whole, ...recent].map(({ results }) => results!.text);
}

function shownActive(state: State, tree: State['frames']): State['active'] {
  return ordinal(state.active) < tree.length ? state.active : frameId(0);
}

/** Bodies kept in memory while a state refers to them. */
export interface BodyCache extends Bodies {
  putMessage(n: number, message: Message): void;
  putText(id: TextId, text: string): void;
  /** Drops all but `references`. */
  keep(references: References): void;
}

/** An empty cache. */
export function newBodies(): BodyCache {
  const messages = new Map<number, Message>();
  const texts = new Map<TextId, string>();
  const shorts = new Map<TextId, Message>();
  return {
    message: (n) => found(messages.get(n), `e${n}`),
    text: (id) => found(texts.get(id), id),
    short(id) {
      const known = shorts.get(id);
      if (known !== undefined) return known;
      const message = JSON.parse(found(texts.get(id), id)) as Message;
      shorts.set(id, message);
      return message;
    },
    putMessage: (n, message) => void messages.set(n, message),
    putText: (id, text) => void texts.set(id, text),
    keep(references) {
      for (const n of messages.keys()) if (!references.messages.has(n)) messages.delete(n);
      for (const id of texts.keys())
        if (!references.texts.has(id) && !references.shorts.has(id)) texts.delete(id);
      for (const id of shorts.keys()) if (!references.shorts.has(id)) shorts.delete(id);
    },
  };
}

function found<T>(body: T | undefined, id: string): T {
  if (body !== undefined) return body;
  throw new Error(`Body ${id} is not in memory; the state should not refer to it`);
}
