import { clearScreenDown, createInterface, moveCursor, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { CommandCall } from '../../call/call.ts';
import type { Writer } from '../../io.ts';
import type { TerminalKeys } from './keys.ts';
import { wrap } from '../../paper/width.ts';
import { multiline, newline } from './multiline.ts';

/** Options of a line editor. */
export interface EditorOptions {
  /** Messages that were written before, the newest first. */
  readonly history: readonly string[];
  /** Words that the tab key completes at the beginning of a line. */
  readonly words: readonly string[];
  /** Whether a line is a command, also among lines of a message. */
  isCommand(line: string): boolean;
}

/** An editor for messages. */
export interface Editor {
  /** The lines of a message that has no end yet. */
  readonly unended: string;
  /** The next message, of one line or several; null once somebody wants out. */
  read(): Promise<string | null>;
  /** Has what waits for a message go on without one, now and from now on. */
  leave(): void;
  /** Writes something above the line that is being written, if one is. */
  interject(show: (isWriting: boolean) => void): void;
  close(): void;
}

/** Why the next line is asked for, and the ways out. */
const fenceText = 'A ``` fence is open: a line of ``` ends the message, Ctrl-C gives it up.';

/** An editor for the keys of a terminal. */
export function lineEditor(call: CommandCall, keys: TerminalKeys, options: EditorOptions): Editor {
  const { stdout } = call.io;
  const screen = screenOf(stdout);
  const lines = multiline();
  const line = lineOn(screen, keys, options);
  let isLeft = false;
  let isFenceTold = false;
  let give: ((text: string | null) => void) | null = null;

  const settle = (text: string | null): void => {
    const to = give;
    give = null;
    to?.(text);
  };
  const leave = (): void => {
    isLeft = true;
    settle(null);
  };
  const draw = (sign: string): void => {
    line.setPrompt(call.paper().paint(`${sign} `, 'bold', 'cyan'));
    line.prompt();
  };
  const redraw = (): void => {
    Object.assign(line, { prevRows: 0 });
    line.prompt(true);
  };
  const ask = (): void => {
    isFenceTold &&= lines.isFenced;
    if (lines.isFenced && !isFenceTold) {
      for (const one of wrap(fenceText, call.paper().width))
        stdout.write(`${call.paper().paint(one, 'gray')}\n`);
      isFenceTold = true;
    }
    draw(lines.isEmpty ? '>' : call.paper().glyphs.more);
    keys.open(redraw);
  };
  line.on('line', (typed) => {
    if (!lines.isEmpty && options.isCommand(typed)) {
      isFenceTold = false;
      return settle(typed);
    }
    const text = lines.add(keys.expand(typed).replaceAll(newline, '\n'));
    if (text === null) ask();
    else settle(text);
  });
  line.on('close', () => {
    if (give !== null) stdout.write('\n');
    leave();
  });
  line.on('SIGINT', () => {
    const isEmpty = line.line === '' && lines.isEmpty;
    lines.clear();
    line.write(null, { ctrl: true, name: 'e' });
    line.write(null, { ctrl: true, name: 'u' });
    stdout.write('\n');
    if (isEmpty) leave();
    // The keys are open still, or the end of a line is on its way: none may come behind that.
    else draw('>');
  });

  return {
    get unended() {
      return lines.text;
    },
    read: () =>
      new Promise((resolve) => {
        if (isLeft) return resolve(null);
        give = resolve;
        ask();
      }),
    leave,
    interject(show) {
      if (give === null) return show(false);
      erase(line, screen);
      show(true);
      line.prompt(true);
    },
    close: () => line.close(),
  };
}

function lineOn(
  screen: Writable,
  keys: TerminalKeys,
  { history, words }: EditorOptions,
): Interface {
  return createInterface({
    input: keys.stream,
    output: screen,
    terminal: true,
    completer: (line: string) => [completed(words, line), line],
    history: history.map((text) => keys.label(text) ?? text.replaceAll('\n', newline)),
    historySize: 200,
    removeHistoryDuplicates: true,
  });
}

/** The words that a line may go on as; one alone with a blank behind it, as shells do. */
function completed(words: readonly string[], line: string): string[] {
  const completions = line === '' ? [] : words.filter((word) => word.startsWith(line));
  return completions.length === 1 ? [`${completions[0]} `] : completions;
}

/** Takes the line that is being written off the screen, however many rows it has. */
function erase(line: Interface, screen: Writable): void {
  moveCursor(screen, 0, -line.getCursorPos().rows);
  screen.write('\r');
  clearScreenDown(screen);
  // It would go up again by the rows that it drew before.
  Object.assign(line, { prevRows: 0 });
}

/** A stream of Node over a writer, as wide as it is now. */
function screenOf(writer: Writer): Writable {
  const screen = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      writer.write(chunk);
      done();
    },
  });
  Object.defineProperty(screen, 'columns', { get: () => writer.columns });
  writer.on?.('resize', () => screen.emit('resize'));
  return screen;
}
