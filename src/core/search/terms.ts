import { stemmer } from 'stemmer';
import { headOf } from '../text/sentences.ts';
import { readOften } from '../values/read-once.ts';

// The terms that a text is indexed by. A chunk is a run of letters, digits and the
// joints of names; its terms are the whole and its parts:
//
//   src/auth/refreshToken.ts
//     whole     src/auth/refreshtoken.ts
//     ends      auth/refreshtoken.ts  refreshtoken.ts      (however long the path before them)
//     words     refreshtoken → refresh, token  ·  auth
//
// Words are lower case and stemmed; stop words and single letters are left out.
// Scripts without spaces are indexed by bigrams.

/** Longest term, in UTF-16 units; a longer one is cut. */
const longest = 64;

/** Most chunks whose terms are cached. */
const mostCached = 50_000;

const stopWords: ReadonlySet<string> = new Set(
  'a an the and or but if then else so of to in on at by for with from as is are was were be been being it its this that these those i you he she we they me him her us them my your his our their what which who whom when where why how not no yes do does did doing done have has had having will would can could should may might must just also there here than too very really about into over out up down all any some more most such only own same s t don now ok okay'.split(
    ' ',
  ),
);

/** Classes of ASCII characters: 0 separates chunks, 1 belongs to a word, 2 joins words. */
const units = Uint8Array.from({ length: 128 }, (_, code) => {
  const mark = String.fromCharCode(code);
  if (/[\w$]/.test(mark)) return 1;
  return /[./@+~#-]/.test(mark) ? 2 : 0;
});

/** The part of a text to read, and how. */
interface TermOptions {
  /** First UTF-16 unit to read, and the one to end before; the whole text unless told. */
  readonly from?: number;
  readonly to?: number;
  /** Whether a backslash escapes the character behind it, as in JSON; false unless told. */
  readonly escaped?: boolean;
}

/** Calls `add` with the terms and position of each chunk of a text, in order. */
export function eachChunk(
  text: string,
  reading: TermOptions,
  add: (terms: readonly string[], start: number, end: number) => void,
): void {
  const { from = 0, to = text.length, escaped = false } = reading;
  let at = from;
  while (at < to) {
    const unit = text.charCodeAt(at);
    if (escaped && unit === backslash) {
      at += text.charCodeAt(at + 1) === smallU ? 6 : 2;
    } else if (kindOf(unit) === 0) {
      at += 1;
    } else {
      const end = chunkEnd(text, at, to);
      const terms = termsOfChunk(text.slice(at, end));
      if (terms.length > 0) add(terms, at, end);
      at = end;
    }
  }
}

/** The terms of a text, each once, in the order of their first use. */
export function termsIn(text: string): readonly string[] {
  const distinct = new Set<string>();
  eachChunk(text, {}, (terms) => {
    for (const term of terms) distinct.add(term);
  });
  return [...distinct];
}

/** A word of a text as it is indexed. */
export interface IndexedWord {
  /** As it stands there. */
  readonly text: string;
  /** The term that stands for all of it; null where none does, as in scripts without spaces. */
  readonly term: string | null;
  /** All its terms. */
  readonly terms: readonly string[];
}

/** The words and names of a text that have a term, each once. */
export function wordsIn(text: string): readonly IndexedWord[] {
  const words = new Map<string, IndexedWord>();
  eachChunk(text, {}, (terms, start, end) => {
    const word = trim(text.slice(start, end));
    const isWhole = terms.length === 1 || ascii.test(word) || joints.test(word);
    words.set(word, { text: word, term: isWhole ? terms[0]! : null, terms });
  });
  return [...words.values()];
}

/** The chunks of a text in which some letters stand, whatever their case, with a space between each two. */
export function chunksWith(letters: string, text: string): string {
  const small = text.toLowerCase();
  // Few signs are longer in lower case.
  if (small.length !== text.length) return text;
  const chunks: string[] = [];
  for (let at = small.indexOf(letters); at >= 0;) {
    let start = at;
    while (start > 0 && kindOf(text.charCodeAt(start - 1)) > 0) start -= 1;
    const end = Math.max(at + 1, chunkEnd(text, at, text.length));
    chunks.push(text.slice(start, end));
    at = small.indexOf(letters, end);
  }
  return chunks.join(' ');
}

/** What a name is joined of, as it stands there; nothing for a word that is not. */
export function partsOf(word: string): readonly string[] {
  const members = word.split(joints);
  const parts = members.length > 1 ? members : word.split(seams);
  return parts.length > 1 ? parts.filter((part) => part !== '') : [];
}

const backslash = 92;
const smallU = 117;

/** The class of a UTF-16 unit; beyond ASCII whatever is no space or sign counts as a letter. */
const kindOf = (unit: number): number =>
  unit < 128 ? units[unit]! : letter.test(String.fromCharCode(unit)) ? 1 : 0;

/** Letters, digits and marks beyond ASCII; halves of surrogate pairs, most of which are letters or pictures. */
const letter = /[\p{L}\p{N}\p{M}\ud800-\udfff]/u;

function chunkEnd(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && kindOf(text.charCodeAt(end)) > 0) end += 1;
  return end;
}

const termsOfChunk = readOften(termsOf, { longest, most: mostCached });

function termsOf(chunk: string): readonly string[] {
  const whole = trim(chunk);
  if (whole === '') return [];
  if (!joints.test(whole)) return once(ofWord(whole));
  const terms = new Set<string>();
  const words = whole.split(joints).filter((word) => word !== '');
  if (words.length > 1) for (const name of namesOf(whole)) terms.add(bounded(name.toLowerCase()));
  for (const word of words) for (const term of ofWord(word)) terms.add(term);
  return [...terms];
}

const joints = /[./@+~#-]+/;

const once = (terms: readonly string[]): readonly string[] =>
  terms.length < 2 ? terms : [...new Set(terms)];

/** The names in a chunk: the whole, and of a path its last two members and its last. */
function namesOf(whole: string): readonly string[] {
  const members = whole.split('/').filter((member) => member !== '');
  return [whole, members.slice(-2).join('/'), members.at(-1)!].filter((name) =>
    /[./@+~#-]/.test(name),
  );
}

/** The chunk without the joints at its ends. */
function trim(chunk: string): string {
  let start = 0;
  let end = chunk.length;
  while (start < end && units[chunk.charCodeAt(start)] === 2) start += 1;
  while (end > start && units[chunk.charCodeAt(end - 1)] === 2) end -= 1;
  return chunk.slice(start, end);
}

function ofWord(word: string): readonly string[] {
  if (!ascii.test(word)) return ofForeignWord(word);
  const small = word.toLowerCase();
  const whole = isTerm(small) ? [bounded(stem(small))] : [];
  if (word.length > longest || !compound.test(word)) return whole;
  const parts = word.split(seams).filter((part) => part.length < word.length);
  const terms = parts.map((part) => part.toLowerCase()).filter(isTerm);
  return [...whole, ...terms.map(stem)];
}

const ascii = /^[\w$]*$/;
const compound = /[a-z\d][A-Z]|[A-Z][A-Z][a-z]|[^_$][_$]|[_$][^_$]/;
const seams = /[_$]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** Most words whose stems are cached. */
const mostStems = 100_000;

const stemOf = readOften(stemmer, { longest, most: mostStems });

/** The stem of a lower-case word; a word with other characters than letters is its own. */
const stem = (word: string): string => (/^[a-z]+$/.test(word) ? stemOf(word) : word);

const isTerm = (word: string): boolean =>
  word.length > 1 && !stopWords.has(word) && /[^_$]/.test(word);

/** The words of a chunk with letters beyond ASCII; in scripts without spaces its bigrams. */
function ofForeignWord(word: string): readonly string[] {
  return word
    .toLowerCase()
    .split(borders)
    .filter((part) => part !== '')
    .flatMap((part) =>
      unspaced.test(part) ? bigramsOf(part) : part.length > 1 ? [bounded(part)] : [],
    );
}

const script = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`;
const unspaced = new RegExp(`[${script}]`, 'u');
const borders = new RegExp(
  `(?<=[${script}])(?=[^${script}])|(?<=[^${script}])(?=[${script}])`,
  'u',
);

function bigramsOf(text: string): readonly string[] {
  const letters = Array.from(text);
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, index) => letters[index]! + letter);
}

/** The head of a term, at most {@link longest}, cut between code points. */
function bounded(term: string): string {
  return term.length <= longest ? term : headOf(term, longest);
}
