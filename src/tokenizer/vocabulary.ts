import { fold, hash, mix, noBytes } from './hash.ts';

// A vocabulary of 200,000 tokens as JavaScript strings costs 70 MB and half a
// second. Here all tokens lie end to end in one pool of bytes, by rank, and one
// open hash table of ranks finds them: no object per token.
//
//   pool     … t h e i n g …            bytes of all tokens
//   offsets      ^     ^                where each rank begins; one more for the end
//   slots    hash & mask ──► tag, rank + 1  (0 is free), next slot on collision
//
// The tag is what the rank leaves of the 32 bits, filled from the hash: most of
// what a merge asks for is no token, and is told so without a look at the pool.

/** The published form of a vocabulary: how text is split, and the tokens in order of rank. */
export interface Ranks {
  /** The regular expression whose matches are the pieces of a text. */
  readonly pat_str: string;
  /** Lines of `! <rank of the first> <token in base64> <next token> …`. */
  readonly bpe_ranks: string;
}

/** The rank of the token that is `bytes` from `start` up to `end`; -1 where there is none. */
export type Rank = (bytes: Uint8Array, start: number, end: number) => number;

interface Tokens {
  readonly pool: Uint8Array;
  readonly offsets: Uint32Array;
  readonly hashes: Int32Array;
}

/** Builds the look-up of a vocabulary; some 25 ms and 5 MB for 200,000 tokens. */
export function toRank(source: string): Rank {
  const tokens = parse(source);
  const { pool, offsets } = tokens;
  const pairs = toPairs(tokens);
  const slots = toSlots(tokens);
  const mask = slots.length - 1;
  const rankMask = rankMaskOf(tokens);
  let longest = 0;
  for (let rank = 1; rank < offsets.length; rank += 1)
    longest = Math.max(longest, offsets[rank]! - offsets[rank - 1]!);
  return (bytes, start, end) => {
    const length = end - start;
    if (length === 2) return pairs[(bytes[start]! << 8) | bytes[start + 1]!]!;
    if (length > longest) return -1;
    const wanted = hash(bytes, start, end);
    for (let slot = wanted & mask; ; slot = (slot + 1) & mask) {
      const held = slots[slot]!;
      if (held === 0) return -1;
      if (((held ^ wanted) & ~rankMask) !== 0) continue;
      const rank = (held & rankMask) - 1;
      const from = offsets[rank]!;
      if (offsets[rank + 1]! - from !== length) continue;
      let same = 0;
      while (same < length && pool[from + same] === bytes[start + same]) same += 1;
      if (same === length) return rank;
    }
  };
}

/** Ones where a slot holds a rank. */
function rankMaskOf({ hashes }: Tokens): number {
  return 2 ** (32 - Math.clz32(hashes.length + 1)) - 1;
}

/** At most half full, so that a search ends soon. */
function toSlots(tokens: Tokens): Int32Array {
  const { offsets, hashes } = tokens;
  const tag = ~rankMaskOf(tokens);
  let size = 1;
  while (size < hashes.length * 2) size *= 2;
  const slots = new Int32Array(size);
  for (let rank = 0; rank < hashes.length; rank += 1) {
    if (offsets[rank] === offsets[rank + 1]) continue;
    let slot = hashes[rank]! & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = (hashes[rank]! & tag) | (rank + 1);
  }
  return slots;
}

/** The rank of every two-byte token by its bytes: the first round of a merge needs no hashing. */
function toPairs({ pool, offsets }: Tokens): Int32Array {
  const pairs = new Int32Array(0x10000).fill(-1);
  for (let rank = 0; rank < offsets.length - 1; rank += 1) {
    const from = offsets[rank]!;
    if (offsets[rank + 1]! - from === 2) pairs[(pool[from]! << 8) | pool[from + 1]!] = rank;
  }
  return pairs;
}

/** Signs that a token takes at least: four of base64, padding among them, and a space. */
const leastWord = 5;

function parse(source: string): Tokens {
  const lines = source.split('\n').filter((line) => line !== '');
  const read = lines.map((line) => {
    const at = line.indexOf(' ', 2) + 1;
    return { first: Number(line.slice(2, at)), words: line.slice(at) };
  });
  const room = read.map(({ first, words }) => first + Math.ceil(words.length / leastWord) + 1);
  const tokens = {
    pool: new Uint8Array(Math.ceil(source.length * 0.75)),
    offsets: new Uint32Array(Math.max(0, ...room) + 1),
    hashes: new Int32Array(Math.max(0, ...room)),
  };
  let rank = 0;
  for (const { first, words } of read) {
    // Ranks between two lines have no token.
    tokens.offsets.fill(tokens.offsets[rank]!, rank, first + 1);
    rank = decode(ascii.encode(`${words} `), tokens, first);
  }
  return {
    pool: tokens.pool.slice(0, tokens.offsets[rank]),
    offsets: tokens.offsets.slice(0, rank + 1),
    hashes: tokens.hashes.subarray(0, rank),
  };
}

const ascii = new TextEncoder();
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Six bits for each sign of base64; others are below 0. */
const values = Int8Array.from({ length: 256 }, (_, code) =>
  alphabet.indexOf(String.fromCharCode(code)),
);
const space = ' '.charCodeAt(0);

/** Takes in words of base64, each with a space after it, from `rank` on; answers the rank after them. */
function decode(words: Uint8Array, { pool, offsets, hashes }: Tokens, rank: number): number {
  let size = offsets[rank]!;
  let held = 0;
  let bits = 0;
  let running = noBytes;
  for (let at = 0; at < words.length; at += 1) {
    const value = values[words[at]!]!;
    if (value >= 0) {
      held = (held << 6) | value;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      const byte = (held >> bits) & 0xff;
      pool[size] = byte;
      size += 1;
      running = mix(running, byte);
    } else if (words[at] === space) {
      hashes[rank] = fold(running);
      rank += 1;
      offsets[rank] = size;
      bits = 0;
      running = noBytes;
    }
  }
  return rank;
}
