import { cut } from '../paper/width.ts';
import type { CommandCall } from './call.ts';

/** A line on stderr that is drawn over and goes when the work is done. */
export interface StatusLine {
  /** Whether anybody sees it. */
  readonly isShown: boolean;
  /** Asks for the text only when it is time for a new one. */
  say(text: () => string): void;
  clear(): void;
}

/** Time before the first text, and between two, in milliseconds. */
const sayEvery = 120;

/** A status line for terminals; silent elsewhere. */
export function statusLine(call: CommandCall): StatusLine {
  const paper = call.margin();
  const isShown = paper.isLive && !call.quiet && !call.json;
  let told = performance.now();
  let isWritten = false;
  return {
    isShown,
    say(text) {
      const now = performance.now();
      if (!isShown || now - told < sayEvery) return;
      told = now;
      call.io.stderr.write(`\r\x1b[2K${cut(text(), paper.width - 1, paper.glyphs.more)}`);
      isWritten = true;
    },
    clear() {
      if (isWritten) call.io.stderr.write('\r\x1b[2K');
      isWritten = false;
    },
  };
}
