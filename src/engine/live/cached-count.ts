import type { Count } from '../../core/messages/token-count.ts';
import { readLately } from '../../core/values/read-once.ts';
import { linesOf } from '../../tokenizer/cut.ts';
import type { Tokenizer } from '../../tokenizer/tokenizer.ts';

// Laying sections out and shortening text counts the same lines again and again:
// a section is that of the epoch before but for some lines, a head is a little
// longer than the one tried before. So counts are cached by line, in two
// generations; when the young one is full, the old one goes. A whole section is often
// that of the last trial, so the last few are cached as they are, too.

/** Size of one generation, in characters of its texts. */
const largest = 1 << 21;
/** Longest line that is cached, in characters. */
const longest = 1 << 16;
/** Length from which the last texts are cached as a whole, in characters. */
const leastSection = 1 << 11;
/** Texts that are cached as a whole: a chronicle is counted in some. */
const mostSections = 64;

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
  const countLine = (line: string): number => {
    if (line.length > longest) return count(line);
    const fresh = young.get(line);
    if (fresh !== undefined) return fresh;
    const tokens = old.get(line) ?? count(line);
    held += line.length;
    if (held > largest) {
      old = young;
      young = new Map();
      held = line.length;
    }
    young.set(copyOf(line), tokens);
    return tokens;
  };
  const countLines = (text: string): number => {
    let tokens = 0;
    for (const line of linesOf(text)) tokens += countLine(line);
    return tokens;
  };
  const countSection = readLately(countLines, mostSections);
  return (text) => (text.length < leastSection ? countLines : countSection)(text);
}

/** A line that does not keep the text alive which it was cut from. */
const copyOf = (line: string): string => ` ${line}`.slice(1);
