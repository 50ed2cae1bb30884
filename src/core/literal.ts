// What a text names literally. One expression cuts the text into chunks of
// name characters in one pass, and each chunk is looked at by itself, so that
// no text, however odd, takes more than linear time.

/** What can stand literally in a text. */
export type LiteralKind = 'path' | 'identifier' | 'number' | 'error' | 'url';

/** Longest name kept, in UTF-16 units; a longer one is no name but data. */
const longest = { url: 300, path: 160, word: 80 } as const;

const chunks = /https?:\/\/[^\s"'`<>)\]}\\]+|error\[E\d{4}\]|(?<![^\s(])#\d{2,6}\b|[\w$@.+~/-]+/g;

const extensions = new Set(
  'ts tsx mts cts js mjs cjs jsx json jsonl md mdx py pyi go mod sum rs c h cc cpp hpp java kt rb php sh bash zsh ps1 yml yaml toml ini cfg conf sql css scss html txt csv log lock pony xml svg png db env diff patch swift vue svelte tf proto ipynb'.split(
    ' ',
  ),
);
const extensionless = new Set([
  'Makefile',
  'Dockerfile',
  'Justfile',
  'Procfile',
  'Gemfile',
  'LICENSE',
]);
/** Objects whose members look like files: `console.log`, `process.env`. */
const objects = /^(?:console|process|Math|this|self|import\.meta|logger?)\./;
const boring = new Set([
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

/** Calls `add` with each name that `text` holds, in order, as often as it stands there. */
export function scan(text: string, add: (name: string, kind: LiteralKind) => void): void {
  for (const { 0: chunk, index } of text.matchAll(chunks)) {
    const next = text[index + chunk.length] ?? '';
    if (/^[A-Z]?[a-z]*\.?$/.test(chunk) && next !== '(') continue;
    if (chunk.startsWith('http') && chunk.includes('://')) addUrl(chunk, add);
    else if (chunk.startsWith('#')) add(chunk, 'number');
    else if (chunk.startsWith('error[')) add(chunk, 'error');
    else if (chunk.includes('/') && isPath(chunk)) addPath(chunk, add);
    else addPieces(chunk, { before: text[index - 1] ?? '', next, add });
  }
}

type Add = (name: string, kind: LiteralKind) => void;

function addUrl(chunk: string, add: Add): void {
  const url = trimEnd(chunk, '.,;:*');
  if (url.length <= longest.url && url.length > 10) add(url, 'url');
}

function isPath(chunk: string): boolean {
  if (!/[A-Za-z]/.test(chunk)) return false;
  const segments = chunk.split('/').filter((segment) => segment !== '');
  const last = trimEnd(segments.at(-1) ?? '', '.');
  if (isFile(last)) return true;
  if (segments.length < 2 || /^\d+$/.test(last)) return false;
  return segments.length >= 3 || /^[./~]/.test(chunk);
}

function isFile(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot >= 0 ? extensions.has(name.slice(dot + 1)) : extensionless.has(name);
}

/** A relative and an absolute spelling of one file count as the same: the last two segments are its name. */
function addPath(chunk: string, add: Add): void {
  const segments = trimEnd(chunk, './')
    .split('/')
    .filter((segment) => !['', '.', '..', '~'].includes(segment));
  const name = segments.slice(-2).join('/');
  if (name.length >= 4 && name.length <= longest.path) add(name, 'path');
}

interface Surroundings {
  readonly before: string;
  readonly next: string;
  readonly add: Add;
}

function addPieces(chunk: string, around: Surroundings): void {
  const { add } = around;
  for (const raw of chunk.split(/[@+~/]+/)) {
    const piece = trimEnd(trimStart(raw, '.-'), '.-');
    if (piece === '') continue;
    const id = piece.length >= 36 ? uuid.exec(piece)?.[0] : undefined;
    if (id !== undefined) add(id, 'number');
    else if (piece.length <= longest.word && version.test(piece)) add(piece, 'number');
    else if (isNumber(piece, chunk, around)) add(piece, 'number');
    else {
      const file = fileIn(piece, around.next);
      if (file !== '') add(file, 'path');
      else
        for (const word of piece.split(/[.-]+/))
          addWord(word, chunk.endsWith(word) ? around.next : '', add);
    }
  }
}

/** A number of 4 to 9 digits that stands alone and is not a year. */
function isNumber(piece: string, chunk: string, { before, next }: Surroundings): boolean {
  return (
    piece.length >= 4 &&
    chunk.length <= 12 &&
    /^\d+$/.test(piece) &&
    trimEnd(chunk, '.') === piece &&
    before !== ',' &&
    next !== ',' &&
    !/^(?:19|20)\d\d$/.test(piece)
  );
}

/** The head of `piece` that is a file's name, or nothing. */
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

function addWord(word: string, next: string, add: Add): void {
  if (word.length < 5 || word.length > longest.word) return;
  if (failure.test(word)) add(word, 'error');
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
    !boring.has(word)
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
