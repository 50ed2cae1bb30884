import type { Fact, SessionFact } from '../../../index.ts';
import type { Glyphs } from '../../paper/glyph.ts';
import { compressionNews } from './compression-news.ts';
import { entryTellers } from './entry-news.ts';
import { frameTellers } from './frame-news.ts';
import { goalNews, goalSet } from './goal-news.ts';
import {
  narratorState,
  type NarratorState,
  type NewsMoment,
  type Tellers,
} from './narrator-state.ts';
import { plainNews, type NewsLine } from './news-line.ts';

/** Makes news of facts, given in order, each with the session as it is then. */
export type Narrator = (
  fact: SessionFact | Fact,
  now: Pick<NewsMoment, 'state'>,
) => readonly NewsLine[];

/** A narrator for what comes after a moment; null is before the first one. */
export function narrator(after: NewsMoment | null, glyphs: Glyphs): Narrator {
  const memory = narratorState(after, glyphs);
  return (fact, now) => {
    const tell = tellers[fact.type] as
      | ((
          fact: SessionFact | Fact,
          memory: NarratorState,
          now: Pick<NewsMoment, 'state'>,
        ) => readonly NewsLine[])
      | undefined;
    return tell?.(fact, memory, now) ?? [];
  };
}

const sessionTellers: Tellers = {
  'session.created': ({ identity }, { titles }) => {
    titles.set('f0', identity.title);
    return [];
  },
  'goal.set': ({ goal }, memory) => {
    memory.goal = goal;
    return [goalSet(goal)];
  },
  'goal.updated': ({ goal }, memory) => {
    const news = goalNews(memory.goal, goal);
    memory.goal = goal;
    return news;
  },
  'compression.finished': (fact, memory, { state }) => {
    memory.compressions += 1;
    const { glyphs, compressions } = memory;
    return [compressionNews(fact, { n: compressions, state, glyphs })];
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
