import type { CommandCall } from '../../call/call.ts';
import { cleanStream } from './clean-stream.ts';
import { markdown } from './markdown.ts';
import { prose } from './prose.ts';

/** A kind of streamed text. */
export type StreamKind = 'text' | 'thinking';

/** Prints an answer, and the thinking before it, while they arrive. */
export interface Streams {
  /** Which of them is under way; null for none. */
  readonly talking: StreamKind | null;
  /** A piece of one, which is then under way. */
  say(stream: StreamKind, piece: string): void;
  /** Ends what is under way, with its line. */
  end(): void;
}

/** Streams on the terminal of `call`. */
export function streamsOn(call: CommandCall): Streams {
  const { stdout } = call.io;
  const streams = {
    text: { cleaned: cleanStream(), lines: markdown(call.paper) },
    thinking: { cleaned: cleanStream(), lines: prose() },
  };
  let talking: StreamKind | null = null;
  /** Whether the cursor stands behind text. */
  let isOpen = false;

  const write = (stream: StreamKind, piece: string): void => {
    if (piece === '') return;
    const { paint } = call.paper();
    stdout.write(stream === 'thinking' ? paint(piece, 'gray') : piece);
    isOpen = !piece.endsWith('\n');
  };
  return {
    get talking() {
      return talking;
    },
    say(stream, piece) {
      talking = stream;
      const { cleaned, lines } = streams[stream];
      write(stream, lines.push(cleaned.push(piece), widthOn(call)));
    },
    end() {
      if (talking !== null) {
        const { cleaned, lines } = streams[talking];
        const rest = lines.push(cleaned.end(), widthOn(call));
        write(talking, rest + lines.end(widthOn(call)));
      }
      talking = null;
      if (isOpen) stdout.write('\n');
      isOpen = false;
    },
  };
}

/** Cells of a line of the terminal, however few. */
export function widthOn({ io, paper }: CommandCall): number {
  return io.stdout.columns || paper().width;
}
