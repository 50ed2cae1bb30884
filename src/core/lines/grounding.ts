import { eachChunk } from '../search/terms.ts';
import { scanLiterals } from '../entities/literals.ts';
import { correctionsIn } from './corrections.ts';
import { writtenForms } from './line.ts';

// A model may write what nobody said. What can be checked without a model is whether
// the names of a line are anywhere in what it was given: paths, identifiers, numbers,
// errors and links, and failing those, its words. A name is known by its parts, too:
// `Pool.acquire` by a class Pool that has acquire, `config/{dev,test}.exs` by both files.
// Paraphrase keeps names and most words; what was made up has neither. A summary may be
// made of nothing that can be checked, as "I cannot help with that." is: then it is asked
// to tell something of its record, where that has many names.

/** The names and words that a summary may rest on. */
export interface Grounding {
  /** Terms of whole names and of their words. */
  readonly terms: ReadonlySet<string>;
  /** Short words, and letters of other scripts, which tell the language. */
  readonly short: ReadonlySet<string>;
  /** Names of the record itself, as many as it takes to ask for one of them. */
  readonly names: ReadonlySet<string>;
}

/** Share of what a line says that must be known, where it has as many words and names as can be judged. */
const leastKnown = 0.5;
const leastJudged = 4;

/** What a name counts beside a word. */
const nameWeight = 2;

/** Known names beside each that looks unknown and may be a sum, a unit, or a name put together. */
const mostDerived = 3;

/** Share of a summary's short words that must be known for its words to be compared; else it is in another language. */
const leastShort = 0.5;

/** Names that a record must have, for a summary of it to be asked for one: a short record is told in words, and maybe in another language. */
const leastNames = 8;

/** Known words and ids that stand for a name, where most words are known; and ids alone. */
const leastTold = 3;
const leastCited = 2;

/** Whether a chunk has a word long enough to tell something in any language. */
const hasWord = /\p{L}{4}/u;

/** A grounding that rests on nothing yet. */
export interface NewGrounding extends Grounding {
  /** Puts the names and words of a text into it. */
  add(text: string): void;
  /** Puts those of a text of the record into it. */
  addRecord(text: string): void;
}

/** A grounding to be filled. */
export function newGrounding(): NewGrounding {
  const terms = new Set<string>();
  const short = new Set<string>();
  const names = new Set<string>();
  const addTerms = (chunkTerms: readonly string[]): void => {
    for (const term of chunkTerms) terms.add(term);
  };
  function add(text: string): void {
    const plain = withoutSeparators(text);
    eachChunk(plain, {}, addTerms);
    if (plain.includes('\\')) eachChunk(plain, { escaped: true }, addTerms);
    eachShortWord(plain, (word) => void short.add(word));
  }
  return {
    terms,
    short,
    names,
    add,
    addRecord(text) {
      add(text);
      if (names.size < leastNames) scanLiterals(text, (name) => void names.add(name));
    },
  };
}

/**
 * Calls `add` with each word of two or three letters that is no part of a name, in most languages an
 * article or the like, and with each letter of other scripts than Latin.
 */
function eachShortWord(text: string, add: (word: string) => void): void {
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isLatin(unit)) {
      if (start < 0) start = at;
      continue;
    }
    if (unit >= firstOther && !isSign(unit)) add(text.charAt(at));
    const length = start < 0 ? 0 : at - start;
    if ((length === 2 || length === 3) && isGap(text, start - 1) && isGap(text, at))
      add(text.slice(start, at).toLowerCase());
    start = -1;
  }
}

/** Where the letters of other scripts begin: Greek. */
const firstOther = 0x370;

const isLatin = (unit: number): boolean => {
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (unit >= 0xc0 && unit < firstOther);
};

/** General punctuation and pictures, and signs of scripts that are written without spaces. */
const isSign = (unit: number): boolean =>
  (unit >= 0x2000 && unit < 0x2c00) ||
  (unit >= 0x3000 && unit < 0x3040) ||
  (unit >= 0xd800 && unit < 0xf900) ||
  unit >= 0xfe00;

/** Whether a text has nothing at `at` that could join words to a name. */
const isGap = (text: string, at: number): boolean => !/[\w./\\`$@#-]/.test(text.charAt(at));

/** Numbers without what stands between their thousands. */
const withoutSeparators = (text: string): string => text.replace(/(\d)[,_](?=\d{3}(?!\d))/g, '$1');

/** A summary without the lines that nothing in its grounding bears out, and these. */
export function withoutInvented(
  summary: string,
  grounding: Grounding,
): { readonly text: string; readonly invented: readonly string[] } {
  const comparesWords = isSameLanguage(summary, grounding);
  const lines = summary.split('\n');
  const invented = lines.filter((line) => isInvented(line, grounding, comparesWords));
  const gone = new Set(invented);
  return { text: lines.filter((line) => !gone.has(line)).join('\n'), invented };
}

function isSameLanguage(summary: string, { short }: Grounding): boolean {
  let all = 0;
  let known = 0;
  eachShortWord(summary, (word) => {
    all += 1;
    if (short.has(word)) known += 1;
  });
  return all > 0 && known >= leastShort * all;
}

/**
 * Whether a summary tells anything of its record. An apology without a name does not. Of a record with many
 * names it must hold one of them, or ids of two entries, or a few words of which most are known.
 */
export function isTelling(summary: string, grounding: Grounding): boolean {
  const cited = new Set(summary.match(/\be\d+\b/g)?.filter((id) => grounding.terms.has(id)));
  const lines = summary.split('\n');
  const tallies = lines.map((line) => tallyOf(line, grounding));
  if (tallies.some(({ named, literals }) => named.known + literals.known > 0)) return true;
  if (cited.size === 0 && lines.some((line) => apology.test(line))) return false;
  if (grounding.names.size < leastNames || cited.size >= leastCited) return true;
  const known = sumOf(tallies.map(({ telling }) => telling.known));
  const unknown = sumOf(tallies.map(({ telling }) => telling.unknown));
  return known + cited.size >= leastTold && known >= unknown;
}

/** How a line begins of a model that will not, or cannot, do what it was asked. */
const apology =
  /^\W*(?:(?:i am|i['’]m) (?:very )?(?:sorry|afraid|unable|not able)|(?:sorry|unfortunately|i apologi[sz]e)\b|as an ai\b|i (?:can ?not|can['’]t|won['’]t|am not allowed to) (?:assist|comply|do|fulfil|help|provide|summari[sz]e|write)|es tut mir leid|entschuldigung\b|(?:leider kann ich|ich kann)\b[^\n]{0,80}\b(?:helfen|zusammenfassen)\b)/i;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, one) => sum + one, 0);

/** The form that a line was asked for in, ids, and who it may be about. */
const framing = new RegExp(
  `^\\W*(?:${writtenForms}):|\\be\\d+\\b|\\b(?:person|user|agent)s?\\b`,
  'g',
);

function isInvented(line: string, grounding: Grounding, comparesWords: boolean): boolean {
  const { names, words, literals } = tallyOf(line, grounding);
  if (literals.unknown > 0 || names.unknown * mostDerived > names.known) return true;
  const known = nameWeight * names.known + words.known;
  const all = known + nameWeight * names.unknown + words.unknown;
  const judged = names.known + names.unknown + words.known + words.unknown;
  return comparesWords && judged >= leastJudged && known < leastKnown * all;
}

/** How many of some parts of a line are known. */
interface KnownCount {
  known: number;
  unknown: number;
}

/** The parts of a line: its names and its words; those of both that tell something; and names by themselves. */
type LineTally = Readonly<Record<'names' | 'words' | 'named' | 'telling' | 'literals', KnownCount>>;

function tallyOf(line: string, { terms }: Grounding): LineTally {
  const [correction] = correctionsIn(line).corrections;
  const text = withoutSeparators(correction?.text ?? line).replace(framing, ' ');
  const none = (): KnownCount => ({ known: 0, unknown: 0 });
  const tally = { names: none(), words: none(), named: none(), telling: none(), literals: none() };
  eachChunk(text, {}, ([whole = ''], start, end) => {
    const chunk = text.slice(start, end);
    const isWhole = knows(terms, whole, chunk);
    const state = isWhole || text.startsWith('…', end) ? 'known' : 'unknown';
    const isName = looksNamed.test(chunk);
    tally[isName ? 'names' : 'words'][state] += 1;
    if (isLiteral(`${chunk}${text.charAt(end)}`)) tally.literals[state] += 1;
    if (hasWord.test(chunk)) tally[isName ? 'named' : 'telling'][state] += 1;
  });
  return tally;
}

/** A chunk that is no plain word: with capitals or digits within, or joints; a number below a thousand may be a sum. */
const looksNamed = /[a-z][A-Z]|_|\/|\.\w|\p{L}\d{2}|\d{4}/u;

/** Whether a chunk is a name by itself: a path, an identifier, a longer number, an error or a link. */
function isLiteral(chunk: string): boolean {
  let found = false;
  scanLiterals(chunk, () => {
    found = true;
  });
  return found;
}

/** Whether a chunk is known: as a whole, by all its words, or as the start of a longer digest. */
function knows(terms: ReadonlySet<string>, whole: string, chunk: string): boolean {
  if (terms.has(whole)) return true;
  const words = chunk.replace(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ').trim();
  let isKnown = words.includes(' ');
  if (isKnown)
    eachChunk(words, {}, ([word = '']) => {
      isKnown &&= terms.has(word);
    });
  if (isKnown || !/^[0-9a-f]{7,40}$/i.test(chunk)) return isKnown;
  for (const term of terms) if (term.startsWith(whole)) return true;
  return false;
}
