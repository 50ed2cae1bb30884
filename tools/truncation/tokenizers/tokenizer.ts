import llama2 from 'llama-tokenizer-js';
import llama3 from 'llama3-tokenizer-js';
import { get_encoding, type TiktokenEncoding } from 'tiktoken';
import type { OllamaModel } from '../../../src/testing/ollama/model.ts';
import { chatml, instruct, turns } from './template.ts';

// Vocabularies that a server may count with, each behind the template of its models. Five are
// the real ones. Those of Qwen, Gemma and DeepSeek fill hundreds of megabytes; they are made of
// o200k_base, with single digits where they have them, and their share of tokens in Chinese and
// Cyrillic text, as their own packages counted it (2026-11). The last three are what proxies
// report that have no vocabulary.

/** How a server counts the text of a rendered chat, and renders it. */
export interface Tokenizer {
  readonly name: string;
  readonly count: (text: string) => number;
  /** That of Llama 3 unless told. */
  readonly template?: OllamaModel['template'];
}

/** Counts with a vocabulary; each mark of a template is one token, and a text is counted once. */
function counter(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  const countOf = (piece: string): number => {
    const before = known.get(piece);
    if (before !== undefined) return before;
    const tokens = piece === '' ? 0 : count(piece);
    known.set(piece, tokens);
    return tokens;
  };
  return (text) =>
    text
      .split(/(<\|?\w+\|?>|\[\/?INST\])/)
      .reduce((sum, piece, index) => sum + (index % 2 === 1 ? 1 : countOf(piece)), 0);
}

const tiktoken = (name: TiktokenEncoding): ((text: string) => number) => {
  const encoding = get_encoding(name);
  return (text) => encoding.encode(text, [], []).length;
};

const o200k = tiktoken('o200k_base');

/** Tokens for one of o200k_base, in Chinese and in Cyrillic text. */
interface Shares {
  readonly chinese: number;
  readonly cyrillic: number;
  readonly digits: 'single' | 'three';
}

/** A vocabulary like o200k_base, but for scripts and digits. */
const likeO200k =
  ({ chinese, cyrillic, digits }: Shares) =>
  (text: string): number => {
    const of = (script: RegExp): number =>
      (text.match(script) ?? []).reduce((sum, part) => sum + o200k(part), 0);
    const scripts = (chinese - 1) * of(/\p{sc=Han}+/gu) + (cyrillic - 1) * of(/[\p{sc=Cyrl} ]+/gu);
    const single = (text.match(/\d+/g) ?? []).reduce(
      (sum, { length }) => sum + length - Math.ceil(length / 3),
      0,
    );
    return o200k(text) + scripts + (digits === 'single' ? single : 0);
  };

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** The vocabularies, the nearest to ours first. */
export const tokenizers: readonly Tokenizer[] = [
  { name: 'o200k_base', count: counter(o200k), template: chatml },
  { name: 'cl100k_base', count: counter(tiktoken('cl100k_base')), template: chatml },
  { name: 'p50k_base', count: counter(tiktoken('p50k_base')), template: chatml },
  {
    name: 'Llama 3',
    count: counter((text) => llama3.encode(text, { bos: false, eos: false }).length),
  },
  {
    name: 'Llama 2, Mistral',
    count: counter((text) => llama2.encode(text, false, false).length),
    template: instruct,
  },
  {
    name: 'like Qwen',
    count: counter(likeO200k({ chinese: 0.8, cyrillic: 1.24, digits: 'single' })),
    template: chatml,
  },
  {
    name: 'like Gemma',
    count: counter(likeO200k({ chinese: 0.85, cyrillic: 0.86, digits: 'single' })),
    template: turns,
  },
  {
    name: 'like DeepSeek',
    count: counter(likeO200k({ chinese: 0.7, cyrillic: 1.14, digits: 'three' })),
    template: chatml,
  },
  { name: 'bytes / 4', count: (text) => bytes(text) / 4 },
  { name: 'characters / 4.2', count: ({ length }) => length / 4.2 },
  { name: 'words × 1.3', count: (text) => 1.3 * (text.match(/\S+/g)?.length ?? 0) },
];

/** The vocabulary of that name. */
export function tokenizerNamed(name: string): Tokenizer {
  const found = tokenizers.find((one) => one.name === name);
  if (found === undefined) throw new TypeError(`There is no tokenizer "${name}"`);
  return found;
}
