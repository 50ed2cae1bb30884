import type { CommandCall } from '../../call/call.ts';
import type { Format } from '../../paper/format.ts';
import { duration } from '../../paper/size.ts';
import { wrap } from '../../paper/width.ts';
import { streamsOn, widthOn, type StreamKind } from './streams.ts';
import { waitingLine, type WaitingWord } from './waiting.ts';

/** The output of a terminal: a streamed answer, and lines between. */
export interface Flow {
  /** A line of its own, after whatever was under way. */
  line(content: string, ...formats: readonly Format[]): void;
  /** Lines of prose, broken at words and each with an indent. */
  prose(text: string, format: Format, indent?: string): void;
  /** A line that waits where an answer is under way until that has ended. */
  later(text: string, format: Format): void;
  /** Says that something is waited for, until something comes. */
  wait(word: WaitingWord): void;
  /** A piece of an answer, or of what was thought before. */
  say(stream: StreamKind, piece: string): void;
  /** Ends whatever is under way. */
  finish(): void;
}

/** A flow on the terminal of `call`. */
export function flowOn(call: CommandCall): Flow {
  const { stdout } = call.io;
  const streams = streamsOn(call);
  const waiting = waitingLine(call);
  let held: readonly string[] = [];

  /** Takes the waiting line away; what was thought, unseen, leaves how long it took. */
  const hush = (): void => {
    const waited = waiting.end();
    if (waited?.word !== 'thinking') return;
    const text = `thought for ${duration(waited.ms)}`;
    stdout.write(`${call.paper().paint(text, 'gray')}\n`);
  };
  const finish = (): void => {
    hush();
    streams.end();
    const lines = held;
    held = [];
    for (const one of lines) stdout.write(`${one}\n`);
  };
  const line: Flow['line'] = (content, ...formats) => {
    finish();
    stdout.write(`${call.paper().paint(content, ...formats)}\n`);
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
      if (streams.talking !== null || word === 'thinking') return;
      finish();
      if (word !== null) waiting.begin(word);
    },
    wait(word) {
      if (waiting.word === word) return;
      finish();
      waiting.begin(word);
    },
    say(stream, piece) {
      if (streams.talking !== stream) finish();
      streams.say(stream, piece);
    },
    finish,
  };
}
