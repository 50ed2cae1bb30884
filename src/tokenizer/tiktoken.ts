import { fail } from '../core/values/error.ts';
import { defaultEncoding } from '../core/budget/options.ts';
import { toCounter, type Counter } from './counter.ts';
import type { TokenStream } from './stream.ts';
import type { Encoding, Tokenizer } from './tokenizer.ts';
import type { Vocabulary } from './vocabulary.ts';

const vocabularies: Readonly<Record<Encoding, () => Promise<Vocabulary>>> = {
  o200k_base: async () => (await import('./vocabularies/o200k-base.ts')).vocabulary(),
  cl100k_base: async () => (await import('./vocabularies/cl100k-base.ts')).vocabulary(),
};

type LoadedTokenizer = Tokenizer & Counter;

const loading = new Map<Encoding, Promise<LoadedTokenizer>>();
const loaded = new Map<Encoding, LoadedTokenizer>();

/**
 * The tokenizer of `encoding`, loaded at the first call (some 10 ms) and shared by
 * the whole process; its `count` needs no waiting. Throws `TOKENIZER_UNKNOWN` for any other name.
 */
export function loadTokenizer(encoding: Encoding = defaultEncoding): Promise<Tokenizer> {
  return loadCounter(encoding);
}

async function loadCounter(encoding: Encoding): Promise<LoadedTokenizer> {
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
  encoding: Encoding = defaultEncoding,
): Promise<number> {
  return (await loadTokenizer(encoding)).count(text);
}

/**
 * A stream that counts a text as it arrives, wherever it is cut: its total, whenever
 * asked, is what {@link countTokens} says of all that was pushed. Loads the vocabulary
 * at the first call. Throws `TOKENIZER_UNKNOWN`.
 */
export async function tokenStream(encoding: Encoding = defaultEncoding): Promise<TokenStream> {
  return (await loadCounter(encoding)).stream();
}

/** A failed import is forgotten, so that a later call tries again. */
async function load(encoding: Encoding): Promise<LoadedTokenizer> {
  try {
    const tokenizer = { name: encoding, ...toCounter(encoding, await vocabularies[encoding]()) };
    loaded.set(encoding, tokenizer);
    return tokenizer;
  } catch (error) {
    loading.delete(encoding);
    throw error;
  }
}
