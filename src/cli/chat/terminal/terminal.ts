import type { CommandCall } from '../../call/call.ts';
import { lineEditor, type EditorOptions } from './editor.ts';
import { interrupt, keysOf } from './keys.ts';
import { bracketing } from './paste.ts';
import type { Person } from './person.ts';
import { answerTo } from './question.ts';
import { stopKeys } from './stopping.ts';

/** Somebody at a terminal. */
export function terminal(call: CommandCall, given: EditorOptions): Person {
  const { stdin, stdout, signal } = call.io;
  const keys = keysOf(stdin);
  const editor = lineEditor(call, keys, given);
  const leave = (): void => editor.leave();
  const stops = stopKeys({ keys, signal, leave });
  stdout.write(bracketing.on);
  signal.addEventListener('abort', leave);

  return {
    isThere: true,
    get isAhead() {
      return keys.isAhead;
    },
    isReady: () => Promise.resolve(true),
    next: () => editor.read(),
    async choose(question, choices) {
      const answer = await answerTo({ keys, stdout, signal }, question, choices);
      if (answer === null) stdout.write('\n');
      else if ('choice' in answer) return answer.choice;
      else if (answer.key === interrupt) stops.press();
      return null;
    },
    during: (work) => stops.during(work),
    interject: (show) => editor.interject(show),
    close() {
      signal.removeEventListener('abort', leave);
      editor.close();
      keys.close();
      stdout.write(bracketing.off);
    },
  };
}
