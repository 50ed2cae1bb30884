import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { randomOf } from '../../random.ts';

// Text to count and to append, cut from packages that the lock file pins, so
// that it is the same on every machine: paragraphs of their documentation,
// sources, answers of tools made of both, and the messages of a compiler in
// Chinese, Japanese and Korean.

/** The kinds of text. */
export const kinds = ['prose', 'code', 'json', 'cjk'] as const;
export type Kind = (typeof kinds)[number];

/** One text of each kind. */
export type Corpora = Readonly<Record<Kind, string>>;

/** Longest text of a kind, in characters. */
const longest = 1 << 19;

const documented = [
  'fast-check',
  'xstate',
  'abstract-level',
  'level',
  'classic-level',
  'commander',
  'vitest',
  'knip',
  'typescript',
  'oxlint',
  'publint',
  'fflate',
  'chai',
  'marked',
  'highlight.js',
  'undici-types',
  'js-tiktoken',
  'yargs',
];
const translated = ['zh-cn', 'ja', 'ko', 'zh-tw'];

let corpora: Corpora | null = null;

/** Reads all texts, at the first call. */
export function readCorpora(): Corpora {
  if (corpora !== null) return corpora;
  const packages = findPackages();
  const code = readCode(packages);
  corpora = { prose: readProse(packages), code, json: makeJson(code), cjk: readCjk(packages) };
  return corpora;
}

/** The folder in which packages are installed. */
function findPackages(): string {
  const require = createRequire(import.meta.url);
  return dirname(dirname(require.resolve('xstate/package.json')));
}

function readProse(packages: string): string {
  const seen = new Set<string>();
  let text = '';
  const first = documented.map((name) => join(packages, name));
  for (const file of [...first, packages].flatMap((folder) => filesOf(folder, /\.md$/i))) {
    for (const raw of readFileSync(file, 'utf8')
      .replace(/```[^]*?```/g, '')
      .split(/\n\s*\n/)) {
      const paragraph = raw.replace(/\s+/g, ' ').trim();
      const plain =
        paragraph.length >= 80 && /^[A-Z]/.test(paragraph) && !/[|{}<>]/.test(paragraph);
      if (!plain || seen.has(paragraph)) continue;
      seen.add(paragraph);
      text += `${paragraph}\n\n`;
    }
    if (text.length >= longest) break;
  }
  return flat(text.slice(0, longest));
}

function readCode(packages: string): string {
  let text = '';
  for (const file of filesOf(join(packages, 'zod/src'), /\.ts$/)) {
    if (/locales|\.test\.|benchmarks/.test(file)) continue;
    text += `// ${file.slice(packages.length + 1)}\n${readFileSync(file, 'utf8')}\n`;
    if (text.length >= longest) break;
  }
  return flat(text.slice(0, longest));
}

/** What searches, listings and requests answer. */
function makeJson(code: string): string {
  const next = randomOf(11);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const upTo = (most: number): number => Math.floor(next() * most);
  const hex = (length: number): string =>
    Array.from({ length }, () => upTo(16).toString(16)).join('');
  const time = (): string => new Date(1.7e12 + next() * 5e10).toISOString();
  const lines = code.split('\n').filter((line) => line.trim().length > 20);
  const files = [...new Set([...code.matchAll(/^\/\/ (\S+\.ts)$/gm)].map(([, file]) => file!))];
  const many = <T>(length: number, make: (index: number) => T): T[] =>
    Array.from({ length }, (_, index) => make(index));
  const answers = [
    () => ({
      tool: 'search',
      query: pick(lines).trim().split(/\W+/)[0],
      matches: many(12, () => ({ path: pick(files), line: upTo(900), text: pick(lines) })),
    }),
    () => ({
      tool: 'list',
      entries: many(20, () => ({
        name: pick(files),
        size: upTo(90_000),
        mode: '0644',
        mtime: time(),
        sha: hex(40),
      })),
    }),
    () => ({
      tool: 'http',
      status: 200,
      headers: { 'content-type': 'application/json', etag: `"${hex(16)}"` },
      body: many(10, (index) => ({
        id: upTo(1e9),
        name: `item-${index}`,
        price: upTo(100_000) / 100,
        tags: ['new', 'sale'],
        created_at: time(),
        active: next() > 0.5,
        parent: null,
      })),
    }),
  ];
  let text = '';
  while (text.length < longest) {
    text += `${JSON.stringify(pick(answers)(), null, next() > 0.5 ? 2 : 0)}\n`;
  }
  return flat(text.slice(0, longest));
}

/** The messages of the TypeScript that a pinned package brings along. */
function readCjk(packages: string): string {
  const folder = join(packages, '@arethetypeswrong/core/node_modules/typescript/lib');
  const quarter = longest / 16;
  const texts = translated.map((language) => {
    const file = join(folder, language, 'diagnosticMessages.generated.json');
    const messages = Object.values(
      JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>,
    );
    return messages.map((message) => message.replace(/['"“”]?\{\d\}['"“”]?/g, '')).join('\n');
  });
  return flat(texts.map((text) => text.slice(0, quarter)).join('\n'));
}

function filesOf(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) => !/changelog|license/i.test(file) && !file.slice(folder.length).includes('.cache'),
    )
    .sort();
}

/** The same text in one piece of memory, so that cutting it keeps nothing else alive. */
export function flat(text: string): string {
  return Buffer.from(text).toString();
}
