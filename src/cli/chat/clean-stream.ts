import { clean } from '../render/clean.ts';

/** Longest escape sequence that is waited for, in UTF-16 units. */
const longestSequence = 64;

/** The end of a piece that only the next one explains: half a character, half a line end, half an escape sequence. */
const unfinished = /(?:[\ud800-\udbff]|\r|[\x1b\x90\x98\x9b\x9d-\x9f][^\n]*)$/;

/** Cleans text that comes in pieces. */
export interface CleanStream {
  /** What can be shown of everything so far, and was not shown yet. */
  push(piece: string): string;
  /** The rest. */
  end(): string;
}

/** {@link clean} over pieces: a sequence cut in two by a server does not get through. */
export function cleanStream(): CleanStream {
  let held = '';
  return {
    push(piece) {
      const text = held + piece;
      const tail = unfinished.exec(text)?.[0] ?? '';
      held = tail.length <= longestSequence && !isWhole(tail) ? tail : '';
      return clean(held === '' ? text : text.slice(0, -held.length));
    },
    end() {
      const rest = clean(held);
      held = '';
      return rest;
    },
  };
}

/** Whether nothing is missing of an escape sequence, and what follows it. */
function isWhole(tail: string): boolean {
  return /^(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|^\x1b[^[\]PX^_]|^(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^]*(?:\x07|\x1b\\|\x9c)/.test(
    tail,
  );
}
