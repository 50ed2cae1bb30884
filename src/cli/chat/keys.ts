import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Reader } from '../io.ts';
import { pastes, type Pastes } from './paste.ts';

// Keys on their way from the terminal to the line editor. While an answer comes
// the editor gets none of them: Ctrl-C is heard, the rest waits for the prompt.

/** Ctrl-C as a terminal in raw mode sends it. */
export const interrupt = '\x03';

/** The keys of a terminal. */
export interface Keys {
  /** What the line editor reads. */
  readonly stream: Reader;
  readonly pastes: Pastes;
  /** Gives everything that comes to `hear`, which gives back what waits for the editor; ends by calling what it returns. */
  divert(hear: (text: string) => string): () => void;
  close(): void;
}

/** The keys that come from `input`. */
export function keysOf(input: Reader): Keys {
  const stream = rawStream(input);
  const decoder = new StringDecoder('utf8');
  const pasted = pastes();
  let hear: ((text: string) => string) | null = null;
  let waiting: string[] = [];

  const take = (chunk: string | Buffer): void => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    if (hear === null) return void stream.write(pasted.take(text));
    const rest = hear(text);
    if (rest !== '') waiting.push(rest);
  };
  const end = (): void => void stream.end();
  input.on('data', take);
  input.on('end', end);

  return {
    stream,
    pastes: pasted,
    divert(listener) {
      const before = hear;
      hear = listener;
      return () => {
        hear = before;
        if (hear !== null) return;
        const texts = waiting;
        waiting = [];
        for (const text of texts) stream.write(pasted.take(text));
      };
    },
    close() {
      input.off('data', take);
      input.off('end', end);
      input.pause();
    },
  };
}

/** A stream of its own that still sets the terminal behind it to raw mode. */
function rawStream(input: Reader): PassThrough & Reader {
  const { isTTY } = input;
  const setRawMode = (isRaw: boolean): unknown => input.setRawMode?.(isRaw);
  return Object.assign(new PassThrough(), { isTTY, setRawMode });
}
