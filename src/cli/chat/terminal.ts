import type { Call } from '../call.ts';
import { lineEditor, type EditorGiven } from './editor.ts';
import { interrupt, keysOf, type Keys } from './keys.ts';
import { bracketing } from './paste.ts';
import type { Person } from './person.ts';

/** Two of Ctrl-C within this mean to leave, in milliseconds. */
const twice = 2_000;

/** Keys that mean no to any question: Enter, Escape, Ctrl-D. */
const no = '\r\n\x1b\x04';

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
    next: () => editor.read(),
    async choose(question, letters) {
      stdout.write(question);
      const key = await keyOf(keys, letters, signal);
      const isChosen = key !== null && letters.includes(key);
      stdout.write(isChosen ? `${key}\n` : '\n');
      if (key === interrupt) stop();
      return isChosen ? key : null;
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

/** The next key that is one of `letters`, Ctrl-C or a no; null where the program is to end. */
function keyOf(keys: Keys, letters: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (key: string | null): void => {
      back();
      signal.removeEventListener('abort', out);
      resolve(key);
    };
    const out = (): void => settle(null);
    const back = keys.divert((text) => {
      const key = text[0]?.toLowerCase() ?? '';
      if (key !== '' && `${letters}${interrupt}${no}`.includes(key)) settle(key);
      return '';
    });
    signal.addEventListener('abort', out);
    if (signal.aborted) out();
  });
}

const nothing = (): void => undefined;
