import { mask } from '../messages/redacted-message.ts';
import { endsOf } from './word-ends.ts';

// What was made of an entry repeats it: a line of the chronicle its words, a goal a
// sentence of it, an index a path. So what is to be forgotten is told by words: each
// that stood in the entry and in nothing that stays, each pair of words without a
// space between them ("blue-horse", "a@b.org") and each run of four words of which
// that is true. Wherever one of them stands in a text that was derived, a mask takes its place.
//
//   entry   The root password is blue-horse-17, tell nobody.
//   stays   The password of root is with Ada.
//   line    - e18 the root password is blue-horse-17        (derived)
//   masked  - e18 the [redacted]                            `is blue-horse-17` and its run

/** What is taken out of derived texts; words in lower case, those of a pair or run with a space between them. */
export interface SecretParts {
  readonly words: readonly string[];
  readonly pairs: readonly string[];
  readonly runs: readonly string[];
  /** Words that stay though they begin or end one that is taken out; left out where there are none. */
  readonly stay?: readonly string[];
}

/** A text without what was taken out; the same string where nothing was. */
export type Mask = (text: string) => string;

/** Collects what stays beside a text that is to be forgotten. */
export interface SecretSearch {
  /** Takes note of a text that stays; `name` says whose it is where that is to be told. */
  keep(text: string, name?: string): void;
  /** What stands in nothing that stays. */
  parts(): SecretParts;
  /** The names of texts that repeat what few others have: a pair, a run, a word with a digit in it. */
  repeating(): readonly string[];
}

/** Words of a run. */
const runLength = 4;

/** Holders of a part above which it is nobody's in particular. */
const fewHolders = 8;

/** Least length of a word that is taken out by itself. */
const leastWord = 3;

/** Least length of a word whose beginning or end is taken out where a text was cut there, and of what is left of it. */
const leastCut = { word: 16, coded: 8, rest: 4 } as const;

/** Words that the engine itself writes into what it derives, so that they tell nothing of an entry. */
const ownWords = new Set(
  `redacted after added and answered artifact asked before blocked breadcrumb breadcrumbs calls changed
  checkpoint child cleared closed command commands completed context created decision decisions deleted done
  edited entries entry error expand external failed file files frame from function functions goal high
  how history index into last late left list locked lost low made medium messages modified moved new next now
  open out page paused pending planned progress question questions range read reason recall recovered
  redo reference restored result results run session show status step summary text that the this times title
  tokens turn type undo with work worked working written`.split(/\s+/),
);

/** Ids of the engine, which lead to an entry and tell nothing of it. */
const isId = (word: string): boolean => /^[acefst]\d{1,5}$/.test(word);

/** Begins a search for what of these texts stands nowhere else. */
export function searchSecret(texts: readonly string[]): SecretSearch {
  const secret = {
    words: new Map<string, Holders>(),
    pairs: new Map<string, Holders>(),
    runs: new Map<string, Holders>(),
  };
  const add = (map: Map<string, Holders>, part: string): void =>
    void (map.has(part) || map.set(part, { isHeld: false, names: [] }));
  for (const text of texts)
    for (const view of [text, plain(text)])
      for (const tokens of tokensIn(view))
        for (let at = 0; at < tokens.length; at += 1) {
          add(secret.words, tokens[at]!.word);
          if (isPair(tokens, at)) add(secret.pairs, joined(tokens, at, 2));
          if (at + runLength <= tokens.length) add(secret.runs, joined(tokens, at, runLength));
        }
  const ends = endsOf([...secret.words.keys()].filter(isLong), leastCut.rest);
  const stay = new Set<string>();
  const hold = (part: Holders | undefined, name: string | undefined): void => {
    if (part === undefined) return;
    part.isHeld = true;
    if (name !== undefined && part.names.length <= fewHolders && part.names.at(-1) !== name)
      part.names.push(name);
  };
  const unheld = (map: Map<string, Holders>): string[] =>
    [...map].filter(([, { isHeld }]) => !isHeld).map(([part]) => part);
  return {
    keep(text, name) {
      for (const tokens of tokensIn(text))
        for (let at = 0; at < tokens.length; at += 1) {
          const { word: said } = tokens[at]!;
          if (ends(said)) stay.add(said);
          const word = secret.words.get(said);
          if (word === undefined) continue;
          hold(word, name);
          if (isPair(tokens, at)) hold(secret.pairs.get(joined(tokens, at, 2)), name);
          if (at + runLength <= tokens.length)
            hold(secret.runs.get(joined(tokens, at, runLength)), name);
        }
    },
    parts: () => ({
      words: unheld(secret.words).filter(isTaken),
      pairs: unheld(secret.pairs).filter((pair) => !pair.split(' ').every(isId)),
      runs: unheld(secret.runs),
      ...(stay.size > 0 && { stay: [...stay] }),
    }),
    repeating() {
      const coded = [...secret.words].filter(
        ([word]) => /\d/.test(word) && word.length >= leastWord && !isId(word),
      );
      const parts = [
        ...coded.map(([, holders]) => holders),
        ...secret.pairs.values(),
        ...secret.runs.values(),
      ];
      return [...new Set(parts.flatMap(({ names }) => (names.length <= fewHolders ? names : [])))];
    },
  };
}

/** Who holds a part that is looked for. */
interface Holders {
  isHeld: boolean;
  readonly names: string[];
}

/** Whether a word is taken out by itself. */
const isTaken = (word: string): boolean =>
  word.length >= leastWord && !ownWords.has(word) && !isId(word);

/** A mask of these parts, and of all that lines tell of one entry alone. */
export function maskOf({ words, pairs, runs, stay = [] }: SecretParts, entry: string): Mask {
  const headPattern = new RegExp(`^After ${entry} “.*”:$`, 'gm');
  const linePattern = new RegExp(`^- ${entry} .*$`, 'gm');
  const [isWord, isPairOf, isRun] = [new Set(words), new Set(pairs), new Set(runs)];
  const stays = new Set(stay);
  const long = words.filter(isLong);
  const isPart = new Set([...pairs, ...runs].flatMap((part) => part.split(' ')));
  const isCutOff = (text: string, { word, start, end }: Token): boolean =>
    word.length >= leastCut.rest &&
    !stays.has(word) &&
    ((endsCut(text, end) && long.some((one) => one.startsWith(word))) ||
      (beginsCut(text, start) && long.some((one) => one.endsWith(word))));
  return (original) => {
    const text = original
      .replace(headPattern, `After ${entry} “${mask}”:`)
      .replace(linePattern, `- ${entry} ${mask}`);
    const spans: Span[] = [];
    for (const tokens of tokensIn(text))
      for (let at = 0; at < tokens.length; at += 1) {
        const token = tokens[at]!;
        if (isWord.has(token.word) || isCutOff(text, token)) spans.push([token.start, token.end]);
        if (!isPart.has(token.word)) continue;
        if (isPair(tokens, at) && isPairOf.has(joined(tokens, at, 2)))
          spans.push([token.start, tokens[at + 1]!.end]);
        const last = tokens[at + runLength - 1];
        if (last !== undefined && isRun.has(joined(tokens, at, runLength)))
          for (const one of tokens.slice(at, at + runLength)) spans.push([one.start, one.end]);
      }
    return spans.length === 0 ? text : withoutSpans(text, spans);
  };
}

type Span = readonly [start: number, end: number];

/** The text with a mask in place of these spans, and of what parts two of them on a line. */
function withoutSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let from = 0;
  let open: Span | null = null;
  const close = (): void => {
    if (open === null) return;
    parts.push(text.slice(from, open[0]), mask);
    from = open[1];
  };
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const isNext: boolean = open !== null && isGap.test(text.slice(open[1], start));
    if (isNext) open = [open![0], Math.max(open![1], end)];
    else {
      close();
      open = [start, end];
    }
  }
  close();
  return `${parts.join('')}${text.slice(from)}`;
}

/** What may go with the words around it: neither the end of a line or cell nor a mark that holds a text together. */
const isGap = /^[ \-_./\\:@,;=+#$%&*!?~^'()]{0,4}$/;

/** Whether a word is so long that a text may have been cut within it. */
const isLong = (word: string): boolean =>
  word.length >= leastCut.word ||
  (word.length >= leastCut.coded && /\d/.test(word) && /\p{L}/u.test(word));

const endsCut = (text: string, end: number): boolean =>
  /^(?:…|\.\.|\s*\n|\W{0,3}$)/.test(text.slice(end, end + 8));

const beginsCut = (text: string, start: number): boolean =>
  /(?:…|\.\.|\n\s*|^\W{0,3})$/.test(text.slice(Math.max(0, start - 8), start));

/** A word of a text, and where it stands. */
interface Token {
  /** In lower case, without characters that nobody sees. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Whether nothing but a few marks part it from the word before. */
  readonly isJoined: boolean;
}

/** The words of a text, and those of it with escapes read as what they stand for. */
function tokensIn(text: string): readonly (readonly Token[])[] {
  const read = text.replace(escapes, (escape) =>
    (/\\[nrtfv]/.test(escape) ? ' ' : '/').repeat(escape.length),
  );
  return [...[...new Set([text, read])].map(wordsOf), signsOf(text)];
}

/** Signs that stand together like a word: pictures, or marks that are no rule or dots. */
const signsOf = (text: string): Token[] =>
  [...text.matchAll(signs)]
    .filter(({ 0: found }) => isPicture.test(found) || new Set(found).size >= leastSigns)
    .map(({ 0: word, index: start }) => ({
      word,
      start,
      end: start + word.length,
      isJoined: false,
    }));

const leastSigns = 4;
const signs = /(?:\p{Extended_Pictographic}|\u200d|\ufe0f)+|[!#$%&()*+\-./:;=?@[\\\]^_{}~]{4,64}/gu;
const isPicture = /\p{Extended_Pictographic}/u;

/** What JSON and XML write in place of a character. */
const escapes = /\\(?:u[0-9a-fA-F]{4}|[\\nrtbfv])|&(?:amp|lt|gt|quot|apos|#x?[0-9a-f]{1,6});/g;

function wordsOf(text: string): Token[] {
  const tokens: Token[] = [];
  let before = 0;
  for (const { 0: found, index } of text.matchAll(letters))
    for (const [part, offset] of partsOf(found)) {
      const [start, end] = [index + offset, index + offset + part.length];
      const gap = text.slice(before, start);
      const word = part.replace(invisible, '').toLowerCase();
      tokens.push({ word, start, end, isJoined: gap.length <= 4 && !/\s/.test(gap) });
      before = end;
    }
  return tokens;
}

/** Letters and digits, with what nobody sees among them. */
const letters =
  /[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*[\p{L}\p{M}\p{N}])?/gu;
const invisible = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/** Scripts that put no space between words: each character is one. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]/u;

function* partsOf(match: string): Generator<readonly [part: string, offset: number]> {
  if (!unspaced.test(match)) return yield [match, 0];
  let offset = 0;
  for (const part of match.split(/(?<=[^\p{M}])(?=[^\p{M}])/u)) {
    yield [part, offset];
    offset += part.length;
  }
}

/** A text without the sequences that color a terminal, which a derived text has not. */
const plain = (text: string): string => text.replace(/\u001b\[[\d;?]{0,20}[A-Za-z]/g, ' ');

const isPair = (tokens: readonly Token[], at: number): boolean => tokens[at + 1]?.isJoined === true;

function joined(tokens: readonly Token[], at: number, length: number): string {
  let text = tokens[at]!.word;
  for (let next = at + 1; next < at + length; next += 1) text += ` ${tokens[next]!.word}`;
  return text;
}
