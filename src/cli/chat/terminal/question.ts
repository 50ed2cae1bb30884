import type { Writer } from '../../io.ts';
import { clean } from '../../paper/clean.ts';
import { widthOf } from '../../paper/width.ts';
import { endOfInput, interrupt, type TerminalKeys } from './keys.ts';

// A question takes a whole line, so that no key of somebody who was in the
// middle of a sentence answers it; and no line that was begun before it does. What
// is no answer but a sentence, or the rest of one, waits for the next prompt. A command
// is carried out where it only tells something, and the question stands again.

/** The choices of a question, and the meaning of an empty line. */
export interface Choices<Choice extends string> {
  /** Whole words; the first letter of each is enough. */
  readonly of: readonly Choice[];
  /** Undefined where an empty line is asked again. */
  readonly usual?: Choice;
  /** The choice that another line names; undefined for none. */
  readonly named?: (line: string) => Choice | undefined;
  /** What to answer, in words, where that is no list of the choices. */
  readonly takes?: string;
}

/** What a command at a question came to: it was carried out, waits for the next prompt, or ends the chat. */
export type CommandOutcome = 'done' | 'kept' | 'leave';

/** Carries a command out; never rejects. */
export type QuestionCommand = (signal: AbortSignal) => Promise<CommandOutcome>;

/** The command that a line names; null for a line that is none. */
export type QuestionCommands = (line: string) => QuestionCommand | null;

/** Streams of a question. */
interface QuestionStreams {
  readonly keys: TerminalKeys;
  readonly stdout: Writer;
  readonly signal: AbortSignal;
  readonly commands: QuestionCommands;
}

/** A choice, the key that ended the question, `leave` by a command, or null where the input has ended. */
type Answer<Choice extends string> =
  | { readonly choice: Choice }
  | { readonly key: string }
  | 'leave'
  | null;

/** Keys that end a question without an answer: Ctrl-C, Ctrl-D, Escape. */
const endingKeys: readonly string[] = [interrupt, endOfInput, '\x1b'];

/** Longest line that is shown while it is typed, in characters; of a longer one its beginning is. */
const longest = 60;

/** Escape sequences of arrow keys and the like. */
const sequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[^])/g;

/** Asks until a line is one of the choices. */
export function answerTo<Choice extends string>(
  place: QuestionStreams,
  question: string,
  choices: Choices<Choice>,
): Promise<Answer<Choice>> {
  const { keys, stdout, signal, commands } = place;
  return new Promise((resolve) => {
    let isBegun = keys.isHalfTyped;
    let isOpen = true;
    let line = '';
    let typed = '';
    let kept = '';
    let running: AbortController | null = null;
    /** Keys that came while a command ran. */
    let queued = '';
    const settle = (answer: Answer<Choice>): true => {
      isOpen = false;
      running?.abort();
      back();
      signal.removeEventListener('abort', out);
      keys.over.removeEventListener('abort', out);
      resolve(answer);
      return true;
    };
    const out = (): void => void settle(null);
    const carryOut = async (command: QuestionCommand, itsKeys: string): Promise<void> => {
      running = new AbortController();
      const outcome = await command(running.signal);
      running = null;
      if (!isOpen) return;
      if (outcome === 'kept') kept += itsKeys;
      if (outcome === 'leave') return void settle('leave');
      stdout.write(question);
      const next = queued;
      queued = '';
      keys.keep(hear(next));
    };
    /** Takes the line; whether the keys behind it are not of the question, or not now. */
    const judge = (): boolean => {
      stdout.write('\n');
      const [text, itsKeys, isRest] = [line, `${typed}\r`, isBegun];
      isBegun = false;
      line = '';
      typed = '';
      const choice = chosenAnswer(text, choices);
      if (choice !== undefined && !isRest) return settle({ choice });
      const command = isRest ? null : commands(keys.expand(text));
      if (command !== null) {
        void carryOut(command, itsKeys);
        return true;
      }
      // Behind a line that was begun an answer is likelier than its last word.
      const isAnswer = isRest && choice !== undefined && text !== '';
      const isKept = !isAnswer && (isRest || isMessage(text));
      if (isKept) kept += itsKeys;
      const hint = `Please answer ${choices.takes ?? listText(choices.of)}.`;
      const said = isKept ? 'That is kept for the next prompt.' : hint;
      const begun = isAnswer ? 'The line that you began waits, and is not sent. ' : '';
      stdout.write(`${begun}${said}\n${question}`);
      return false;
    };
    const take = (key: string): boolean => {
      if (endingKeys.includes(key)) {
        stdout.write('\n');
        // The rest of a sentence comes back in the prompt, to be ended there.
        if (isBegun || isMessage(line)) kept += typed;
        return settle({ key });
      }
      if (key === '\r' || key === '\n') return judge();
      typed += key;
      line = editedText(line, key, stdout);
      return false;
    };
    /** Takes keys; gives those that wait for the editor. */
    const hear = (text: string): string => {
      if (running !== null) {
        queued += text;
        if (text.includes(interrupt)) running.abort();
        return '';
      }
      const all = Array.from(text.replace(/\r\n/g, '\r').replace(sequences, ''));
      const end = all.findIndex(take);
      const rest = end < 0 ? '' : all.slice(end + 1).join('');
      if (isOpen) queued += rest;
      const waiting = isOpen ? kept : kept + rest;
      kept = '';
      return waiting;
    };
    const back = keys.divert(hear, () => {
      if (running === null) stdout.write(question + shownText(line));
    });
    stdout.write(question);
    signal.addEventListener('abort', out);
    keys.over.addEventListener('abort', out);
    if (signal.aborted || keys.over.aborted) out();
  });
}

/** Whether a line is what somebody says, and not a slip in an answer. */
const isMessage = (line: string): boolean => /^\/|\s/.test(line.trim()) || line.length > 12;

/** `yes or no`, `yes, no or always`. */
const listText = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' or ');

/** The choice that a line makes. */
function chosenAnswer<Choice extends string>(
  line: string,
  { of, usual, named }: Choices<Choice>,
): Choice | undefined {
  const word = line.trim().toLowerCase();
  if (word === '') return usual;
  return of.find((choice) => choice === word || choice[0] === word) ?? named?.(word);
}

/** The line after a key, shown as far as it is short. */
function editedText(line: string, key: string, stdout: Writer): string {
  const next = afterKey(line, key);
  // Of what is pasted, most keys change nothing that is shown.
  if (Math.min(line.length, next.length) > 2 * longest) return next;
  const [before, after] = [shownText(line), shownText(next)];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  stdout.write('\b \b'.repeat(widthOf(before.slice(same))) + after.slice(same));
  return next;
}

function afterKey(line: string, key: string): string {
  if (key === '\x7f' || key === '\b') return Array.from(line).slice(0, -1).join('');
  if (key === '\x15') return '';
  return key >= ' ' && clean(key) === key ? line + key : line;
}

function shownText(line: string): string {
  const signs = Array.from(line.slice(0, 2 * longest + 1));
  return signs.length <= longest ? line : `${signs.slice(0, longest).join('')}...`;
}
