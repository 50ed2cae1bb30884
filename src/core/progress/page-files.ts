import { broughtIn } from '../files/edits.ts';
import { idsOf } from '../lines/line.ts';
import type { CheckpointDocument } from '../documents/document.ts';
import { printCode, printText } from '../documents/markdown-text.ts';
import { short } from '../documents/short-text.ts';
import type { SessionWork } from './session-work.ts';

// The files of the page, under paths that can be opened: whole, or from a folder
// that all of them lie in. One that a command told from elsewhere goes with the
// whole path that it is the end of.

/** What became of a file. */
interface FileNote {
  readonly n: number;
  readonly to: number;
  readonly brought: string;
}

/** The files that were changed, each with what it brought last and where, below a folder that has all of them. */
export function filesOnPage(
  { lines }: SessionWork,
  whole: CheckpointDocument,
): { readonly head: string; readonly lines: readonly string[] } {
  const changed = lines.filter(({ kind, file }) => kind === 'changed' && file !== '');
  const all = [...changed.map(({ file }) => file), ...whole.files.map(({ path }) => path)];
  const openable = openablePaths(all);
  const files = new Map<string, FileNote>();
  for (const { file, n, to, text } of changed) {
    const path = openable(file);
    const old = files.get(path);
    const brought = short(broughtIn(text), 90);
    files.delete(path);
    files.set(path, {
      n: old?.n ?? n,
      to,
      brought: brought === '' ? (old?.brought ?? '') : brought,
    });
  }
  const others = whole.files
    .map(({ path, change }) => ({ path: openable(path), change }))
    .filter(({ path }) => !files.has(path));
  const root = sharedFolder([...files.keys(), ...others.map(({ path }) => path)]);
  const shown = (path: string): string =>
    printCode(root === '' ? path : path.slice(root.length + 1), 'item');
  return {
    head: root === '' ? 'Files' : `Files (below ${printCode(root, 'item')})`,
    lines: [
      ...others.map(({ path, change }) => `- ${shown(path)} — ${printText(change, 'item')}`),
      ...[...files].map(([path, { n, to, brought }]) => {
        const what = brought === '' ? 'changed' : printText(brought, 'item');
        return `- ${shown(path)} — ${what} (${idsOf({ n, to })})`;
      }),
    ],
  };
}

const isWhole = (path: string): boolean => /^(?:\/|~\/|[A-Za-z]:[\\/])/.test(path);

/** Of each path the whole one that it is the end of, where that is clear; else the path itself. */
function openablePaths(paths: readonly string[]): (path: string) => string {
  const whole = new Set(paths.filter(isWhole));
  const root = sharedFolder([...whole]);
  const folders = new Set([...whole].map(folderOf));
  return (path) => {
    if (isWhole(path)) return path;
    const plain = path.replace(/^(?:\.\/)+/, '');
    const ends = [...whole].filter((one) => one.endsWith(`/${plain}`));
    if (ends.length === 1) return ends[0]!;
    const below = `${root}/${plain}`;
    const isKnown =
      root !== '' && (ends.length === 0 ? folders.has(folderOf(below)) : whole.has(below));
    return isKnown && plain.includes('/') ? below : path;
  };
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** The folder that all of some whole paths lie in; '' where there is none worth telling. */
function sharedFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  if (others.length === 0 || !paths.every(isWhole)) return '';
  let folder = folderOf(first);
  while (folder !== '' && !others.every((path) => path.startsWith(`${folder}/`)))
    folder = folderOf(folder);
  return folder.split('/').length > 2 ? folder : '';
}
