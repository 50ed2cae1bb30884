import type { Summarizer } from '../../../src/index.ts';

/** A summarizer that takes over how each entry begins; `onAsked` is called first. */
export function firstLines(onAsked: () => void = () => {}): Summarizer {
  return {
    name: 'first-lines',
    async summarize({ entries, target }) {
      onAsked();
      const lines = entries.map(({ id, content }) => `${id}: ${beginning(content)}`);
      return lines.join('\n').slice(0, 2 * target);
    },
  };
}

const beginning = (content: unknown): string =>
  (typeof content === 'string' ? content : JSON.stringify(content)).slice(0, 60);
