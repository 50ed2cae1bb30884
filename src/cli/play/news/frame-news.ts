import type { FrameStatus, SessionFact } from '../../../index.ts';
import type { Glyphs } from '../../paper/glyph.ts';
import type { Format } from '../../paper/format.ts';
import type { Lesson } from './lesson.ts';
import type { NarratorState, Tellers } from './narrator-state.ts';
import type { NewsLine } from './news-line.ts';

/** News of frames. */
export const frameTellers: Tellers = {
  'frame.pushed': (fact, memory) => {
    memory.titles.set(fact.frame, fact.identity.title);
    const { parent, identity } = fact;
    return [newsOf(fact, memory, { word: 'push', brief: identity.brief, data: { parent } })];
  },
  'frame.planned': (fact, memory) => {
    memory.titles.set(fact.frame, fact.identity.title);
    return [newsOf(fact, memory, { word: 'plan', brief: '', data: { parent: fact.parent } })];
  },
  'frame.edited': ({ frame, identity }, { titles }) => {
    titles.set(frame, identity.title);
    return [];
  },
  'frame.started': (fact, memory) => [newsOf(fact, memory, { word: 'start', brief: '' })],
  'frame.retried': (fact, memory) => {
    memory.titles.set(fact.frame, memory.titles.get(fact.of) ?? fact.of);
    return [newsOf(fact, memory, { word: 'retry', brief: '', data: { of: fact.of } })];
  },
  'frame.popped': (fact, memory) => {
    const { status, results, reason } = fact;
    const brief = results.brief || (reason ?? '');
    return [newsOf(fact, memory, { word: status, brief, data: { status } })];
  },
  'frame.invalidated': (fact, memory) => [
    newsOf(fact, memory, { word: 'invalidated', brief: fact.reason }),
  ],
};

type FrameWord = 'push' | 'plan' | 'start' | 'retry' | FrameStatus;

const looks: Readonly<Record<FrameWord, readonly [keyof Glyphs, Format, ...Lesson[]]>> = {
  push: ['active', 'green', 'frame'],
  plan: ['planned', 'gray', 'plan'],
  start: ['active', 'green', 'frame'],
  retry: ['active', 'green', 'frame'],
  planned: ['planned', 'gray'],
  in_progress: ['active', 'green'],
  completed: ['completed', 'green', 'results'],
  failed: ['failed', 'red', 'results'],
  blocked: ['blocked', 'yellow', 'results'],
  invalidated: ['invalidated', 'red', 'invalidated'],
};

function newsOf(
  fact: SessionFact & { readonly frame: string },
  { titles }: NarratorState,
  words: { word: FrameWord; brief: string; data?: Readonly<Record<string, unknown>> },
): NewsLine {
  const { word, brief } = words;
  const { frame, type } = fact;
  const [glyph, format, ...lessons] = looks[word];
  const title = titles.get(frame) ?? frame;
  const isNew = brief !== '' && brief !== title;
  const data = { frame, title, ...words.data, ...(isNew ? { brief } : {}) };
  return { type, glyph, format, word, text: title, more: isNew ? [brief] : [], lessons, data };
}
