import type { Said } from './said.ts';

// What a later step may need from earlier history, as far as it can be told by
// its look: paths, identifiers, commands, errors and literals. The engine has an
// extraction of its own for its lines; a judge must not use it.

/** What a name is. */
export type NameClass = 'path' | 'identifier' | 'command' | 'literal' | 'error';

/** All classes, in the order of reports. */
export const nameClasses: readonly NameClass[] = [
  'path',
  'identifier',
  'command',
  'literal',
  'error',
];

/** Names in the order in which they were found. */
export type Names = ReadonlyMap<string, NameClass>;

const extensions =
  'ts|tsx|mts|cts|js|mjs|cjs|jsx|json|jsonl|md|mdx|py|pyi|go|mod|sum|rs|c|h|cc|cpp|hpp|java|kt|rb|php|sh|bash|zsh|ps1|yml|yaml|toml|ini|cfg|conf|sql|css|scss|html|txt|csv|log|lock|pony|xml|svg|png|db|env|diff|patch';

const patterns = {
  url: /\bhttps?:\/\/[^\s"'`<>)\]}\\]+/g,
  uuid: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  path: /(?:~|\.{1,2})?(?:\/?[\w@.+-]+\/)+[\w@.+-]+|\/[\w@.+-]{3,}(?:\/[\w@.+-]+)+/g,
  file: new RegExp(`\\b[\\w][\\w.-]*\\.(?:${extensions})\\b`, 'g'),
  error:
    /\b[A-Z][A-Za-z]{2,}(?:Error|Exception|Failure|Warning)\b|\bTS\d{4,5}\b|\bE(?:NOENT|ACCES|PERM|EXIST|ADDRINUSE|CONNREFUSED|TIMEDOUT|RESOLVE|PIPE|MFILE|ISDIR|NOTDIR|NOTEMPTY)\b|\bSIG[A-Z]{3,6}\b|\berror\[E\d{4}\]/g,
  version: /\bv?\d+\.\d+\.\d+(?:-[\w.]+)?\b/g,
  issue: /(?<=\s|\()#\d{2,6}\b/g,
  hex: /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/g,
  code: /\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{6,10}\b/g,
  number: /(?<![\w.,-])\d{4,9}(?![\w.,-])/g,
  identifier: /[A-Za-z_$][\w$]{4,}/g,
  called: /\b[A-Za-z_]\w{4,}(?=\()/g,
} as const;

const fileEnd = new RegExp(`\\.(?:${extensions})\\.?$`);
const year = /^(19|20)\d\d$/;

/** Words of two humps that name nothing of a project. */
const common: ReadonlySet<string> = new Set([
  'README',
  'JavaScript',
  'TypeScript',
  'GitHub',
  'iPhone',
  'OpenAI',
  'MacBook',
]);

/** Everything that a message names. */
export function namesOf(said: Said): Names {
  return allNames(said.text, commandNames(said));
}

/** Everything that a text names. */
export function namesIn(text: string): Names {
  return allNames(text, new Map());
}

function allNames(text: string, found: Map<string, NameClass>): Names {
  find(text, collect(found, Number.POSITIVE_INFINITY));
  return found;
}

/** How many names of a class one step can need: a file written whole does not drown the rest. */
const mostOfClass = 30;

/** Characters at the head of each tool argument in which names are needed. */
const headLength = 1_500;

/** What a step uses: names in its prose, its commands and the heads of its tool arguments. */
export function needsOf(said: Said): Names {
  const found = commandNames(said);
  find(stepText(said), collect(found, mostOfClass));
  return found;
}

/** What a step says: its prose and the heads of its tool arguments. */
export function stepText(said: Said): string {
  const heads = said.calls.map(({ arguments: given }) =>
    (typeof given === 'string' ? [given] : Object.values(given))
      .map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')))
      .map((value) => value.slice(0, headLength))
      .join('\n'),
  );
  return `${said.content}\n${heads.join('\n')}`;
}

function commandNames(said: Said): Map<string, NameClass> {
  return new Map(commandsOf(said).map((command) => [command, 'command']));
}

type Add = (name: string, kind: NameClass) => boolean;

/** Puts names into `found`, each once, at most so many of a class; says whether there were seen before. */
function collect(found: Map<string, NameClass>, most: number): Add {
  const counts = new Map<NameClass, number>();
  return (name, kind) => {
    if (name === '' || found.has(name)) return false;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count <= most) found.set(name, kind);
    return true;
  };
}

/** Characters without a break above which a run is data, not a name. */
const longestRun = 4_000;

/** Gives all names of a text to `add`, the most telling first; what is part of one is not looked at again. */
function find(text: string, add: Add): void {
  let rest = text.replace(/[\w@.+\-/~$]+/g, (run) => (run.length > longestRun ? ' ' : run));
  const take = (pattern: RegExp, kind: NameClass, wanted?: (name: string) => boolean): void => {
    for (const [name] of rest.matchAll(pattern)) if (wanted?.(name) ?? true) add(name, kind);
  };
  rest = rest.replace(patterns.url, (url) => {
    add(url.replace(/[.,;:]+$/, ''), 'literal');
    return ' ';
  });
  rest = rest.replace(patterns.uuid, (uuid) => {
    add(uuid, 'literal');
    return ' ';
  });
  rest = rest.replace(patterns.path, (path) => {
    if (!isPath(path)) return path;
    add(pathKey(path), 'path');
    return ' ';
  });
  take(patterns.file, 'path');
  rest = rest.replace(patterns.file, ' ');
  take(patterns.error, 'error');
  take(patterns.version, 'literal');
  take(patterns.issue, 'literal');
  take(patterns.hex, 'literal');
  take(patterns.code, 'literal');
  take(patterns.number, 'literal', (number) => !year.test(number));
  take(patterns.identifier, 'identifier', isIdentifier);
  take(patterns.called, 'identifier', (name) => name.length >= 8);
}

/** Whether a run with slashes is a file, or looks like a folder of a project. */
function isPath(path: string): boolean {
  if (!/[A-Za-z]/.test(path)) return false;
  const segments = path.split('/').filter(Boolean);
  const last = segments.at(-1) ?? '';
  if (fileEnd.test(last)) return true;
  const isLikely = /^[./~]/.test(path) || segments.length >= 3;
  return isLikely && segments.length >= 2 && !/^\d+$/.test(last);
}

/** The last two segments: a relative and an absolute spelling of one file are the same. */
function pathKey(path: string): string {
  return path
    .replace(/[.,:;]+$/, '')
    .replace(/:\d+.*$/, '')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .slice(-2)
    .join('/');
}

function isIdentifier(name: string): boolean {
  const isMade = /[a-z][A-Z]/.test(name) || /[A-Za-z]_[A-Za-z0-9]/.test(name);
  return isMade && name.length >= 6 && !common.has(name);
}

const shells = /^(bash|shell|execute_bash|exec_command|run_command|run|terminal)$/i;
const trivial = /^(cd|echo|head|tail|sort|wc|cat|sleep|grep -n?v?)\b/;

/** The shell commands of a message, first lines only, split where a shell would. */
function commandsOf({ calls }: Said): readonly string[] {
  return calls
    .filter(({ name }) => shells.test(name))
    .flatMap(({ arguments: given }) => firstLine(given).split(/&&|\|\||;|\|/))
    .map((part) =>
      part
        .trim()
        .replace(/\s*2>&1|\s*[12]?>\s*\S+/g, '')
        .trim(),
    )
    .filter(
      (part) => part.length >= 8 && part.length <= 160 && /\s/.test(part) && !trivial.test(part),
    );
}

function firstLine(given: Readonly<Record<string, unknown>> | string): string {
  if (typeof given === 'string') return '';
  const { command, cmd, input } = given;
  const quoted = typeof input === 'string' ? /`([^`]+)`/.exec(input)?.[1] : undefined;
  const raw = command ?? cmd ?? quoted;
  const text = Array.isArray(raw) ? raw.join(' ') : typeof raw === 'string' ? raw : '';
  return text.split('\n')[0] ?? '';
}
