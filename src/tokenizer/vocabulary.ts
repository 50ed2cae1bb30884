import { fold, hash, noBytes, prime } from './hash.ts';
import { toPattern } from './split/pattern.ts';

// A vocabulary of 200,000 tokens as JavaScript strings costs 70 MB and half a
// second. Here all tokens lie end to end in one pool of bytes, by rank, and one
// open hash table of ranks finds them: no object per token.
//
//   pool     … t h e i n g …            bytes of all tokens
//   offsets      ^     ^                where each rank begins; one more for the end
//   slots    hash & mask ──► tag, rank + 1  (0 is free), next slot on collision
//
// The tag is the rest of the hash, in the bits that a rank leaves free: most of what
// a merge asks for is no token, and is told so without a look at the pool.
//
// Making it takes as long as the two loops below wait to be compiled, so they are few
// and small: one loop of everything compiles three times as long. A build makes it once.

/** The published form of a vocabulary: how text is split, and the tokens in order of rank. */
interface Ranks {
  /** The regular expression whose matches are the pieces of a text. */
  readonly pat_str: string;
  /** Lines of `! <rank of the first> <token in base64> <next token> …`. */
  readonly bpe_ranks: string;
}

/** A vocabulary as it is looked up in. */
export interface Vocabulary {
  /** The source of the expression whose matches are the pieces of a text. */
  readonly pattern: string;
  readonly table: RankTable;
}

/** The rank of the token that is `bytes` from `start` up to `end`; -1 where there is none. */
export type Rank = (bytes: Uint8Array, start: number, end: number) => number;

/** Looks up the rank of a token; filled in order of rank. */
export interface RankTable {
  readonly pool: Uint8Array;
  /** Where each rank begins, and the next one. */
  readonly offsets: Uint32Array;
  readonly slots: Int32Array;
  /** Ranks of two-byte tokens by their bytes: the first round of a merge needs no hashing. */
  readonly pairs: Int32Array;
}

/** Makes the tables of a vocabulary; some 50 ms and 4 MB for 200,000 tokens. */
export function toVocabulary(ranks: Ranks): Vocabulary {
  return { pattern: toPattern(ranks.pat_str), table: toTable(ranks.bpe_ranks) };
}

/** The look-up in a table. */
export function toRank({ pool, offsets, slots, pairs }: RankTable): Rank {
  const mask = slots.length - 1;
  return (bytes, start, end) => {
    const length = end - start;
    if (length === 2) return pairs[(bytes[start]! << 8) | bytes[start + 1]!]!;
    const wanted = hash(bytes, start, end);
    for (let slot = wanted & mask; ; slot = (slot + 1) & mask) {
      const held = slots[slot]!;
      if (held === 0) return -1;
      if (((held ^ wanted) & ~mask) !== 0) continue;
      const rank = (held & mask) - 1;
      const from = offsets[rank]!;
      if (offsets[rank + 1]! - from !== length) continue;
      let same = 0;
      while (same < length && pool[from + same] === bytes[start + same]) same += 1;
      if (same === length) return rank;
    }
  };
}

/** Signs that a token takes at least: four of base64, padding among them, and a space. */
const leastWord = 5;

const ascii = new TextEncoder();

/** The table of lines of tokens, as they are published. */
export function toTable(source: string): RankTable {
  const lines = source.split('\n').filter((line) => line !== '');
  const read = lines.map((line) => {
    const at = line.indexOf(' ', 2) + 1;
    return { first: Number(line.slice(2, at)), words: line.slice(at) };
  });
  const room = Math.max(
    1,
    ...read.map(({ first, words }) => first + Math.ceil((words.length + 1) / leastWord)),
  );
  const table = {
    pool: new Uint8Array(Math.ceil(source.length * 0.75)),
    offsets: new Uint32Array(room + 1),
    slots: new Int32Array(2 ** (32 - Math.clz32(room))),
    pairs: new Int32Array(0x10000).fill(-1),
  };
  let ranks = 0;
  for (const { first, words } of read) {
    // Ranks between two lines have no token.
    table.offsets.fill(table.offsets[ranks]!, ranks, first + 1);
    const text = new Uint8Array(words.length + 1);
    ascii.encodeInto(words, text);
    ranks = decode(text, table, first);
    addRanks(table, first, ranks);
  }
  const { pool, offsets } = table;
  return { ...table, pool: pool.slice(0, offsets[ranks]), offsets: offsets.slice(0, ranks + 1) };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Six bits for each sign of base64; none for padding. */
const values = Uint8Array.from({ length: 256 }, (_, code) =>
  Math.max(0, alphabet.indexOf(String.fromCharCode(code))),
);
const space = ' '.charCodeAt(0);
const padding = '='.charCodeAt(0);

/** Decodes words of base64, each followed by a space or 0, from rank `first` on; returns the next rank. */
function decode(words: Uint8Array, { pool, offsets }: RankTable, first: number): number {
  let rank = first;
  let size = offsets[rank]!;
  for (let at = 0; at < words.length;) {
    const bits =
      (values[words[at]!]! << 18) |
      (values[words[at + 1]!]! << 12) |
      (values[words[at + 2]!]! << 6) |
      values[words[at + 3]!]!;
    pool[size] = bits >> 16;
    pool[size + 1] = bits >> 8;
    pool[size + 2] = bits;
    size += 3;
    at += 4;
    if (words[at]! > space) continue;
    if (words[at - 1] === padding) size -= words[at - 2] === padding ? 2 : 1;
    rank += 1;
    offsets[rank] = size;
    at += 1;
  }
  return rank;
}

/** Adds ranks `first` up to `end` to the hash table. */
function addRanks({ pool, offsets, slots, pairs }: RankTable, first: number, end: number): void {
  const mask = slots.length - 1;
  let at = offsets[first]!;
  for (let rank = first; rank < end; rank += 1) {
    const next = offsets[rank + 1]!;
    if (next - at === 2) pairs[(pool[at]! << 8) | pool[at + 1]!] = rank;
    let running = noBytes;
    // Written out: a call takes longer, until this is compiled.
    for (; at < next; at += 1) running = Math.imul(running ^ pool[at]!, prime);
    const folded = fold(running);
    let slot = folded & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = (folded & ~mask) | (rank + 1);
  }
}
