import { readOften } from '../values/read-once.ts';
import { isTorn } from './torn.ts';

// A scanner for names that stand literally in a text. One pass cuts the text into
// chunks of name characters; plain words, which are most of them, are skipped, and
// each other chunk is classified by itself, so that any text takes linear time.

/** The kinds of literals. */
export type LiteralKind = 'path' | 'identifier' | 'number' | 'error' | 'url';

/** Longest name kept, in UTF-16 units; a longer one is no name but data. */
const longest = { url: 300, path: 160, word: 80 } as const;

/** Shortest literal, in UTF-16 units: `a.c`. */
const shortest = 3;

/** Literals that are no chunk of name characters: a link, the code of an error, a number with its sign. */
const special = /https?:\/\/[^\s"'`<>)\]}\\…]+|error\[E\d{4}\]|(?<![^\s(])#\d{2,6}\b/y;

/** Classes of ASCII characters: 1 small letter, 2 capital, 3 other in names; 0 and all beyond ASCII separate chunks. */
const units = Uint8Array.from({ length: 128 }, (_, code) => {
  const mark = String.fromCharCode(code);
  if (/[a-z]/.test(mark)) return 1;
  if (/[A-Z]/.test(mark)) return 2;
  return /[\w$@.+~/-]/.test(mark) ? 3 : 0;
});

const extensions = new Set(
  'ts tsx mts cts js mjs cjs jsx json jsonl md mdx py pyi go mod sum rs c h cc cpp hpp java kt rb php sh bash zsh ps1 yml yaml toml ini cfg conf sql css scss html txt csv log lock pony xml svg png db env diff patch swift vue svelte tf proto ipynb'.split(
    ' ',
  ),
);

/** Whether a path ends with the name of a file that has no extension. */
export const isBareFile = (path: string): boolean =>
  /(?:^|\/)(?:Makefile|Dockerfile|Justfile|Procfile|Gemfile|LICENSE)$/.test(path);

/** Objects whose members look like files: `console.log`, `process.env`. */
const objects = /^(?:console|process|Math|this|self|import\.meta|logger?)\./;
const commonWords = new Set([
  'README',
  'JavaScript',
  'TypeScript',
  'GitHub',
  'iPhone',
  'OpenAI',
  'MacBook',
  'YouTube',
]);

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const version = /^v?\d+\.\d+\.\d+(?:-[\w.-]+)?$|^\d{1,3}(?:\.\d{1,3}){3}$/;
const failure =
  /^(?:[A-Z][A-Za-z]{2,}(?:Error|Exception|Failure|Warning)|TS\d{4,5}|E(?:NOENT|ACCES|PERM|EXIST|ADDRINUSE|CONNREFUSED|CONNRESET|TIMEDOUT|RESOLVE|PIPE|MFILE|ISDIR|NOTDIR|NOTEMPTY)|SIG[A-Z]{3,6})$/;

/** Calls `add` with each literal of `text`, in order, repetitions included; one that a cut tore is none. */
export function scanLiterals(text: string, add: AddLiteral): void {
  const doubtful = new Set<string>();
  eachLiteral(text, (name, kind) => {
    if (kind === 'words') doubtful.add(name);
    else add(name, kind);
  });
  if (doubtful.size > 0) addKnown(text, doubtful, add);
}

/** Adds those of some words between slashes that are a path, by what else the text names. */
function addKnown(text: string, doubtful: ReadonlySet<string>, add: AddLiteral): void {
  const segments = new Set<string>();
  eachLiteral(text, (name, kind) => {
    if (kind === 'path') for (const segment of name.split('/')) segments.add(segment);
  });
  for (const words of doubtful)
    if (words.split('/').filter((word) => segments.has(word)).length > 1) addPath(words, add);
}

function eachLiteral(text: string, add: AddScanned): void {
  let at = 0;
  while (at < text.length) {
    if (endsEscape(text, at)) at += 1;
    const end = specialEnd(text, at) ?? chunkEnd(text, at);
    if (end === at) at += 1;
    else {
      if (end - at >= shortest && !isPlain(text, at, end) && !isTorn(text, at, end))
        addChunk(text, { at, end, add });
      at = end;
    }
  }
}

/** Whether a letter is the end of an escape that stands in a text as it is written, `\n` or `\t`; in a path of Windows it is a name's. */
export function endsEscape(text: string, at: number): boolean {
  if (at === 0 || text.charCodeAt(at - 1) !== backslash) return false;
  const unit = text.charCodeAt(at);
  if (unit !== smallN && unit !== smallT) return false;
  return !windowsPath.test(text.slice(Math.max(0, at - longest.path), at));
}

const [backslash, smallN, smallT] = [92, 110, 116];

/** What stands before the next name of a path of Windows. */
const windowsPath = /(?:^|[\s"'`(=])(?:[A-Za-z]:|\.{1,2})\\[^\s"'`]*$/;

function specialEnd(text: string, at: number): number | undefined {
  if (!opensSpecial(text, at)) return undefined;
  special.lastIndex = at;
  return special.test(text) ? special.lastIndex : undefined;
}

const [smallE, smallH, hash, dot, opening] = [101, 104, 35, 46, 40];

/** Whether {@link special} may match at `at`; cheaper than the match. */
function opensSpecial(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit === smallH) return text.startsWith('http', at);
  return unit === hash || (unit === smallE && text.startsWith('error[', at));
}

function chunkEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && kindOf(text.charCodeAt(end)) > 0) end += 1;
  return end;
}

/** The class of a UTF-16 unit. */
const kindOf = (unit: number): number => (unit < 128 ? units[unit]! : 0);

/** Whether a chunk is a plain word: small letters after at most one capital, perhaps a period, no call behind it. */
function isPlain(text: string, start: number, end: number): boolean {
  let at = kindOf(text.charCodeAt(start)) === 2 ? start + 1 : start;
  while (at < end && kindOf(text.charCodeAt(at)) === 1) at += 1;
  if (at === end - 1 && text.charCodeAt(at) === dot) at = end;
  return at === end && text.charCodeAt(end) !== opening;
}

function addChunk(
  text: string,
  { at, end, add }: { at: number; end: number; add: AddScanned },
): void {
  const chunk = text.slice(at, end);
  const next = text.charAt(end);
  // What stands beside it matters to a number, to others whether they are called.
  const before = text.charAt(at - 1);
  if (isDigit(chunk.charCodeAt(0))) readNumber(chunk, { before, next, add });
  else for (const [name, kind] of (next === '(' ? called : alone)(chunk)) add(name, kind);
}

/** The chunks that are cached. */
const kept = { longest: 64, most: 20_000 } as const;
const called = readOften((chunk) => literalsOf(chunk, '('), kept);
const alone = readOften((chunk) => literalsOf(chunk, ''), kept);

function literalsOf(chunk: string, next: string): readonly ScannedLiteral[] {
  const scanned: ScannedLiteral[] = [];
  readChunk(chunk, { before: '', next, add: (name, kind) => scanned.push([name, kind]) });
  return scanned;
}

/** Reads a chunk that begins with a digit; most are nothing but digits. */
function readNumber(chunk: string, context: LiteralContext): void {
  if (!digits.test(chunk)) readChunk(chunk, context);
  else if (isNumber(chunk, chunk, context)) context.add(chunk, 'number');
}

const digits = /^\d+$/;

function readChunk(chunk: string, context: LiteralContext): void {
  const { add } = context;
  if (chunk.startsWith('http') && chunk.includes('://')) addUrl(chunk, add);
  else if (chunk.startsWith('#')) add(chunk, 'number');
  else if (chunk.startsWith('error[')) add(chunk, 'error');
  else if (chunk.includes('/') && isPath(chunk)) addPath(chunk, add);
  else {
    if (isWords(chunk)) add(trimEnd(chunk, '.'), 'words');
    addPieces(chunk, context);
  }
}

/** What a chunk is read as: a literal, or words between slashes, which the rest of the text may tell to be a path. */
type ScannedLiteral = readonly [name: string, kind: LiteralKind | 'words'];

type AddScanned = (...literal: ScannedLiteral) => void;

type AddLiteral = (name: string, kind: LiteralKind) => void;

function addUrl(chunk: string, add: AddLiteral): void {
  const url = trimEnd(chunk, '.,;:*');
  if (url.length <= longest.url && url.length > 10) add(url, 'url');
}

function isPath(chunk: string): boolean {
  if (!/[A-Za-z]/.test(chunk)) return false;
  const segments = chunk.split('/').filter((segment) => segment !== '');
  const last = trimEnd(segments.at(-1) ?? '', '.');
  if (isFile(last)) return true;
  if (segments.length < 2 || /^\d+$/.test(last)) return false;
  return /^[./~]/.test(chunk) || (segments.length >= 3 && !isWords(chunk));
}

/** Whether a chunk is words between slashes, of which nothing tells that they are folders. */
function isWords(chunk: string): boolean {
  const words = trimEnd(chunk, '.').split('/');
  return words.length >= 3 && !folders.has(words[0]!) && words.every((word) => letters.test(word));
}

const letters = /^[A-Za-z]+$/;

/** Folders that paths begin with. */
const folders: ReadonlySet<string> = new Set(
  `src lib libs test tests spec docs doc packages pkg apps app cmd internal crates examples scripts tools dist build
  bin public static assets components node_modules vendor server client api web config configs usr etc var opt home
  tmp refs priv`.split(/\s+/),
);

function isFile(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot >= 0 ? extensions.has(name.slice(dot + 1)) : isBareFile(name);
}

/** Adds a path by its last two segments, so that a relative and an absolute spelling count as the same. */
function addPath(chunk: string, add: AddLiteral): void {
  const segments = trimEnd(chunk, '../')
    .split('/')
    .filter((segment) => !['', '.', '..', '~'].includes(segment));
  const name = segments.slice(-2).join('/');
  if (name.length >= 4 && name.length <= longest.path) add(name, 'path');
}

/** The characters beside a chunk. */
interface LiteralContext {
  readonly before: string;
  readonly next: string;
  readonly add: AddScanned;
}

function addPieces(chunk: string, context: LiteralContext): void {
  const { add } = context;
  for (const raw of cut(chunk, joints)) {
    const piece = trimEnd(trimStart(raw, '.-'), '.-');
    if (piece === '') continue;
    const id = piece.length >= 36 ? uuid.exec(piece)?.[0] : undefined;
    if (id !== undefined) add(id, 'number');
    else if (beginsVersion(piece) && piece.length <= longest.word && version.test(piece))
      add(piece, 'number');
    else if (isNumber(piece, chunk, context)) add(piece, 'number');
    else {
      const file = fileIn(piece, context.next);
      if (file !== '') add(file, 'path');
      else
        for (const word of cut(piece, hyphens))
          addWord(word, chunk.endsWith(word) ? context.next : '', add);
    }
  }
}

const joints = /[@+~/]+/;
const hyphens = /[.-]+/;

/** The parts of a text between separators; most texts have none, and a test is cheaper than a split. */
const cut = (text: string, marks: RegExp): readonly string[] =>
  marks.test(text) ? text.split(marks) : [text];

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

const beginsVersion = (piece: string): boolean =>
  piece.startsWith('v') || isDigit(piece.charCodeAt(0));

/** A number of 4 to 9 digits that stands alone and is not a year. */
function isNumber(piece: string, chunk: string, { before, next }: LiteralContext): boolean {
  return (
    piece.length >= 4 &&
    isDigit(piece.charCodeAt(0)) &&
    chunk.length <= 12 &&
    digits.test(piece) &&
    trimEnd(chunk, '.') === piece &&
    before !== ',' &&
    next !== ',' &&
    !/^(?:19|20)\d\d$/.test(piece)
  );
}

/** The start of `piece` that is a file's name; '' if none is. */
function fileIn(piece: string, next: string): string {
  if (piece.length > longest.path || !piece.includes('.') || objects.test(piece)) return '';
  for (let dot = piece.lastIndexOf('.'); dot > 0; dot = piece.lastIndexOf('.', dot - 1)) {
    const end = /^[A-Za-z0-9]+/.exec(piece.slice(dot + 1))?.[0] ?? '';
    const whole = dot + 1 + end.length === piece.length;
    if (extensions.has(end) && !(whole && next === '('))
      return piece.slice(0, dot + 1 + end.length);
  }
  return '';
}

function addWord(word: string, next: string, add: AddLiteral): void {
  if (word.length < 5 || word.length > longest.word) return;
  if (units[word.charCodeAt(0)] === 2 && failure.test(word)) add(word, 'error');
  else if (isCode(word)) add(word, 'number');
  else if (isIdentifier(word) || (next === '(' && word.length >= 8 && /^[A-Za-z_]\w+$/.test(word)))
    add(word, 'identifier');
}

/** A commit hash, or an order or ticket number. */
function isCode(word: string): boolean {
  if (!/\d/.test(word)) return false;
  if (/^[0-9a-f]{7,40}$/.test(word)) return /[a-f]/.test(word);
  return /^[A-Z0-9]{6,10}$/.test(word) && /[A-Z]/.test(word);
}

function isIdentifier(word: string): boolean {
  return (
    word.length >= 6 &&
    /^[A-Za-z_$][\w$]*$/.test(word) &&
    (/[a-z][A-Z]/.test(word) || /[A-Za-z]_[A-Za-z0-9]/.test(word)) &&
    !commonWords.has(word)
  );
}

function trimEnd(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function trimStart(text: string, marks: string): string {
  let start = 0;
  while (start < text.length && marks.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}
