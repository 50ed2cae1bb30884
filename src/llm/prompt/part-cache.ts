import { createHash } from 'node:crypto';

// A slow model may need longer for all pieces of a long record than the engine
// waits for a summary. What it wrote by then is kept, so that the next attempt
// goes on where the last one was ended; a strict one takes the parts, too.

/** What a model wrote of single pieces, found again by what it was shown. */
export interface PartCache {
  /** The summary of a piece, by the question for it; undefined where there is none. */
  find(question: string): string | undefined;
  store(question: string, text: string): void;
}

/** Most parts that are kept, about those of the last four tasks; the oldest go first. */
const most = 100;

/** Memory of one summarizer: empty, and bounded. */
export function partCache(): PartCache {
  const parts = new Map<string, string>();
  const keyOf = (question: string): string =>
    createHash('sha256').update(question).digest('base64');
  return {
    find: (question) => parts.get(keyOf(question)),
    store(question, text) {
      parts.set(keyOf(question), text);
      const [oldest] = parts.keys();
      if (parts.size > most && oldest !== undefined) parts.delete(oldest);
    },
  };
}
