import type { Count } from '../../core/messages/token-count.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';

// Laying sections out and shortening text counts the same lines again and again:
// at each epoch the same names, checkpoints and quotes, under each factor. Counts
// are remembered in two generations; when the young one is full, the old one is
// forgotten. That a count was remembered cannot be seen but by its speed.

/** What one generation may hold, in characters of its texts. */
const largest = 1 << 19;
/** Longest text that is remembered, in characters. */
const longest = 1 << 16;

const known = new WeakMap<Tokenizer, Count>();

/** The count of a tokenizer, which remembers what it counted lately; one memory for all sessions. */
export function rememberedCount(tokenizer: Tokenizer): Count {
  const before = known.get(tokenizer);
  if (before !== undefined) return before;
  const count = remembering(tokenizer.count);
  known.set(tokenizer, count);
  return count;
}

function remembering(count: Count): Count {
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
