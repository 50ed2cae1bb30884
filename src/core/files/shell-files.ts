import { simpleCommands, withoutRedirections, type ShellCommand } from '../commands/shell-words.ts';
import { isFilePath, plainPath } from './paths.ts';
import { editsInScript, mayReplace, type ScriptEdit } from './script-edits.ts';

// What a shell text does with files. A path is told from the folder that the text
// went into before.

/** A file or a folder that was moved, or taken away (`to` is ''). */
export interface FileMove {
  readonly from: string;
  readonly to: string;
}

/** The files that a shell text moves and takes away, in order; `folder/*` stands for what is in it. */
export function movesIn(shell: string): readonly FileMove[] {
  if (!/\b(?:mv|rm)\b/.test(shell)) return [];
  return withFolders(shell).flatMap(({ words, within }): readonly FileMove[] => {
    const isOfGit = words[0] === 'git';
    const [verb, ...rest] = isOfGit ? words.slice(1) : words;
    if (isOfGit && rest.some((word) => inPlace.test(word))) return [];
    const operands = withoutRedirections(rest).filter((word) => !/^-|[<>$]/.test(word));
    if (verb === 'rm') return operands.map((path) => ({ from: within(path), to: '' }));
    const last = operands.at(-1);
    if (verb !== 'mv' || last === undefined || operands.length < 2) return [];
    const isInto = operands.length > 2 || last.endsWith('/') || last === '.';
    return operands.slice(0, -1).map((path) => {
      const from = within(path);
      const name = from.slice(from.lastIndexOf('/') + 1);
      const to = isInto && name !== '*' ? within(`${last}/${name}`) : within(last);
      return { from, to };
    });
  });
}

/** With which git leaves files where they are, and only says what it would do, or follows them no longer. */
const inPlace = /^(?:--cached|--dry-run|-n)$/;

/** A file that a shell text writes from a here-document, whole or at its end. */
export interface FileWrite {
  readonly path: string;
  readonly text: string;
  readonly extent: 'whole' | 'part';
}

/** The files that a shell text writes from here-documents, in order. */
export function writesIn(shell: string): readonly FileWrite[] {
  if (!/<<-?\s*['"\w]/.test(shell)) return [];
  return withFolders(shell).flatMap(({ words, input, within }): readonly FileWrite[] => {
    const line = words.join(' ');
    const [, more, path] =
      /^cat (?:- )?>(>?) ?([^\s<>&$]+)$/.exec(line) ?? /^tee (-a )?([^\s<>&$]+)/.exec(line) ?? [];
    if (input === undefined || path === undefined) return [];
    return [{ path: within(path), text: input, extent: more ? 'part' : 'whole' }];
  });
}

/** The files in which the scripts of a shell text replace texts, each once. */
export function replacedIn(shell: string): readonly ScriptEdit[] {
  if (!mayReplace(shell)) return [];
  const scriptEdits = withFolders(shell).flatMap(({ within, ...command }) =>
    editsInScript(command).map(({ path, edits }) => ({ path: within(path), edits })),
  );
  return [...new Set(scriptEdits.map(({ path }) => path))].map((path) => ({
    path,
    edits: scriptEdits.flatMap((one) => (one.path === path ? one.edits : [])),
  }));
}

/** The one file that a shell text only shows; undefined for none, and for several. */
export function shownPath(shell: string): string | undefined {
  if (!/^(?:cd \S+ && )?(?:cat|bat|head|tail|sed -n|nl|less)\s/.test(shell)) return undefined;
  const commands = withFolders(shell);
  if (commands.some(({ input }) => input !== undefined)) return undefined;
  const paths = commands.flatMap(({ words: [verb, ...words], within }) =>
    verb === 'cd' ? [] : words.filter(isFilePath).map(within),
  );
  return paths.length === 1 ? paths[0] : undefined;
}

/** The commands of a shell text, each with the folder that it runs in. */
function withFolders(shell: string) {
  let folder = '';
  return simpleCommands(shell).map((command: ShellCommand) => {
    const [verb, target = ''] = command.words;
    const before = folder;
    const within = (path: string): string =>
      plainPath(/^[/~]/.test(path) || before === '' ? path : `${before}/${path}`);
    if (verb === 'cd' && target !== '') folder = within(target);
    return { ...command, within };
  });
}
