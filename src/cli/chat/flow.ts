import type { Call } from '../call.ts';
import type { Format } from '../render/paper.ts';
import { duration } from '../render/size.ts';
import { wrap } from '../render/width.ts';
import { cleanStream } from './clean-stream.ts';
import { prose } from './prose.ts';
import { waitingLine, type Word } from './waiting.ts';

/** What comes bit by bit. */
type Stream = 'text' | 'thinking';

/** What a terminal shows of an answer while it comes, and of lines between. */
export interface Flow {
  /** A line of its own, after whatever was under way. */
  line(content: string, ...formats: readonly Format[]): void;
  /** Lines of prose, broken at words and each with an indent. */
  prose(text: string, format: Format, indent?: string): void;
  /** A line that waits where an answer is under way until that has ended. */
  later(text: string, format: Format): void;
  /** Says that something is waited for, until something comes. */
  wait(word: Word): void;
  /** A piece of an answer, or of what was thought before. */
  say(stream: Stream, piece: string): void;
  /** Ends whatever is under way. */
  finish(): void;
}

/** A flow on the terminal of `call`. */
export function flowOn(call: Call): Flow {
  const { stdout } = call.io;
  const streams = {
    text: { cleaned: cleanStream(), lines: prose() },
    thinking: { cleaned: cleanStream(), lines: prose() },
  };
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
  const line: Flow['line'] = (content, ...formats) => {
    finish();
    stdout.write(`${call.paper().paint(content, ...formats)}\n`);
  };
  const finish = (): void => {
    hush();
    if (talking !== null) {
      const { cleaned, lines } = streams[talking];
      const rest = lines.push(cleaned.end(), widthOn(call));
      write(talking, rest + lines.end(widthOn(call)));
    }
    talking = null;
    if (isOpen) stdout.write('\n');
    isOpen = false;
    const lines = held;
    held = [];
    for (const one of lines) stdout.write(`${one}\n`);
  };
  return {
    line,
    prose(text, format, indent = '') {
      for (const paragraph of text.split('\n'))
        for (const one of wrap(paragraph, widthOn(call) - indent.length))
          line(indent + one, format);
    },
    later(text, format) {
      const lines = wrap(text, widthOn(call));
      held = [...held, ...lines.map((one) => call.paper().paint(one, format))];
      const { word } = waiting;
      if (talking !== null || word === 'thinking') return;
      finish();
      if (word !== null) waiting.begin(word);
    },
    wait(word) {
      if (waiting.word === word) return;
      finish();
      waiting.begin(word);
    },
    say(stream, piece) {
      if (talking !== stream) finish();
      talking = stream;
      const { cleaned, lines } = streams[stream];
      write(stream, lines.push(cleaned.push(piece), widthOn(call)));
    },
    finish,
  };
}

/** Cells of a line of the terminal, however few. */
function widthOn({ io, paper }: Call): number {
  return io.stdout.columns || paper().width;
}
