import { textOf, type ToolCall, type ToolMessage } from '../messages/message.ts';
import { withinScanLimit } from '../text/sentences.ts';
import { shellText } from '../commands/shell-commands.ts';
import { argumentsOf, simpleCommands, withoutRedirections } from '../commands/shell-words.ts';
import { hasFailed } from '../outcomes/failures.ts';
import { noteLine, type HostNote } from './host-note.ts';

// Steps of the work that leave no file and no sentence behind: the branch that was begun,
// what was pushed, merged, tagged and released, and the dependencies that were added.

/** Whether a shell text may hold such a step; looked at first, for most have none. */
const mayStep =
  /\b(?:git|gh|npm|pnpm|yarn|bun|uv|pip3?|poetry|pdm|cargo|go|composer|gem|dotnet|brew|apt(?:-get)?)\b/;

/** The steps that a call made, as one note; none where it failed. */
export function stepNotes(call: ToolCall, result: ToolMessage | undefined): readonly HostNote[] {
  if (result === undefined) return [];
  const text = shellText(call);
  if (!mayStep.test(text) || hasFailed(result)) return [];
  const output = withinScanLimit(textOf(result.content));
  const steps = simpleCommands(text).flatMap(({ words }) => stepOf(words, output) ?? []);
  const line = noteLine([...new Set(steps)].join('; '));
  return line === '' ? [] : [{ kind: 'step', lines: [line] }];
}

/** What stands before the program of a command. */
const before = /^(?:sudo|command|exec|time|\w+=.*)$/;

/** What one command did; null for another command. */
function stepOf(all: readonly string[], output: string): string | null {
  const from = all.findIndex((word) => !before.test(word));
  const words = withoutRedirections(all.slice(Math.max(0, from)));
  const [git, hub] = [argumentsOf(words, 'git'), argumentsOf(words, 'gh')];
  if (git !== null) return gitStep(git, output);
  return hub === null ? addedBy(words, output) : hubStep(hub);
}

const isName = (word: string | undefined): word is string =>
  word !== undefined && /^[\w@][\w./@#+-]{0,120}$/.test(word);

/** Options whose next word is their value, and names nothing: `-m "First"`. */
const worded =
  /^(?:-[a-z]*[mF]|-[tnbRX]|--(?:message|file|title|notes|notes-file|body|body-file|subject|target|repo|strategy))$/;

/** The words that name something. */
const namesOf = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => isName(word) && !worded.test(words[at - 1] ?? ''));

/** What `git` did. */
function gitStep([step = '', ...words]: readonly string[], output: string): string | null {
  const names = namesOf(words);
  switch (step) {
    case 'checkout':
    case 'switch': {
      const at = words.findIndex((word) => /^(?:-[bBcC]|--create)$/.test(word));
      const branch = words[at + 1];
      return at < 0 || !isName(branch) ? null : `began branch ${branch}`;
    }
    case 'push': {
      if (words.some((word) => /^(?:-n|--dry-run|-d|--delete)$/.test(word))) return null;
      const pushed =
        /^ [ +*]?\s{0,3}\S{1,40}(?: \S{1,20}\])?\s{1,40}\S{1,120} -> (\S{1,120})/m.exec(
          output,
        )?.[1];
      const what = pushed ?? names[1];
      return what === undefined || what === 'HEAD' ? 'pushed' : `pushed ${what}`;
    }
    case 'tag':
      return words.some((word) => /^-[dlvn]|^--(?:list|delete|verify|contains|sort)/.test(word)) ||
        names.length === 0
        ? null
        : `tagged ${names[0]}`;
    case 'merge':
      return words.some((word) => /^--(?:abort|continue|quit)$/.test(word)) || names.length === 0
        ? null
        : `merged ${names[0]}`;
    default:
      return null;
  }
}

/** What the program of a forge did. */
function hubStep([thing = '', step = '', ...words]: readonly string[]): string | null {
  const [name] = namesOf(words);
  if (thing === 'pr' && step === 'merge')
    return name === undefined ? 'merged the pull request' : `merged pull request ${name}`;
  if (thing === 'release' && step === 'create' && name !== undefined) return `released ${name}`;
  return null;
}

/** How programs are told to add dependencies. */
const adders: Readonly<Record<string, RegExp>> = {
  npm: /^(?:install|i|add)$/,
  pnpm: /^(?:install|i|add)$/,
  yarn: /^add$/,
  bun: /^(?:install|i|add)$/,
  uv: /^(?:add|pip install)$/,
  pip: /^install$/,
  pip3: /^install$/,
  poetry: /^add$/,
  pdm: /^add$/,
  cargo: /^add$/,
  go: /^get$/,
  composer: /^require$/,
  gem: /^install$/,
  dotnet: /^add package$/,
  brew: /^install$/,
  apt: /^install$/,
  'apt-get': /^install$/,
};

/** Options that take the next word, none of which is a dependency. */
const valued =
  /^(?:-r|--requirement|-e|--editable|-C|--prefix|--filter|--features|--index-url|-v|--version)$/;

/** The name of a dependency, with or without the versions that will do. */
const dependency =
  /^(@?[A-Za-z][\w./-]{0,80}?)(?:\[[\w,-]{1,40}\])?((?:@|[=<>~!^]=?)[\w.*<>=,^~-]{1,40})?$/;

/** Most dependencies of one command that are told. */
const mostAdded = 8;

/** The dependencies that a command added, each with the version that it says it took. */
function addedBy([program = '', ...words]: readonly string[], output: string): string | null {
  const adder = adders[program];
  if (adder === undefined) return null;
  const length = [1, 2].find((count) => adder.test(words.slice(0, count).join(' ')));
  if (length === undefined) return null;
  const args = words.slice(length);
  const named = args.filter(
    (word, at) =>
      dependency.test(word) && !word.startsWith('.') && !valued.test(args[at - 1] ?? ''),
  );
  if (named.length === 0) return null;
  const added = named.slice(0, mostAdded).map((word) => `${word}${versionOf(word, output)}`);
  return `added ${added.join(', ')} (${[program, ...words.slice(0, length)].join(' ')})`;
}

/** A name with its version, as tools print it: `mcp==1.28.1`, `left-pad@1.3.0`, `serde v1.0.2`. */
const resolved = /(@?[A-Za-z][\w./-]{0,80}?)(?:==|@| = "| )v?(\d[\w.+-]{0,30})/g;

/** The version of a dependency that an output tells: ` 1.28.1`; '' for none, or where it was asked for. */
function versionOf(word: string, output: string): string {
  const [, name = ''] = dependency.exec(word) ?? [];
  const version = [...output.matchAll(resolved)].find(([, one]) => one === name)?.[2];
  return version === undefined || word.endsWith(version) ? '' : ` ${version}`;
}
