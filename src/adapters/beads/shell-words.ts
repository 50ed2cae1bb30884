// A shell's text, read as far as it must be to say which commands it runs: quotes, substitutions, here-documents,
// redirections and comments are read as a shell reads them. Nothing is expanded; what is not closed reaches to the end.

/** The words of one simple command, without their quotes. */
export type ShellWords = readonly string[];

/** Longest text that is read, in UTF-16 units. */
const mostRead = 50_000;
/** How deep substitutions and `sh -c` are followed. */
const deepest = 12;

/** The simple commands of a shell text, also those within substitutions and `sh -c`; neither assignments nor keywords stand before them. */
export function shellCommands(text: string, depth = 0): readonly ShellWords[] {
  if (depth > deepest) return [];
  const reading: Reading = { text: text.slice(0, mostRead), at: 0, depth, found: [] };
  while (reading.at < reading.text.length) readList(reading);
  return reading.found.flatMap((words) => [words, ...scriptOf(words, depth)]);
}

/** A text that is being read, and what was found in it. */
interface Reading {
  readonly text: string;
  at: number;
  depth: number;
  readonly found: ShellWords[];
}

/** A here-document that begins after this line. */
interface HereDocument {
  readonly end: string;
  readonly isIndented: boolean;
}

/** Reads commands to the bracket that nobody opened, or to the end. */
function readList(reading: Reading): void {
  let words: string[] = [];
  let isTarget = false;
  let waiting: readonly HereDocument[] = [];
  const endCommand = (): void => {
    const command = withoutHead(words);
    if (command.length > 0) reading.found.push(command);
    words = [];
    isTarget = false;
  };
  while (reading.at < reading.text.length) {
    const { text, at } = reading;
    const mark = text.charAt(at);
    const redirection = matchAt(/(?:\d*|&)(<<<|<<-?|[<>]&|>>|>\||<>|[<>](?!\())/y, reading);
    if (redirection !== undefined) {
      const isIndented = redirection.endsWith('<<-');
      if (isIndented || /(?:^|[^<])<<$/.test(redirection)) {
        matchAt(/[^\S\n]*/y, reading);
        waiting = [...waiting, { end: readWord(reading), isIndented }];
      } else isTarget = true;
    } else if (mark === '#') matchAt(/[^\n]*/y, reading);
    else if (mark === '\n') {
      reading.at += 1;
      endCommand();
      for (const document of waiting) skipBody(reading, document);
      waiting = [];
    } else if (/[;|&()]/.test(mark)) {
      reading.at += 1;
      endCommand();
      if (mark === '(') descend(reading);
      else if (mark === ')') return;
    } else if (matchAt(/[^\S\n]+|\\\n/y, reading) === undefined) {
      const word = readWord(reading);
      if (!isTarget) words.push(word);
      isTarget = false;
    }
  }
  endCommand();
}

/** Reads what stands in a bracket that was opened. */
function descend(reading: Reading): void {
  reading.depth += 1;
  if (reading.depth > deepest) reading.at = reading.text.length;
  else readList(reading);
  reading.depth -= 1;
}

/** Reads one word, its quotes taken off; a substitution stands in it as it is written. */
function readWord(reading: Reading): string {
  let word = '';
  while (reading.at < reading.text.length) {
    const { text, at } = reading;
    const mark = text.charAt(at);
    if (/[\s;|&()]/.test(mark) || (/[<>]/.test(mark) && text.charAt(at + 1) !== '(')) break;
    const single = matchAt(/'[^']*'?/y, reading);
    if (single !== undefined) word += single.replaceAll("'", '');
    else if (mark === '"') word += readDoubleQuoted(reading);
    else if (mark === '\\') word += readEscape(reading);
    else word += matchAt(/\$'(?:[^'\\]|\\[^])*'?/y, reading)?.slice(2, -1) ?? readPlain(reading);
  }
  return word;
}

function readDoubleQuoted(reading: Reading): string {
  let value = '';
  reading.at += 1;
  while (reading.at < reading.text.length) {
    const mark = reading.text.charAt(reading.at);
    if (mark === '"') {
      reading.at += 1;
      return value;
    }
    value += mark === '\\' ? readEscape(reading) : readPlain(reading);
  }
  return value;
}

function readEscape(reading: Reading): string {
  const escaped = reading.text.charAt(reading.at + 1);
  reading.at += 2;
  return escaped === '\n' ? '' : escaped;
}

/** One character, or a whole substitution, whose commands are read. */
function readPlain(reading: Reading): string {
  const from = reading.at;
  const script = matchAt(/`(?:[^`\\]|\\[^])*`?/y, reading);
  if (script !== undefined) {
    const inner = script.replace(/^`|`$/g, '').replace(/\\([`\\$])/g, '$1');
    reading.found.push(...shellCommands(inner, reading.depth + 1));
    return script;
  }
  if (matchAt(/[$<>]\(/y, reading) === undefined) reading.at += 1;
  else descend(reading);
  return reading.text.slice(from, reading.at);
}

/** Passes over the lines of a here-document, to the one that ends it. */
function skipBody(reading: Reading, { end, isIndented }: HereDocument): void {
  while (reading.at < reading.text.length) {
    const from = reading.at;
    const line = matchAt(/[^\n]*/y, reading) ?? '';
    const said = isIndented ? line.replace(/^\t+/, '') : line;
    if (said.startsWith(`${end})`) && reading.depth > 0) {
      reading.at = from + line.indexOf(')');
      return;
    }
    reading.at += 1;
    if (said === end) return;
  }
}

/** A command without keywords, assignments and programs that only start another one. */
function withoutHead(words: ShellWords): ShellWords {
  let at = 0;
  while (at < words.length) {
    const word = words[at]!;
    if (keyword.test(word) || /^\w+\+?=/.test(word)) at += 1;
    else if (!starter.test(word)) break;
    else {
      at += 1;
      while (/^-|^\d+[smhd]?$/.test(words[at] ?? '')) at += 1;
    }
  }
  return words.slice(at);
}

const keyword = /^(?:if|then|elif|else|while|until|do|!|\{|time)$/;
const starter = /^(?:\/usr\/bin\/)?(?:command|env|exec|nice|nohup|stdbuf|sudo|timeout)$/;

/** The commands of the script that a shell is given as an argument. */
function scriptOf([program = '', ...rest]: ShellWords, depth: number): readonly ShellWords[] {
  if (program === 'eval') return shellCommands(rest.join(' '), depth + 1);
  if (!/^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh$/.test(program)) return [];
  const option = rest.findIndex((word) => /^-\w*c$/.test(word));
  return option === -1 ? [] : shellCommands(rest[option + 1] ?? '', depth + 1);
}

/** What the pattern, a sticky one, finds here; it is passed over. */
function matchAt(pattern: RegExp, reading: Reading): string | undefined {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.text)?.[0];
  if (found === undefined) return undefined;
  reading.at += found.length;
  return found;
}
