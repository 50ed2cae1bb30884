import { number } from '../../paper/size.ts';
import type { NarratorState, Tellers } from './narrator-state.ts';
import { plainNews, type NewsLine } from './news-line.ts';

/** News of entries; those that came whole make none. */
export const entryTellers: Tellers = {
  'entry.appended': ({ entry, tokens, form, shown }, memory) => {
    memory.tokens.set(entry, tokens);
    return form === 'short' ? [shortened(entry, shown, memory)] : [];
  },
  'entry.shortened': ({ entry, tokens }, memory) => [shortened(entry, tokens, memory)],
  'entry.cleared': ({ entries }, { tokens, glyphs }) => {
    const ids = entries.map(([n]) => `e${n}`);
    const before = ids.reduce((sum, id) => sum + (tokens.get(id) ?? 0), 0);
    const after = entries.reduce((sum, [, size]) => sum + size, 0);
    const what = ids.length === 1 ? `the result ${ids[0]}` : `${ids.length} results, ${span(ids)}`;
    const text = `${what}: ${number(before)} ${glyphs.to} ${number(after)} tokens`;
    return [newsOf('cleared', text, { entries: ids, before, after })];
  },
  'entry.offloaded': ({ entries, quotes }) => {
    const how = quotes.length === 0 ? 'not in view' : 'in part';
    const text = `what a person said in ${span(entries)}: ${how} from now on`;
    return [newsOf('offloaded', text, { entries, quotes: quotes.length })];
  },
  'unit.closed': ({ type, calls }) => [
    {
      ...plainNews(type, {
        word: 'call given up',
        text: `${calls.map(({ name }) => name).join(', ')}: no result came`,
        data: { calls: calls.map(({ id, name }) => ({ id, name })) },
      }),
      lessons: ['givenUp'],
    },
  ],
};

function shortened(entry: string, after: number, { tokens, glyphs }: NarratorState): NewsLine {
  const before = tokens.get(entry) ?? null;
  const was = before === null ? '' : `${number(before)} ${glyphs.to} `;
  const text = `${entry}: ${was}${number(after)} tokens`;
  return newsOf('shortened', text, { entry, before, after });
}

function newsOf(
  word: 'shortened' | 'cleared' | 'offloaded',
  text: string,
  data: Readonly<Record<string, unknown>>,
): NewsLine {
  const glyph = word === 'offloaded' ? 'offloaded' : 'shortened';
  const type = `entry.${word}`;
  return { type, glyph, format: 'cyan', word, text, more: [], lessons: [word], data };
}

/** Ids as people name them: one, two, or the first and last. */
function span(ids: readonly string[]): string {
  return ids.length < 3 ? ids.join(' and ') : `${ids[0]} to ${ids.at(-1)}`;
}
