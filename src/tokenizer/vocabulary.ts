import { hash } from './hash.ts';

// A vocabulary of 200,000 tokens as JavaScript strings costs 70 MB and half a
// second. Here all tokens lie end to end in one pool of bytes, and one open hash
// table of token numbers finds them: no object per token.
//
//   pool     … t h e i n g …            bytes of all tokens
//   offsets      ^     ^                where each begins; one more for the end
//   slots    hash & mask ──► token + 1  (0 is free), next slot on collision

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
  readonly ranks: Int32Array;
}

/** Builds the look-up of a vocabulary; some 50 ms and 6 MB for 200,000 tokens. */
export function toRank(source: string): Rank {
  const tokens = parse(source);
  const { pool, offsets, ranks } = tokens;
  const slots = toSlots(tokens);
  const pairs = toPairs(tokens);
  const mask = slots.length - 1;
  const longest = ranks.reduce((most, _, token) => Math.max(most, lengthOf(tokens, token)), 0);
  return (bytes, start, end) => {
    const length = end - start;
    if (length === 2) return pairs[(bytes[start]! << 8) | bytes[start + 1]!]!;
    if (length > longest) return -1;
    for (let slot = hash(bytes, start, end) & mask; ; slot = (slot + 1) & mask) {
      const token = slots[slot]! - 1;
      if (token < 0) return -1;
      const from = offsets[token]!;
      if (offsets[token + 1]! - from !== length) continue;
      let same = 0;
      while (same < length && pool[from + same] === bytes[start + same]) same += 1;
      if (same === length) return ranks[token]!;
    }
  };
}

/** At most half full, so that a search ends soon. */
function toSlots(tokens: Tokens): Int32Array {
  const { pool, offsets, ranks } = tokens;
  let size = 1;
  while (size < ranks.length * 2) size *= 2;
  const slots = new Int32Array(size);
  for (let token = 0; token < ranks.length; token += 1) {
    let slot = hash(pool, offsets[token]!, offsets[token + 1]!) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = token + 1;
  }
  return slots;
}

/** The rank of every two-byte token by its bytes: the first round of a merge needs no hashing. */
function toPairs(tokens: Tokens): Int32Array {
  const { pool, offsets, ranks } = tokens;
  const pairs = new Int32Array(0x10000).fill(-1);
  for (let token = 0; token < ranks.length; token += 1) {
    if (lengthOf(tokens, token) !== 2) continue;
    const from = offsets[token]!;
    pairs[(pool[from]! << 8) | pool[from + 1]!] = ranks[token]!;
  }
  return pairs;
}

function lengthOf({ offsets }: Tokens, token: number): number {
  return offsets[token + 1]! - offsets[token]!;
}

function parse(source: string): Tokens {
  const room = countSpaces(source);
  const pool = new Uint8Array(Math.ceil(source.length * 0.75));
  const offsets = new Uint32Array(room + 1);
  const ranks = new Int32Array(room);
  let token = 0;
  let size = 0;
  for (const line of source.split('\n')) {
    let at = line.indexOf(' ', 2) + 1;
    let rank = Number(line.slice(2, at));
    while (at > 0 && at < line.length) {
      const space = line.indexOf(' ', at);
      const end = space < 0 ? line.length : space;
      size += decode({ line, start: at, end }, pool, size);
      ranks[token] = rank;
      token += 1;
      rank += 1;
      offsets[token] = size;
      at = end + 1;
    }
  }
  return {
    pool: pool.slice(0, size),
    offsets: offsets.slice(0, token + 1),
    ranks: ranks.slice(0, token),
  };
}

function countSpaces(source: string): number {
  let spaces = 0;
  for (let at = source.indexOf(' '); at >= 0; at = source.indexOf(' ', at + 1)) spaces += 1;
  return spaces;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const base64 = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, alphabet.indexOf(String.fromCharCode(code))),
);
const padding = '='.charCodeAt(0);

interface Slice {
  readonly line: string;
  readonly start: number;
  readonly end: number;
}

/** Writes the bytes of one base64 word into `pool` from `size` on; answers how many. */
function decode({ line, start, end }: Slice, pool: Uint8Array, size: number): number {
  let held = 0;
  let bits = 0;
  let written = 0;
  for (let at = start; at < end; at += 1) {
    const code = line.charCodeAt(at);
    if (code === padding) break;
    held = (held << 6) | base64[code]!;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    pool[size + written] = (held >> bits) & 0xff;
    written += 1;
  }
  return written;
}
