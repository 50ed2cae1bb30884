import type { FrameNode, Goal, SessionFact, SessionState } from '../../../index.ts';
import type { Glyphs } from '../../paper/glyph.ts';
import { framesIn } from '../../sessions/words/frame-titles.ts';
import type { NewsLine } from './news-line.ts';

/** A session at the moment of which is told. */
export interface NewsMoment {
  readonly state: SessionState;
  tree(): FrameNode;
}

/** State of a narrator: what later facts refer to. */
export interface NarratorState {
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
    now: Pick<NewsMoment, 'state'>,
  ) => readonly NewsLine[];
};

/** The state after a moment; null is before the first one. */
export function narratorState(after: NewsMoment | null, glyphs: Glyphs): NarratorState {
  const frames = after === null ? [] : [...framesIn(after.tree())];
  const titles = new Map(frames.map(({ id, title }) => [id, title]));
  const { goal, compressions } = after?.state ?? { goal: null, compressions: 0 };
  return { glyphs, titles, tokens: new Map(), goal, compressions };
}
