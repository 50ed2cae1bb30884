import type { Count } from '../core/tokens.ts';
import { toMemo } from './memo.ts';
import { toMerge } from './merge.ts';
import { toSplit } from './split.ts';
import type { Encoding } from './tokenizer.ts';
import { toRank, type Ranks } from './vocabulary.ts';

/**
 * The exact count of `encoding`: split into pieces, one token for each that is in
 * the vocabulary, byte-pair merging for the others. Time is near-linear in the text,
 * whatever it is. Lone surrogates count as U+FFFD, text of special tokens as text.
 */
export function toCount(encoding: Encoding, ranks: Ranks): Count {
  const split = toSplit(encoding, ranks.pat_str);
  const rank = toRank(ranks.bpe_ranks);
  const merge = toMemo(toMerge(rank));
  return (text) => {
    let tokens = 0;
    split(text, (bytes, start, end) => {
      const known = end - start === 1 || rank(bytes, start, end) >= 0;
      tokens += known ? 1 : merge(bytes, start, end);
    });
    return tokens;
  };
}
