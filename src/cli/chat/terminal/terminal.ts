import type { CommandCall } from '../../call/call.ts';
import { suspension } from '../../call/suspension.ts';
import { lineEditor, type EditorOptions } from './editor.ts';
import { cleanLine } from '../../paper/clean.ts';
import { interrupt, keysOf, type TerminalKeys } from './keys.ts';
import { bracketing } from './paste.ts';
import type { Person } from './person.ts';
import { answerTo, type QuestionCommands } from './question.ts';
import { stopKeys } from './stopping.ts';

/** Options of a terminal. */
interface TerminalOptions extends EditorOptions {
  /** Commands that may be typed at a question. */
  readonly commands: QuestionCommands;
}

/** What was typed and never sent, line by line. */
const unsentLines = (typed: string, keys: TerminalKeys): readonly string[] =>
  typed
    .split(/[\r\n\x00-\x1f]+/)
    .filter((line) => line.trim() !== '')
    .map((line) => cleanLine(keys.expand(line)));

/** Somebody at a terminal. */
export function terminal(call: CommandCall, options: TerminalOptions): Person {
  const { stdin, stdout, signal } = call.io;
  const take = (): void => {
    stdin.setRawMode?.(true);
    stdout.write(bracketing.on);
  };
  const giveBack = (): void => {
    stdout.write(bracketing.off);
    stdin.setRawMode?.(false);
  };
  const stopping = suspension(() => {
    giveBack();
    take();
    keys.redraw();
  });
  const keys = keysOf(stdin, () => {
    giveBack();
    stopping.suspend();
  });
  const editor = lineEditor(call, keys, options);
  const leave = (): void => editor.leave();
  const stops = stopKeys({ keys, signal, leave });
  const place = { keys, stdout, signal, commands: options.commands };
  let hasQuit = false;
  take();
  signal.addEventListener('abort', leave);

  return {
    isThere: true,
    get isAhead() {
      return keys.isAhead;
    },
    get hasQuit() {
      return hasQuit;
    },
    isReady: () => Promise.resolve(true),
    next: () => editor.read(),
    left: () => 0,
    async choose(question, choices) {
      if (hasQuit) return null;
      const answer = await answerTo(place, question, choices);
      if (answer === null) stdout.write('\n');
      else if (answer === 'leave') {
        hasQuit = true;
        leave();
        stops.press();
      } else if ('choice' in answer) return answer.choice;
      else if (answer.key === interrupt) {
        keys.unend();
        stops.press();
      }
      return null;
    },
    during: (work) => stops.during(work),
    interject: (show) => editor.interject(show),
    close() {
      signal.removeEventListener('abort', leave);
      stopping.close();
      editor.close();
      keys.close();
      const typed = `${editor.unended}\n${keys.waiting}`;
      for (const line of unsentLines(typed, keys)) stdout.write(`Not sent: ${line}\n`);
      stdout.write(bracketing.off);
    },
  };
}
