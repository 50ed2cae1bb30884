/** Stands for a line feed in a line that is edited, as in the history. */
export const newline = '⏎';

/** Lines until they make a message. */
export interface Multiline {
  /** The lines so far. */
  readonly text: string;
  readonly isEmpty: boolean;
  /** Whether a fence is open in the lines so far. */
  readonly isFenced: boolean;
  /** The whole message, or null while more must come. */
  add(line: string): string | null;
  clear(): void;
}

/** Gathers lines: a backslash at the end of one, or a fence that is open, asks for the next. */
export function multiline(): Multiline {
  let lines: string[] = [];
  return {
    get text() {
      return lines.join('\n');
    },
    get isEmpty() {
      return lines.length === 0;
    },
    get isFenced() {
      return isFenced(lines.join('\n'));
    },
    add(line) {
      const isContinued = /(?:^|[^\\])\\$/.test(line);
      lines.push(isContinued ? line.slice(0, -1) : line);
      const text = lines.join('\n');
      if (isContinued || isFenced(text)) return null;
      lines = [];
      return text;
    },
    clear() {
      lines = [];
    },
  };
}

/** Whether a code fence is open at the end of the text. */
function isFenced(text: string): boolean {
  return (text.match(/^\s*```/gm)?.length ?? 0) % 2 === 1;
}
