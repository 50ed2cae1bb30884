import type { Count } from '../core/messages/token-count.ts';
import { toMemo } from './memo.ts';
import { toMerge, type Merge } from './merge.ts';
import { toSplit } from './split/split.ts';
import { toStream, type TokenStream } from './stream.ts';
import type { Encoding } from './tokenizer.ts';
import { toRank, type Vocabulary } from './vocabulary.ts';

/** What counts by one vocabulary. */
export interface Counter {
  readonly count: Count;
  /** An empty stream, which counts a text that arrives bit by bit. */
  stream(): TokenStream;
}

/**
 * The exact counter of `encoding`: split into pieces, one token for each that is in
 * the vocabulary, byte-pair merging for the others. Time is near-linear in the text,
 * whatever it is. Lone surrogates count as U+FFFD, text of special tokens as text.
 */
export function toCounter(encoding: Encoding, { pattern, table }: Vocabulary): Counter {
  const split = toSplit(encoding, pattern);
  const rank = toRank(table);
  const merge = toMemo(toMerge(rank));
  const piece: Merge = (bytes, start, end) =>
    end - start === 1 || rank(bytes, start, end) >= 0 ? 1 : merge(bytes, start, end);
  return {
    count(text) {
      let tokens = 0;
      split(text, (bytes, start, end) => {
        tokens += piece(bytes, start, end);
      });
      return tokens;
    },
    stream: () => toStream({ split, rank, piece }),
  };
}
