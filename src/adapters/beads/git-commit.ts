import { shellCommands, type ShellWords } from './shell-words.ts';

/** A commit that git says it made. */
export interface Commit {
  /** As git shortens it. */
  readonly hash: string;
  readonly subject: string;
}

/**
 * The commits that a shell command made, in order: git must have been told to, and its output must say so. A quiet
 * commit says nothing, so it is not seen. What the command ended with says nothing of its commits.
 */
export function commitsMade(command: string, output: string): readonly Commit[] {
  const commitCommands = shellCommands(command).filter(isCommit).length;
  if (commitCommands === 0) return [];
  // Whatever else is put out may look like it: no more than were told to be made.
  return [...output.slice(0, mostRead).matchAll(commitLine)]
    .slice(0, commitCommands)
    .map(([, hash = '', subject = '']) => ({ hash, subject }));
}

/** Longest output that is read, in UTF-16 units. */
const mostRead = 1_000_000;

/** `[main 1a2b3c4] Subject`, `[main (root-commit) 1a2b3c4] Subject`, `[detached HEAD 1a2b3c4] Subject`. */
const commitLine =
  /^\[(?:detached HEAD|[^\s[~^:?*\\]{1,250})(?: \(root-commit\))? ([0-9a-f]{7,64})\] ([^\r\n]*)/gm;

function isCommit(words: ShellWords): boolean {
  const [program = '', ...rest] = words;
  if (!/^(?:\/[\w./-]+\/)?git$/.test(program)) return false;
  let at = 0;
  while (rest[at]?.startsWith('-') === true) at += globalWithValue.test(rest[at]!) ? 2 : 1;
  return rest[at] === 'commit' && !isTrial(rest.slice(at + 1));
}

const globalWithValue =
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source)$/;

/** Whether the options of a commit only show what it would do. */
function isTrial(options: ShellWords): boolean {
  let trial = false;
  for (let at = 0; at < options.length && options[at] !== '--'; at += 1) {
    const option = options[at]!;
    if (/^--dry?(?:-r?u?n?)?$|^--(?:short|porcelain|long|null|help)$/.test(option)) trial = true;
    else if (option === '--no-dry-run') trial = false;
    else if (longWithValue.test(option)) at += 1;
    else if (/^-[a-zA-Z]/.test(option)) {
      // In a cluster the first letter that takes a value takes the rest, or the next word.
      const letters = /^-([^mFCctuSzh]*)([mFCctuSzh]?)(.*)$/s.exec(option)!;
      if (/[zh]/.test(letters[2]!)) trial = true;
      else if (/[mFCct]/.test(letters[2]!) && letters[3] === '') at += 1;
    }
  }
  return trial;
}

const longWithValue =
  /^--(?:message|file|author|date|reuse-message|reedit-message|fixup|squash|template|cleanup|trailer|pathspec-from-file)$/;

/** The issue that a shell command writes a comment to, by the last of its calls to `br` or `bd`; null where it writes none. */
export function commentMade(command: string): string | null {
  return (
    shellCommands(command)
      .map(commentedIssue)
      .findLast((id) => id !== null) ?? null
  );
}

function commentedIssue([program = '', ...rest]: ShellWords): string | null {
  const name = /^(?:\/[\w./-]+\/)?(br|bd)$/.exec(program)?.[1];
  if (name === undefined || rest.includes('--help') || rest.includes('-h')) return null;
  const [first, ...others] = positionals(rest);
  const isLong = first === 'comments' && others[0] === 'add';
  const id = isLong ? others[1] : first === 'comment' && name === 'bd' ? others[0] : undefined;
  return id !== undefined && /^[A-Za-z0-9][\w.-]{0,99}$/.test(id) ? id : null;
}

/** The words that are neither flags nor their values. */
function positionals(words: ShellWords): ShellWords {
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === '--') return [...found, ...words.slice(at + 1)];
    if (/^(?:--(?:actor|author|db|directory|file|lock-timeout|message)|-[afC])$/.test(word))
      at += 1;
    else if (!word.startsWith('-')) found.push(word);
  }
  return found;
}
