import { clearScreenDown, createInterface, moveCursor, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Writer } from '../io.ts';
import type { Call } from '../call.ts';
import { interrupt, keysOf } from './keys.ts';
import { multiline, newline } from './multiline.ts';
import { bracketing } from './paste.ts';
import type { Person } from './person.ts';

/** Two of Ctrl-C within this mean to leave, in milliseconds. */
const twice = 2_000;

/** What the line editor knows of before anything is typed. */
export interface TerminalGiven {
  /** Messages that were written before, the newest first. */
  readonly history: readonly string[];
  /** Words that the tab key completes at the beginning of a line. */
  readonly words: readonly string[];
}

/** Somebody at a terminal. */
export function terminal(call: Call, { history, words }: TerminalGiven): Person {
  const { stdin, stdout } = call.io;
  const keys = keysOf(stdin);
  const lines = multiline();
  const screen = screenOf(stdout);
  const editor = createInterface({
    input: keys.stream,
    output: screen,
    completer: (line: string) => [
      line === '' ? [] : words.filter((word) => word.startsWith(line)),
      line,
    ],
    terminal: true,
    history: history.map((text) => text.replaceAll('\n', newline)),
    historySize: 200,
    removeHistoryDuplicates: true,
  });
  let isLeaving = false;
  let stop = nothing;
  let give: ((text: string | null) => void) | null = null;
  stdout.write(bracketing.on);

  const settle = (text: string | null): void => {
    const to = give;
    give = null;
    to?.(text);
  };
  const leave = (): void => {
    isLeaving = true;
    settle(null);
  };
  const ask = (sign: string): void => {
    editor.setPrompt(call.paper().paint(`${sign} `, 'bold', 'cyan'));
    editor.prompt();
  };
  editor.on('line', (line) => {
    const text = lines.add(keys.pastes.expand(line).replaceAll(newline, '\n'));
    if (text === null) ask(call.paper().glyphs.more);
    else settle(text);
  });
  editor.on('close', () => {
    if (give !== null) stdout.write('\n');
    leave();
  });
  editor.on('SIGINT', () => {
    if (editor.line === '' && lines.isEmpty) {
      stdout.write('\n');
      return leave();
    }
    lines.clear();
    editor.write(null, { ctrl: true, name: 'e' });
    editor.write(null, { ctrl: true, name: 'u' });
    ask('>');
  });
  call.io.signal.addEventListener('abort', leave);

  return {
    isThere: true,
    next: () =>
      new Promise((resolve) => {
        if (isLeaving) return resolve(null);
        give = resolve;
        ask('>');
      }),
    choose(question, letters) {
      stdout.write(question);
      return new Promise((resolve) => {
        const decide = (letter: string | null): void => {
          stdout.write(`${letter ?? ''}\n`);
          back();
          call.io.signal.removeEventListener('abort', none);
          resolve(letter);
        };
        const none = (): void => decide(null);
        const back = keys.divert((text) => {
          const letter = text[0]!.toLowerCase();
          if (letters.includes(letter)) decide(letter);
          else if (letter === interrupt) {
            decide(null);
            stop();
          } else if ('\r\n\x1b\x04'.includes(letter)) decide(null);
          return '';
        });
        call.io.signal.addEventListener('abort', none);
      });
    },
    async during(work) {
      const stopping = new AbortController();
      let stopped = Number.NEGATIVE_INFINITY;
      stop = () => {
        const now = performance.now();
        if (now - stopped < twice) isLeaving = true;
        stopped = now;
        stopping.abort();
      };
      const back = keys.divert((text) => {
        if (!text.includes(interrupt)) return text;
        stop();
        return '';
      });
      const out = (): void => stopping.abort();
      call.io.signal.addEventListener('abort', out);
      if (isLeaving) out();
      try {
        return await work(stopping.signal);
      } finally {
        stop = nothing;
        back();
        call.io.signal.removeEventListener('abort', out);
      }
    },
    interject(show) {
      if (give === null) return show();
      takeAway(editor, screen);
      show();
      editor.prompt(true);
    },
    close() {
      call.io.signal.removeEventListener('abort', leave);
      editor.close();
      keys.close();
      stdout.write(bracketing.off);
    },
  };
}

/** Takes the line that is being written off the screen, however many rows it has. */
function takeAway(editor: Interface, screen: Writable): void {
  moveCursor(screen, 0, -editor.getCursorPos().rows);
  screen.write('\r');
  clearScreenDown(screen);
  // The editor would go up again by the rows that it drew before.
  Object.assign(editor, { prevRows: 0 });
}

const nothing = (): void => undefined;

/** A stream of Node over a writer, as wide as it is now. */
function screenOf(writer: Writer): Writable {
  const screen = new Writable({
    write(chunk: Buffer | string, _, done) {
      writer.write(chunk.toString());
      done();
    },
  });
  Object.defineProperty(screen, 'columns', { get: () => writer.columns });
  Object.defineProperty(screen, 'isTTY', { value: true });
  writer.on?.('resize', () => screen.emit('resize'));
  return screen;
}
