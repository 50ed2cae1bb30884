import type { Call } from '../call.ts';
import { lineEditor, type EditorGiven } from './editor.ts';
import { endOfInput, interrupt, keysOf } from './keys.ts';
import { bracketing } from './paste.ts';
import type { Person } from './person.ts';
import { answerTo } from './question.ts';

/** Two of Ctrl-C within this mean to leave, in milliseconds. */
const twice = 2_000;

/** Somebody at a terminal. */
export function terminal(call: Call, given: EditorGiven): Person {
  const { stdin, stdout, signal } = call.io;
  const keys = keysOf(stdin);
  const editor = lineEditor(call, keys, given);
  const leave = (): void => editor.leave();
  let stop = nothing;
  stdout.write(bracketing.on);
  signal.addEventListener('abort', leave);

  return {
    isThere: true,
    isReady: () => Promise.resolve(true),
    next: () => editor.read(),
    async choose(question, choices) {
      const answer = await answerTo({ keys, stdout, signal }, question, choices);
      if (answer === null) stdout.write('\n');
      else if ('choice' in answer) return answer.choice;
      else if (answer.key === interrupt) stop();
      return null;
    },
    async during(work) {
      const stopping = new AbortController();
      const end = (): void => stopping.abort();
      const outer = stop;
      let stopped = Number.NEGATIVE_INFINITY;
      stop = () => {
        const now = performance.now();
        if (now - stopped < twice) leave();
        stopped = now;
        end();
      };
      const back = keys.divert((text) => {
        if (text.startsWith(endOfInput) && !keys.isAhead) {
          leave();
          end();
          return '';
        }
        const times = text.split(interrupt).length - 1;
        if (times === 0) return text;
        for (let time = 0; time < times; time += 1) stop();
        return '';
      });
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      try {
        return await work(stopping.signal);
      } finally {
        stop = outer;
        back();
        signal.removeEventListener('abort', end);
      }
    },
    interject: (show) => editor.interject(show),
    close() {
      signal.removeEventListener('abort', leave);
      editor.close();
      keys.close();
      stdout.write(bracketing.off);
    },
  };
}

const nothing = (): void => undefined;
