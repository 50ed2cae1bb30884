import { withinScanLimit } from '../text/sentences.ts';

/** One command of a shell text: its words without their quotes, the here-document that it reads, and the signs behind it (`&&`, `|`, a line feed). */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly input?: string;
  readonly end?: string;
}

interface ShellCommandDraft {
  readonly words: string[];
  input?: string;
  end?: string;
}

/**
 * The simple commands of a shell text, in order. Quotes, escapes and
 * here-documents are read as a shell reads them, also `"$(cat <<'EOF' … EOF)"`;
 * other substitutions stay as they are written, and so do redirections. What is not closed
 * reaches to the end.
 */
export function simpleCommands(command: string): readonly ShellCommand[] {
  const text = withinScanLimit(command);
  const commands: ShellCommandDraft[] = [];
  let current: ShellCommandDraft = { words: [] };
  let word: string | undefined;
  /** Here-documents that begin after this line. */
  let waiting: { readonly reader: ShellCommandDraft; readonly end: string }[] = [];
  const endWord = (): void => {
    if (word !== undefined) current.words.push(word);
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (current.words.length > 0) commands.push(current);
    current = { words: [] };
  };
  const endAt = (mark: string): void => {
    endCommand();
    const last = commands.at(-1);
    if (last !== undefined) last.end = (last.end ?? '') + mark;
  };
  for (let at = 0; at < text.length;) {
    const mark = text.charAt(at);
    const quoted = quotedAt(text, at);
    const opened = mark === '<' ? matchAt(hereDocument, text, at) : null;
    const redirected = /[&<>]/.test(mark) ? matchAt(redirection, text, at)?.[0] : undefined;
    if (quoted !== undefined) {
      word = (word ?? '') + quoted.value;
      at = quoted.next;
    } else if (opened !== null) {
      endWord();
      waiting.push({ reader: current, end: opened[2]! });
      at += opened[0].length;
    } else if (mark === '\n') {
      endAt(mark);
      at += 1;
      for (const { reader, end } of waiting) {
        const body = bodyAt(text, at, end);
        reader.input = body.value;
        at = body.next;
      }
      waiting = [];
    } else if (redirected !== undefined) {
      if (mark === '&') endWord();
      word = (word ?? '') + redirected;
      at += redirected.length;
    } else {
      if (/[;|&()]/.test(mark)) endAt(mark);
      else if (/\s/.test(mark)) endWord();
      else word = (word ?? '') + mark;
      at += 1;
    }
  }
  endCommand();
  return commands;
}

/** The words of a command without its redirections: `2>&1`, `> log`, `&>log`. */
export const withoutRedirections = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => !redirecting.test(word) && !openEnded.test(words[at - 1] ?? ''));

/** A word that redirects, and one whose target is the next word. */
const redirecting = /^(?:&|\d{0,2})[<>]{1,2}(?![<>(])[&|]?\S*$/;
const openEnded = /^(?:&|\d{0,2})[<>]{1,2}[&|]?$/;

/** The words behind a program and its own options (`push` of `git -C app push`), after variables that are set for it; null where another runs. */
export function argumentsOf(words: readonly string[], program: string): readonly string[] | null {
  let at = words.findIndex((word) => !/^\w+=/.test(word));
  if (words[at] !== program) return null;
  at += 1;
  while (words[at]?.startsWith('-') === true)
    at += /^(?:-[cC]|--git-dir|--work-tree|-R|--repo)$/.test(words[at]!) ? 2 : 1;
  return words.slice(at);
}

/** Signs of a redirection that mean something else by parts: `2>&1`, `<&3`, `>| log`, `&>log`, `<<<word`. */
const redirection = /[<>]&|>\||&>|<<</y;
const hereDocument = /<<-?[^\S\n]*(['"]?)([\w-]{1,80})\1/y;
const substituted = /\$\(\s{0,20}cat\s{1,20}<<-?[^\S\n]{0,20}(['"]?)([\w-]{1,80})\1[^\n]*\n/y;
const escaped = /\$'((?:[^'\\]|\\[^])*)'?/y;

/** A piece of the text's value, and where it goes on. */
interface ShellValue {
  readonly value: string;
  readonly next: number;
}

/** The quotation or the escape that begins at `at`. */
function quotedAt(text: string, at: number): ShellValue | undefined {
  const mark = text.charAt(at);
  if (mark === '\\') {
    const next = text.charAt(at + 1);
    return { value: next === '\n' ? '' : next, next: at + 2 };
  }
  if (mark === "'") {
    const close = text.indexOf("'", at + 1);
    const end = close === -1 ? text.length : close;
    return { value: text.slice(at + 1, end), next: end + 1 };
  }
  if (mark === '"') return doubleQuoted(text, at + 1);
  const ansi = mark === '$' ? matchAt(escaped, text, at) : null;
  if (ansi === null) return undefined;
  const value = ansi[1]!.replace(/\\([^])/g, (_, code: string) => controls[code] ?? code);
  return { value, next: at + ansi[0].length };
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** What double quotes hold, from after the first to the last. */
function doubleQuoted(text: string, from: number): ShellValue {
  let value = '';
  for (let at = from; at < text.length;) {
    const mark = text.charAt(at);
    if (mark === '"') return { value, next: at + 1 };
    const next = text.charAt(at + 1);
    const opened = mark === '$' ? matchAt(substituted, text, at) : null;
    if (opened !== null) {
      const body = bodyAt(text, at + opened[0].length, opened[2]!);
      const close = text.indexOf(')', body.next - 1);
      value += body.value;
      at = close === -1 ? text.length : close + 1;
    } else if (mark === '\\' && /["\\$`\n]/.test(next)) {
      value += next === '\n' ? '' : next;
      at += 2;
    } else {
      value += mark;
      at += 1;
    }
  }
  return { value, next: text.length };
}

/** The lines from `from` to the one that says `end`, perhaps with the bracket that closes a substitution. */
function bodyAt(text: string, from: number, end: string): ShellValue {
  for (let at = from; at < text.length;) {
    const lineFeed = text.indexOf('\n', at);
    const stop = lineFeed === -1 ? text.length : lineFeed;
    const line = text.slice(at, stop).trim();
    if (line === end || line.startsWith(`${end})`)) {
      const value = text.slice(from, Math.max(from, at - 1));
      return { value, next: line === end ? stop + 1 : text.indexOf(')', at) + 1 };
    }
    at = stop + 1;
  }
  return { value: text.slice(from), next: text.length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
