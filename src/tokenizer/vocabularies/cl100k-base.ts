import ranks from 'js-tiktoken/ranks/cl100k_base';
import { toVocabulary } from '../vocabulary.ts';

export const vocabulary = toVocabulary(ranks);
