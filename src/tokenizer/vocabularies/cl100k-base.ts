import ranks from 'js-tiktoken/ranks/cl100k_base';
import { toVocabulary, type Vocabulary } from '../vocabulary.ts';

/** The vocabulary of cl100k_base; as built it is read from a file. */
export const vocabulary = (): Vocabulary => toVocabulary(ranks);
