import type { Schema } from '../values/validation.ts';

/** What a server counted, in its own tokens. */
export interface Usage {
  /** All of the prompt, whether a cache served it or not. */
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Of the prompt, what a cache served. */
  readonly cachedInputTokens?: number | undefined;
  /** Of the prompt, what was written to a cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** Of the answer, what the model thought. */
  readonly reasoningTokens?: number | undefined;
}

const fields = [
  'inputTokens',
  'outputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'reasoningTokens',
] as const;

/** A usage that has none of our names is a server's own, or misspelled: its counts would be lost unseen, each time. */
export const usageNames: Schema = {
  holds: (usage) => {
    const names = Object.keys(Object(usage) as object);
    return names.length === 0 || fields.some((name) => names.includes(name));
  },
  takes: `{ ${fields.map((name) => `${name}?`).join(', ')} }, as usageOf reads it from an answer`,
};

/** A usage of the counts that are whole numbers from 0; any other is left out, as nothing is lost over one. */
export function usageFrom(counts: { readonly [Name in keyof Usage]?: unknown }): Usage {
  return Object.fromEntries(
    fields.flatMap((name) => {
      const count = counts[name];
      return Number.isSafeInteger(count) && (count as number) >= 0 ? [[name, count]] : [];
    }),
  );
}
