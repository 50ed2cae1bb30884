import type { FrameNode, Goal, Session, SessionFact } from '../../../index.ts';
import type { Glyphs } from '../../paper/glyph.ts';
import type { NewsLine } from './news-line.ts';

/** State of a narrator: what later facts refer to. */
export interface NarratorState {
  readonly session: Session;
  readonly glyphs: Glyphs;
  readonly titles: Map<string, string>;
  /** Of entries, as they came in. */
  readonly tokens: Map<string, number>;
  goal: Goal | null;
  compressions: number;
}

/** A fact of one type. */
export type FactOfType<Type extends SessionFact['type']> = Extract<SessionFact, { type: Type }>;

/** News of facts, by type; facts without an entry make none. */
export type Tellers = {
  readonly [Type in SessionFact['type']]?: (
    fact: FactOfType<Type>,
    memory: NarratorState,
  ) => readonly NewsLine[];
};

/** The state for a session as it is now. */
export function narratorState(session: Session, glyphs: Glyphs): NarratorState {
  const titles = new Map<string, string>();
  const waiting: FrameNode[] = [session.frames.tree()];
  for (let frame = waiting.pop(); frame !== undefined; frame = waiting.pop()) {
    titles.set(frame.id, frame.title);
    waiting.push(...frame.children);
  }
  const { goal } = session.state;
  return { session, glyphs, titles, tokens: new Map(), goal, compressions: 0 };
}
