import { clean } from '../../paper/clean.ts';

/** Longest escape sequence that is waited for, in UTF-16 units. */
const longestSequence = 256;

/** The possible beginning of an escape sequence. */
const beginning = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;

/** A complete escape sequence. */
const wholeSequence =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[^0-?\n]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b[^]|\x9c|\n)|\x1b[ -/]*[^[\]PX^_ -/]/y;

/** Half a character or half a line end. */
const halfCharacter = /[\ud800-\udbff\r]$/;

/** Cleans text that comes in pieces. */
export interface CleanStream {
  /** What can be shown of everything so far, and was not shown yet. */
  push(piece: string): string;
  /** The rest. */
  end(): string;
}

/** `clean` over pieces: a sequence that a server cut in two does not get through. */
export function cleanStream(): CleanStream {
  let held = '';
  return {
    push(piece) {
      const text = held + piece;
      const end = endOfWhole(text);
      held = text.slice(end);
      return clean(text.slice(0, end));
    },
    end() {
      const rest = clean(held);
      held = '';
      return rest;
    },
  };
}

/** The end of the part that later text cannot change. */
function endOfWhole(text: string): number {
  beginning.lastIndex = 0;
  for (let match = beginning.exec(text); match !== null; match = beginning.exec(text)) {
    wholeSequence.lastIndex = match.index;
    const isOpen =
      wholeSequence.exec(text) === null && text.length - match.index <= longestSequence;
    if (isOpen) return match.index;
    beginning.lastIndex = Math.max(wholeSequence.lastIndex, match.index + 1);
  }
  return halfCharacter.test(text) ? text.length - 1 : text.length;
}
