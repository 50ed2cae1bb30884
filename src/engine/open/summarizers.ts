import { embedded } from '../../core/budget/options.ts';
import { fail } from '../../core/values/error.ts';
import type { Summarizer } from '../../llm/summarizer.ts';
import type { SessionOptions } from '../commands/configure.ts';

/** The summarizers that a store has been given, by name. */
export interface Summarizers {
  readonly byName: ReadonlyMap<string, Summarizer>;
  /** Refuses a summarizer that is none, or a name that the store does not know; throws `OPTION_INVALID` or `SUMMARIZER_MISSING`. */
  check(options: SessionOptions): void;
  /** Adds the summarizer of a session's options; says whether its name is new, so that work may have waited for it. */
  add(options: SessionOptions): boolean;
}

/** The summarizers that a store begins with. */
export function newSummarizers(summarizers: readonly Summarizer[]): Summarizers {
  const byName = new Map(summarizers.map((one) => [one.name, one]));
  return {
    byName,
    check({ summarizer }) {
      if (summarizer === undefined) return;
      if (typeof summarizer !== 'string') return checkSummarizer(summarizer);
      if (summarizer === embedded || byName.has(summarizer)) return;
      throw fail('SUMMARIZER_MISSING', `No summarizer "${summarizer}" was given to this store`, {
        summarizer,
        known: [embedded, ...byName.keys()],
      });
    },
    add({ summarizer }) {
      if (summarizer === undefined || typeof summarizer === 'string') return false;
      const isNew = !byName.has(summarizer.name);
      byName.set(summarizer.name, summarizer);
      return isNew;
    },
  };
}

/** Refuses what is no summarizer; throws `OPTION_INVALID`. */
export function checkSummarizer(summarizer: Summarizer): void {
  const { name }: { name?: unknown } = Object(summarizer) as object;
  const isNamed = typeof name === 'string' && !['', embedded].includes(name);
  if (isNamed && typeof summarizer.summarize === 'function') return;
  throw fail(
    'OPTION_INVALID',
    `A summarizer is { name, summarize }, its name neither '' nor '${embedded}'`,
    { option: 'summarizer', value: name },
  );
}
