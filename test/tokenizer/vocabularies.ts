import { vocabulary as cl100kVocabulary } from '../../src/tokenizer/vocabularies/cl100k-base.ts';
import { vocabulary as o200kVocabulary } from '../../src/tokenizer/vocabularies/o200k-base.ts';

// The vocabularies, made once for the tests that count by them.

export const cl100k = cl100kVocabulary();
export const o200k = o200kVocabulary();
