import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { quote } from '../../call/call.ts';
import { cleanLine } from '../../paper/clean.ts';

/** A line that has git leave a folder alone, and the file that it belongs into. */
export interface IgnoreLine {
  /** The `.gitignore` of the repository; a path from the current folder where that is shorter. */
  readonly file: string;
  readonly line: string;
}

/**
 * The line without which git would see a folder; null where it lies in no repository, is left alone already, or
 * the `.gitignore` is no plain file. It goes by the lines that name the folder, or one that it lies in: git itself is
 * not started, since a repository may say what it starts.
 */
function missingIgnore(folder: string): IgnoreLine | null {
  const path = resolve(folder);
  const root = repositoryOf(dirname(path));
  if (root === null || isIgnored(path, root)) return null;
  const file = join(root, '.gitignore');
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) return null;
  const named = relative('.', file);
  return {
    file: named.length < file.length ? named : file,
    line: `/${relative(root, path).split(sep).join('/')}/`,
  };
}

/** What is missing in the `.gitignore` as long as a folder has no document; null for nothing. */
export function newIgnore(folder: string): IgnoreLine | null {
  return existsSync(join(folder, 'NOW.md')) ? null : missingIgnore(folder);
}

/** The command that has git leave a folder alone. */
export function ignoreAdvice({ file, line }: IgnoreLine): string {
  return `To keep them out of git: echo ${quote(cleanLine(line))} >> ${quote(cleanLine(file))}`;
}

/** Writes the line behind those that the file has. */
export async function addIgnore({ file, line }: IgnoreLine): Promise<void> {
  const before = contentOf(file);
  const isOpen = before !== '' && !before.endsWith('\n');
  await appendFile(file, `${isOpen ? '\n' : ''}${line}\n`);
}

/** The folder with the `.git` that is nearest above; null for none. */
function repositoryOf(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : repositoryOf(parent);
}

/** Whether a line of a `.gitignore` from the root down names the folder, or one that it lies in. */
function isIgnored(path: string, root: string): boolean {
  for (let at = dirname(path); ; at = dirname(at)) {
    const names = relative(at, path).split(sep);
    const ways = names.map((_, index) => names.slice(0, index + 1).join('/'));
    const lines = linesOf(at === root ? ['.git/info/exclude', '.gitignore'] : ['.gitignore'], at);
    if (lines.some((line) => line === '*' || ways.includes(line) || names.includes(line)))
      return true;
    if (at === root) return false;
  }
}

/** What the files of a folder name, without the slashes and stars around it. */
const linesOf = (files: readonly string[], folder: string): readonly string[] =>
  files
    .flatMap((file) => contentOf(join(folder, file)).split('\n'))
    .map((line) =>
      line
        .trim()
        .replace(/^(?:\*\*)?\//, '')
        .replace(/\/\*{0,2}$/, ''),
    );

/** The text of a file; '' where there is none that may be read. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
