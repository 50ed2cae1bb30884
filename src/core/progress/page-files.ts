import { wholePaths } from '../entities/salience.ts';
import { broughtIn } from '../file-events/edits.ts';
import { belowFolder, commonFolder, plainPath } from '../files/paths.ts';
import { idsOf } from '../lines/line.ts';
import type { CheckpointDocument } from '../documents/document.ts';
import { printCode, printText } from '../documents/markdown-text.ts';
import { short } from '../documents/short-text.ts';
import type { SessionWork } from './session-work.ts';

// The files of the page, under paths that can be opened: as the calls gave them, or
// from a folder that most of them lie in. One that a command told from elsewhere goes with the
// whole path that it is the end of.

/** What became of a file. */
interface FileNote {
  readonly n: number;
  readonly to: number;
  readonly brought: string;
}

/** The files that were changed and are there, each with what it brought last and where, below a folder that most lie in. */
export function filesOnPage(
  { lines, moves, root }: SessionWork,
  whole: CheckpointDocument,
): { readonly head: string; readonly lines: readonly string[] } {
  const changed = lines.filter(({ kind, file }) => kind === 'changed' && file !== '');
  const all = [
    ...changed.map(({ file }) => file),
    ...whole.files.map(({ path }) => path),
    ...moves.flatMap(({ from, to }) => [from, to]),
  ];
  const fullPaths = wholePaths(all.map(plainPath));
  const openable = (path: string): string => {
    const fullPath = fullPaths.get(plainPath(path))!;
    return root === '' || /^(?:[/~]|[A-Za-z]:)/.test(fullPath) ? fullPath : `${root}/${fullPath}`;
  };
  const files = new Map<string, FileNote>();
  for (const { file, n, to, text } of changed) {
    const path = openable(file);
    const old = files.get(path);
    const what = broughtIn(text);
    const brought = what.startsWith('+ ') ? short(what.slice(2), 90) : '';
    files.delete(path);
    files.set(path, {
      n: old?.n ?? n,
      to,
      brought: brought === '' ? (old?.brought ?? '') : brought,
    });
  }
  const movedPaths = new Set<string>();
  for (const { from, to, n } of moves) {
    const path = openable(from);
    const note = files.get(path);
    if (note !== undefined && note.to > n) continue;
    movedPaths.add(path);
    files.delete(path);
    if (note !== undefined && to !== '') files.set(openable(to), note);
  }
  const others = whole.files
    .map(({ path, change }) => ({ path: openable(path), change }))
    .filter(({ path }) => !files.has(path) && !movedPaths.has(path));
  const paths = [...files.keys(), ...others.map(({ path }) => path)];
  const folder = commonFolder(paths);
  const printPath = (path: string): string => printCode(belowFolder(path, folder), 'item');
  return {
    head: folder === '' ? 'Files' : `Files (… is ${printCode(folder, 'item')})`,
    lines: [
      ...others.map(({ path, change }) => `- ${printPath(path)} — ${printText(change, 'item')}`),
      ...[...files].map(([path, { n, to, brought }]) => {
        const what = brought === '' ? 'changed' : printText(brought, 'item');
        return `- ${printPath(path)} — ${what} (${idsOf({ n, to })})`;
      }),
    ],
  };
}
