import type { Count } from '../core/messages/token-count.ts';

/** The encodings that come with the package. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/**
 * A vocabulary that counts.
 *
 * **Contract:** `count` is a pure function of the text, counts special-token
 * text as ordinary text, never throws, and replaces lone surrogates by U+FFFD
 * before counting. `name` identifies the vocabulary: a session keeps the one it
 * began with.
 */
export interface Tokenizer {
  readonly name: string;
  readonly count: Count;
}
