import type { Session, SessionFact } from '../../../index.ts';
import type { Glyphs } from '../../paper/glyph.ts';
import { compressionNews } from './compression-news.ts';
import { entryTellers } from './entry-news.ts';
import { frameTellers } from './frame-news.ts';
import { goalNews, goalSet } from './goal-news.ts';
import { narratorState, type NarratorState, type Tellers } from './narrator-state.ts';
import { plainNews, type NewsLine } from './news-line.ts';

/** Makes news of facts, given in order. */
export type Narrator = (fact: SessionFact) => readonly NewsLine[];

/** A narrator for a session, from where it is now. */
export function narrator(session: Session, glyphs: Glyphs): Narrator {
  const memory = narratorState(session, glyphs);
  return (fact) => {
    const tell = tellers[fact.type] as
      | ((fact: SessionFact, memory: NarratorState) => readonly NewsLine[])
      | undefined;
    return tell?.(fact, memory) ?? [];
  };
}

const sessionTellers: Tellers = {
  'goal.set': ({ goal }, memory) => {
    memory.goal = goal;
    return [goalSet(goal)];
  },
  'goal.updated': ({ goal }, memory) => {
    const news = goalNews(memory.goal, goal);
    memory.goal = goal;
    return news;
  },
  'compression.finished': (fact, memory) => {
    memory.compressions += 1;
    const { glyphs, compressions, session } = memory;
    return [compressionNews(fact, { n: compressions, state: session.state, glyphs })];
  },
  'compression.failed': ({ type, attempt, reason, frame }) => [
    plainNews(type, {
      word: 'compression failed',
      text: `attempt ${attempt}: ${reason}`,
      data: { frame, attempt, reason },
    }),
  ],
  'session.rolledOver': ({ type, frame }) => [
    plainNews(type, {
      word: 'rollover',
      text: 'the frame goes on with one merged checkpoint',
      data: { frame },
    }),
  ],
};

const tellers: Tellers = { ...sessionTellers, ...frameTellers, ...entryTellers };
