import type { SessionFact, SessionState } from '../../../index.ts';
import type { Glyphs } from '../../paper/glyph.ts';
import { many, number } from '../../paper/size.ts';
import type { NewsLine } from './news-line.ts';

/** A fact that says how a compression ended. */
export type FinishedCompression = Extract<SessionFact, { type: 'compression.finished' }>;

/** News of a compression, with the checkpoints of its frame as they are after it. */
export function compressionNews(
  fact: FinishedCompression,
  context: { n: number; state: Pick<SessionState, 'checkpoints' | 'budget'>; glyphs: Glyphs },
): NewsLine {
  const { before, after, facts, kept, by, checkpoint, frame } = fact;
  const { n, state, glyphs } = context;
  const checkpoints = state.checkpoints.filter((one) => one.frame === frame);
  const visible = checkpoints.toReversed().filter(({ tokens }) => tokens > 0);
  const sizes = visible.map(({ id, age, tokens, entries }, index) => {
    const of = id === checkpoint ? ` (${many(entries, 'entry', 'entries')})` : '';
    const size = index === 0 ? many(tokens, 'token') : number(tokens);
    return `${age} ${size}${of}`;
  });
  return {
    type: 'compression.finished',
    glyph: 'compression',
    format: 'yellow',
    word: `compression ${n}`,
    text: `${number(before)} ${glyphs.to} ${number(after)} tokens`,
    more: [
      ...(sizes.length === 0 ? [] : [`checkpoints: ${sizes.join(` ${glyphs.dot} `)}`]),
      ...(by === 'fallback' ? ['the summarizer failed; the fallback wrote it'] : []),
    ],
    lessons: [
      'compression',
      ...(state.budget.chronicle > 0 ? (['chronicle'] as const) : []),
      ...(checkpoints.length > 1 ? (['aging'] as const) : []),
    ],
    data: {
      n,
      frame,
      before,
      after,
      facts,
      kept,
      by,
      checkpoints: checkpoints.map(({ id, age, tokens, entries }) => ({
        id,
        age,
        tokens,
        entries,
      })),
    },
  };
}
