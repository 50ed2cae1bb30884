import { withinScanLimit } from '../text/sentences.ts';
import { parting } from '../definitions/settings.ts';
import { isFilePath } from './paths.ts';

// What `git diff`, `git show` and `gh pr diff` print of files that somebody else
// changed, or the session itself: the lines that stand there now, as far as they are shown.

/** A file, with what is shown of it. */
export interface DiffFile {
  readonly path: string;
  readonly text: string;
}

/** Whether a shell text prints a diff. */
export const printsDiff = (shell: string): boolean =>
  /\b(?:git\b[^\n|;&]{0,200}? (?:diff|show|log [^\n|;&]{0,80}?-p\b)|gh pr diff)\b/.test(shell);

/** Whether that diff is of a commit that is named, or of a branch elsewhere: its files may stand otherwise now. */
export const printsPast = (shell: string): boolean =>
  /\bgit\b[^\n|;&]{0,200}? (?:show(?: -(?!-\s)[^\s|;&]{1,80}){0,8} (?!-|HEAD(?:\s|$))[^\s|;&]|log [^\n|;&]{0,80}?-p\b|diff\b[^\n|;&]{0,200}\w\.{2,3}(?!HEAD\b)\w)|\bgh pr diff\b/.test(
    shell,
  );

/** Most files of a diff that are told. */
const mostFiles = 30;

/** The files of a diff, in order; those that it takes away are left out. */
export function filesOfDiff(printed: string): readonly DiffFile[] {
  const files: { readonly path: string; readonly lines: string[] }[] = [];
  let isShown = false;
  for (const line of withinScanLimit(printed).split('\n')) {
    const [, path] = /^\+\+\+ (?:b\/)?([^\t\n]+)/.exec(line) ?? [];
    if (path !== undefined) files.push({ path, lines: [] });
    if (/^(?:diff --git |--- |\+\+\+ )/.test(line)) isShown = false;
    else if (line.startsWith('@@ ')) {
      isShown = true;
      if ((files.at(-1)?.lines.length ?? 0) > 0) files.at(-1)!.lines.push(parting);
    } else if (isShown && /^[+ ]/.test(line)) files.at(-1)?.lines.push(line.slice(1));
  }
  return files
    .filter(({ path, lines }) => lines.length > 0 && isFilePath(path))
    .slice(0, mostFiles)
    .map(({ path, lines }) => ({ path, text: lines.join('\n') }));
}
