import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { suspendKey } from '../../call/suspension.ts';
import type { Reader } from '../../io.ts';
import { pastes } from './paste.ts';

// Keys on their way from the terminal to the line editor. The editor gets one
// line at a time, when it asks for one: what is typed ahead waits for its
// prompt, and answers no question that comes in between.

/** Ctrl-C as a terminal in raw mode sends it. */
export const interrupt = '\x03';

/** Ctrl-D. */
export const endOfInput = '\x04';

/** The keys of a terminal. */
export interface TerminalKeys {
  /** The input of the line editor. */
  readonly stream: Reader;
  /** Whether something typed ahead waits for its prompt. */
  readonly isAhead: boolean;
  /** Whether the last line typed ahead has no end yet. */
  readonly isHalfTyped: boolean;
  /** Aborts when no more keys will come. */
  readonly over: AbortSignal;
  /** Lets the editor have keys up to the end of a line, which `redraw` shows anew. */
  open(redraw: () => void): void;
  /**
   * Gives what comes from now on to `hear`, which gives back what waits for the editor; ends by calling what it returns.
   * `redraw` shows anew what the keys are for, if anything.
   */
  divert(hear: (keys: string) => string, redraw?: () => void): () => void;
  /** Shows anew what the keys are for now, on an empty line. */
  redraw(): void;
  /** Has keys wait for the editor, behind those that do. */
  keep(keys: string): void;
  /** Takes the end off the last line that waits, so that it stands in the prompt and is not sent. */
  unend(): void;
  /** What waits for the editor. */
  readonly waiting: string;
  /** A line with what was pasted in the place of its labels. */
  expand(line: string): string;
  /** The label that stands for a long text of before. */
  label(text: string): string | null;
  close(): void;
}

/** The keys that come from `input`, but for Ctrl-Z, which calls `suspend`. */
export function keysOf(input: Reader, suspend: () => void): TerminalKeys {
  const stream = rawStream(input);
  const decoder = new StringDecoder('utf8');
  const pasted = pastes();
  let hear: ((keys: string) => string) | null = null;
  let redraw = nothing;
  let redrawLine = nothing;
  let waiting = '';
  let isOpen = false;
  const over = new AbortController();

  const flow = (): void => {
    if (!isOpen || hear !== null) return;
    const end = /\r\n?|\n/.exec(waiting);
    const line = end === null ? waiting : waiting.slice(0, end.index + end[0].length);
    waiting = waiting.slice(line.length);
    isOpen = end === null;
    // Of several keys at once Node's editor puts all but the last at the end of the line, wherever the cursor is.
    for (const key of line) stream.write(key);
    if (over.signal.aborted && isOpen) stream.end();
  };
  const take = (chunk: string | Buffer): void => {
    const typed = pasted.take(typeof chunk === 'string' ? chunk : decoder.write(chunk));
    const keys = typed.replaceAll(suspendKey, '');
    waiting += hear === null ? keys : hear(keys);
    flow();
    if (keys !== typed) suspend();
  };
  const end = (): void => {
    over.abort();
    flow();
  };
  input.on('data', take);
  input.on('end', end);

  return {
    stream,
    get isAhead() {
      return waiting !== '';
    },
    get isHalfTyped() {
      return waiting !== '' && !/[\r\n]$/.test(waiting);
    },
    over: over.signal,
    open(again) {
      redrawLine = again;
      isOpen = true;
      flow();
    },
    divert(listener, again = nothing) {
      const before = { hear, redraw };
      hear = listener;
      redraw = again;
      return () => {
        ({ hear, redraw } = before);
        flow();
      };
    },
    redraw() {
      if (hear !== null) redraw();
      else if (isOpen) redrawLine();
    },
    keep(text) {
      waiting += text;
      flow();
    },
    unend() {
      let end = waiting.length;
      while (end > 0 && '\r\n'.includes(waiting[end - 1]!)) end -= 1;
      waiting = waiting.slice(0, end);
    },
    get waiting() {
      return waiting;
    },
    expand: (line) => pasted.expand(line),
    label: (text) => pasted.label(text),
    close() {
      input.off('data', take);
      input.off('end', end);
      input.pause();
    },
  };
}

const nothing = (): void => undefined;

/** A stream of its own that still sets the terminal behind it to raw mode. */
function rawStream(input: Reader): PassThrough & Reader {
  const { isTTY } = input;
  const setRawMode = (isRaw: boolean): unknown => input.setRawMode?.(isRaw);
  return Object.assign(new PassThrough(), { isTTY, setRawMode });
}
