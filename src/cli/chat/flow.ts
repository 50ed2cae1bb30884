import type { Call } from '../call.ts';
import type { Format } from '../render/paper.ts';
import { duration } from '../render/size.ts';
import { cleanStream } from './clean-stream.ts';
import { waitingLine } from './waiting.ts';

/** What comes bit by bit. */
type Stream = 'text' | 'thinking';

/** What a terminal shows of an answer while it comes, and of lines between. */
export interface Flow {
  /** A line of its own, after whatever was under way. */
  line(content: string, ...formats: readonly Format[]): void;
  /** A line that waits where an answer is under way until that has ended. */
  later(content: string, ...formats: readonly Format[]): void;
  /** Says that something is waited for, until something comes. */
  wait(word: 'waiting' | 'thinking'): void;
  /** A piece of an answer, or of what was thought before. */
  say(stream: Stream, piece: string): void;
  /** Ends whatever is under way. */
  finish(): void;
}

/** A flow on the terminal of `call`. */
export function flowOn(call: Call): Flow {
  const { stdout } = call.io;
  const streams = { text: cleanStream(), thinking: cleanStream() };
  const waiting = waitingLine(call);
  let talking: Stream | null = null;
  /** Whether the cursor stands behind text. */
  let isOpen = false;
  let held: readonly string[] = [];

  const write = (stream: Stream, piece: string): void => {
    if (piece === '') return;
    const { paint } = call.paper();
    stdout.write(stream === 'thinking' ? paint(piece, 'gray') : piece);
    isOpen = !piece.endsWith('\n');
  };
  /** Takes the waiting line away; what was thought, unseen, leaves how long it took. */
  const hush = (): void => {
    const waited = waiting.end();
    if (waited?.word !== 'thinking') return;
    const text = `thought for ${duration(waited.ms)}`;
    stdout.write(`${call.paper().paint(text, 'gray')}\n`);
  };
  const finish = (): void => {
    hush();
    if (talking !== null) write(talking, streams[talking].end());
    talking = null;
    if (isOpen) stdout.write('\n');
    isOpen = false;
    const lines = held;
    held = [];
    for (const one of lines) stdout.write(`${one}\n`);
  };
  return {
    line(content, ...formats) {
      finish();
      stdout.write(`${call.paper().paint(content, ...formats)}\n`);
    },
    later(content, ...formats) {
      held = [...held, call.paper().paint(content, ...formats)];
      if (talking !== null || waiting.word === 'thinking') return;
      const isWaiting = waiting.word !== null;
      finish();
      if (isWaiting) waiting.begin('waiting');
    },
    wait(word) {
      if (waiting.word === word) return;
      finish();
      waiting.begin(word);
    },
    say(stream, piece) {
      if (talking !== stream) finish();
      talking = stream;
      write(stream, streams[stream].push(piece));
    },
    finish,
  };
}
