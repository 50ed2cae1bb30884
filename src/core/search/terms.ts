import { stemmer } from 'stemmer';

// What a text is found by. A chunk is a run of letters, digits and the joints of
// names; it is found whole, and by what it is made of:
//
//   src/auth/refreshToken.ts
//     whole     src/auth/refreshtoken.ts
//     ends      auth/refreshtoken.ts  refreshtoken.ts      (however long the path before them)
//     words     refreshtoken → refresh, token  ·  auth
//
// Words are small letters and stems; stop words and single letters are left out.
// Writing without spaces is found by each two letters that follow one another.

/** Longest term, in UTF-16 units; of a longer chunk the head is taken. */
const longest = 64;

/** Chunks whose terms are remembered. */
const mostRemembered = 50_000;

const stopWords: ReadonlySet<string> = new Set(
  'a an the and or but if then else so of to in on at by for with from as is are was were be been being it its this that these those i you he she we they me him her us them my your his our their what which who whom when where why how not no yes do does did doing done have has had having will would can could should may might must just also there here than too very really about into over out up down all any some more most such only own same s t don now ok okay'.split(
    ' ',
  ),
);

/** What a unit of ASCII is: 0 parts chunks, 1 is of a word, 2 joins words. */
const units = Uint8Array.from({ length: 128 }, (_, code) => {
  const mark = String.fromCharCode(code);
  if (/[\w$]/.test(mark)) return 1;
  return /[./@+~#-]/.test(mark) ? 2 : 0;
});

/** How a text is read. */
export interface TermOptions {
  /** First unit to read, and the one to end before; the whole text unless told. */
  readonly from?: number;
  readonly to?: number;
  /** Whether a backslash hides the letter behind it, as in JSON; false unless told. */
  readonly escaped?: boolean;
}

/** Calls `add` with each chunk of a text, in order. */
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
  const found = new Set<string>();
  eachChunk(text, {}, (terms) => {
    for (const term of terms) found.add(term);
  });
  return [...found];
}

const backslash = 92;
const smallU = 117;

/** Beyond ASCII whatever is no space or sign is taken for a letter. */
const kindOf = (unit: number): number =>
  unit < 128 ? units[unit]! : foreign.test(String.fromCharCode(unit)) ? 1 : 0;

/** Letters, digits and marks beyond ASCII; halves of pairs, most of which are letters or pictures. */
const foreign = /[\p{L}\p{N}\p{M}\ud800-\udfff]/u;

function chunkEnd(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && kindOf(text.charCodeAt(end)) > 0) end += 1;
  return end;
}

const remembered = new Map<string, readonly string[]>();

function termsOfChunk(chunk: string): readonly string[] {
  const known = remembered.get(chunk);
  if (known !== undefined) return known;
  const own = copied(chunk);
  const terms = read(own);
  if (own.length > longest) return terms;
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(own, terms);
  return terms;
}

/** The same units in memory of their own: a slice keeps alive the whole text that it was cut from. */
const copied = (slice: string): string => ` ${slice}`.slice(1);

function read(chunk: string): readonly string[] {
  const whole = trim(chunk);
  if (whole === '') return [];
  const found = new Set<string>();
  const words = whole.split(joints).filter((word) => word !== '');
  if (words.length > 1) for (const name of namesOf(whole)) found.add(bounded(name.toLowerCase()));
  for (const word of words) for (const term of ofWord(word)) found.add(term);
  return [...found];
}

const joints = /[./@+~#-]+/;

/** A joined name, and of a path its last two members and its last. */
function namesOf(whole: string): readonly string[] {
  const members = whole.split('/').filter((member) => member !== '');
  return [whole, members.slice(-2).join('/'), members.at(-1) ?? ''].filter((name) =>
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
  if (!ascii.test(word)) return ofForeign(word);
  const small = word.toLowerCase();
  const parts = word.length <= longest && compound.test(word) ? word.split(seams) : [];
  const terms = parts
    .filter((part) => part.length < word.length)
    .map((part) => part.toLowerCase())
    .filter(isTelling)
    .map(stem);
  if (!isTelling(small)) return terms;
  return [bounded(stem(small)), ...terms];
}

const ascii = /^[\w$]*$/;
const compound = /[a-z\d][A-Z]|[A-Z][A-Z][a-z]|[^_$][_$]|[_$][^_$]/;
const seams = /[_$]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

const stems = new Map<string, string>();

/** Words whose stems are remembered. */
const mostStems = 100_000;

/** The stem of a lower-case word; a word with other signs than letters is left as it is. */
function stem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= mostStems) stems.clear();
  const found = stemmer(word);
  stems.set(word, found);
  return found;
}

const isTelling = (word: string): boolean =>
  word.length > 1 && !stopWords.has(word) && /[^_$]/.test(word);

/** The words of a chunk with letters beyond ASCII, and each two letters where words are not parted. */
function ofForeign(word: string): readonly string[] {
  return word
    .toLowerCase()
    .split(borders)
    .filter((part) => part !== '')
    .flatMap((part) =>
      unparted.test(part) ? pairsOf(part) : part.length > 1 ? [bounded(part)] : [],
    );
}

const script = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`;
const unparted = new RegExp(`[${script}]`, 'u');
const borders = new RegExp(
  `(?<=[${script}])(?=[^${script}])|(?<=[^${script}])(?=[${script}])`,
  'u',
);

function pairsOf(text: string): readonly string[] {
  const letters = Array.from(text);
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, index) => letters[index]! + letter);
}

/** The head of a term, at most {@link longest}, cut between code points. */
function bounded(term: string): string {
  if (term.length <= longest) return term;
  return term.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}
