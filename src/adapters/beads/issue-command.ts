import { shellCommands, type ShellWords } from './shell-words.ts';

/** What a shell command does to an issue. */
export interface IssueCommand {
  readonly does: 'claim' | 'close';
  readonly id: string;
}

/** What a shell command does to issues by `br` or `bd`, in order: which it takes, and which it closes. */
export function issueCommands(command: string): readonly IssueCommand[] {
  return shellCommands(command).flatMap(read);
}

function read([program = '', verb, ...rest]: ShellWords): readonly IssueCommand[] {
  if (!/(?:^|\/)(?:br|bd)$/.test(program) || rest.includes('--help')) return [];
  const ids = rest.filter(
    (word, at) => /^[A-Za-z0-9][\w.-]{0,99}$/.test(word) && !takesValue.test(rest[at - 1] ?? ''),
  );
  const does = verb === 'close' ? 'close' : verb === 'update' && isClaim(rest) ? 'claim' : null;
  return does === null ? [] : ids.map((id) => ({ does, id }));
}

/** Flags whose value is the next word. */
const takesValue = /^(?:-[a-z]|--(?!claim$|json$|force$|suggest-next$|robot$)[a-z-]+)$/;

const isClaim = (words: ShellWords): boolean =>
  words.includes('--claim') || /(?:^| )(?:-s|--status)[ =]in_progress(?: |$)/.test(words.join(' '));
