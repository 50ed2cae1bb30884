import { fail } from '../core/error.ts';
import { toCount } from './counter.ts';
import type { Encoding, Tokenizer } from './tokenizer.ts';
import type { Ranks } from './vocabulary.ts';

const vocabularies: Readonly<Record<Encoding, () => Promise<Ranks>>> = {
  o200k_base: async () => (await import('js-tiktoken/ranks/o200k_base')).default,
  cl100k_base: async () => (await import('js-tiktoken/ranks/cl100k_base')).default,
};

const loading = new Map<Encoding, Promise<Tokenizer>>();
const loaded = new Map<Encoding, Tokenizer>();

/**
 * The tokenizer of `encoding`, loaded at the first call (some 100 ms) and shared by
 * the whole process. Throws `TOKENIZER_UNKNOWN` for any other name.
 */
export async function loadTokenizer(encoding: Encoding): Promise<Tokenizer> {
  if (!Object.hasOwn(vocabularies, encoding))
    throw fail('TOKENIZER_UNKNOWN', `No tokenizer is called "${encoding}"`, {
      tokenizer: encoding,
      known: Object.keys(vocabularies),
    });
  const begun = loading.get(encoding) ?? load(encoding);
  loading.set(encoding, begun);
  return begun;
}

/** The tokenizer of `encoding` if it has been loaded, without waiting. */
export function loadedTokenizer(encoding: Encoding): Tokenizer | undefined {
  return loaded.get(encoding);
}

/**
 * Exact tokens of `text` as ordinary text: text of special tokens gets no meaning, a
 * lone surrogate counts as U+FFFD. Loads the vocabulary at the first call. Throws
 * `TOKENIZER_UNKNOWN`.
 */
export async function countTokens(
  text: string,
  encoding: Encoding = 'o200k_base',
): Promise<number> {
  return (await loadTokenizer(encoding)).count(text);
}

/** A failed import is forgotten, so that a later call tries again. */
async function load(encoding: Encoding): Promise<Tokenizer> {
  try {
    const ranks = await vocabularies[encoding]();
    const tokenizer: Tokenizer = { name: encoding, count: toCount(encoding, ranks) };
    loaded.set(encoding, tokenizer);
    return tokenizer;
  } catch (error) {
    loading.delete(encoding);
    throw error;
  }
}
