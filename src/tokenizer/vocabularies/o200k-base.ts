import ranks from 'js-tiktoken/ranks/o200k_base';
import { toVocabulary } from '../vocabulary.ts';

export const vocabulary = toVocabulary(ranks);
