import type { Writer } from '../../io.ts';
import { clean } from '../../paper/clean.ts';
import { widthOf } from '../../paper/width.ts';
import { endOfInput, interrupt, type TerminalKeys } from './keys.ts';

// A question takes a whole line, so that no key of somebody who was in the
// middle of a sentence answers it; and no line that was begun before it does. What
// is no answer but a sentence, a command, or the rest of one waits for the next prompt.

/** The choices of a question, and the meaning of an empty line. */
export interface Choices<Choice extends string> {
  /** Whole words; the first letter of each is enough. */
  readonly of: readonly Choice[];
  /** Undefined where an empty line is asked again. */
  readonly usual?: Choice;
}

/** Streams of a question. */
interface QuestionStreams {
  readonly keys: TerminalKeys;
  readonly stdout: Writer;
  readonly signal: AbortSignal;
}

/** Keys that end a question without an answer: Ctrl-C, Ctrl-D, Escape. */
const endingKeys: readonly string[] = [interrupt, endOfInput, '\x1b'];

/** Longest line that is typed for an answer, in UTF-16 units. */
const longest = 60;

/** Escape sequences of arrow keys and the like. */
const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[^])/g;

/** Asks until a line is one of the choices; gives the choice, the key that ended it, or null where the input has. */
export function answerTo<Choice extends string>(
  place: QuestionStreams,
  question: string,
  choices: Choices<Choice>,
): Promise<{ readonly choice: Choice } | { readonly key: string } | null> {
  const { keys, stdout, signal } = place;
  return new Promise((resolve) => {
    let isBegun = keys.isHalfTyped;
    let line = '';
    let typed = '';
    let kept = '';
    const settle = (answer: { choice: Choice } | { key: string } | null): void => {
      back();
      signal.removeEventListener('abort', out);
      keys.over.removeEventListener('abort', out);
      resolve(answer);
    };
    const out = (): void => settle(null);
    const judge = (): boolean => {
      stdout.write('\n');
      const choice = isBegun ? undefined : chosenAnswer(line, choices);
      const isKept = choice === undefined && (isBegun || isMessage(line));
      if (isKept) kept += `${typed}\r`;
      isBegun = false;
      line = '';
      typed = '';
      if (choice !== undefined) settle({ choice });
      else if (isKept) stdout.write(`That is kept for the next prompt.\n${question}`);
      else stdout.write(`Answer with ${choices.of.join(', ')}.\n${question}`);
      return choice !== undefined;
    };
    const take = (key: string): boolean => {
      if (endingKeys.includes(key)) {
        stdout.write('\n');
        settle({ key });
        return true;
      }
      if (key === '\r' || key === '\n') return judge();
      typed += key;
      line = editedText(line, key, stdout);
      return false;
    };
    const back = keys.divert((text) => {
      const all = Array.from(text.replace(/\r\n/g, '\r').replace(sequences, ''));
      const end = all.findIndex(take);
      const waiting = kept;
      kept = '';
      return end < 0 ? waiting : waiting + all.slice(end + 1).join('');
    });
    stdout.write(question);
    signal.addEventListener('abort', out);
    keys.over.addEventListener('abort', out);
    if (signal.aborted || keys.over.aborted) out();
  });
}

/** Whether a line is what somebody says, and not a slip in an answer. */
const isMessage = (line: string): boolean => /^\/|\s/.test(line.trim()) || line.length > 12;

/** The choice that a line makes. */
function chosenAnswer<Choice extends string>(
  line: string,
  { of, usual }: Choices<Choice>,
): Choice | undefined {
  const word = line.trim().toLowerCase();
  return word === '' ? usual : of.find((choice) => choice === word || choice[0] === word);
}

/** The line after a key, shown. */
function editedText(line: string, key: string, stdout: Writer): string {
  const erase = (text: string): void => void stdout.write('\b \b'.repeat(widthOf(text)));
  if (key === '\x7f' || key === '\b') {
    const last = Array.from(line).at(-1) ?? '';
    erase(last);
    return line.slice(0, line.length - last.length);
  }
  if (key === '\x15') {
    erase(line);
    return '';
  }
  const isText = key >= ' ' && clean(key) === key;
  if (!isText || line.length + key.length > longest) return line;
  stdout.write(key);
  return line + key;
}
