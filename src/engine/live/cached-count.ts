import type { Count } from '../../core/messages/token-count.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';

// Laying sections out and shortening text counts the same lines again and again:
// at each epoch the same names, checkpoints and quotes, under each factor. Counts
// are cached in two generations; when the young one is full, the old one goes.

/** Size of one generation, in characters of its texts. */
const largest = 1 << 19;
/** Longest text that is cached, in characters. */
const longest = 1 << 16;

const counts = new WeakMap<Tokenizer, Count>();

/** The count of a tokenizer, with a cache that all sessions share. */
export function cachedCount(tokenizer: Tokenizer): Count {
  const known = counts.get(tokenizer);
  if (known !== undefined) return known;
  const count = withCache(tokenizer.count);
  counts.set(tokenizer, count);
  return count;
}

function withCache(count: Count): Count {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let held = 0;
  return (text) => {
    if (text.length > longest) return count(text);
    const fresh = young.get(text);
    if (fresh !== undefined) return fresh;
    const tokens = old.get(text) ?? count(text);
    held += text.length;
    if (held > largest) {
      old = young;
      young = new Map();
      held = text.length;
    }
    young.set(text, tokens);
    return tokens;
  };
}
