import { cut } from '../paper/width.ts';
import type { CommandCall } from './call.ts';

/** A line on stderr that is drawn over and goes when the work is done; in a pipe a line of its own now and then. */
export interface StatusLine {
  /** Whether anybody sees it. */
  readonly isShown: boolean;
  /** Asks for the text only when it is time for a new one. */
  say(text: () => string): void;
  clear(): void;
}

/** Time before the first text, and between two, in milliseconds: at a terminal, and in a pipe, where each stays. */
const sayEvery = { live: 120, piped: 5_000 } as const;

/** A status line; silent with `--quiet` and `--json`. */
export function statusLine(call: CommandCall): StatusLine {
  const paper = call.margin();
  const { isLive } = paper;
  const isShown = !call.quiet && !call.json;
  const every = isLive ? sayEvery.live : sayEvery.piped;
  let saidAt = performance.now();
  let isWritten = false;
  return {
    isShown,
    say(text) {
      const now = performance.now();
      if (!isShown || now - saidAt < every) return;
      saidAt = now;
      if (!isLive) return void call.io.stderr.write(`${text()}\n`);
      call.io.stderr.write(`\r\x1b[2K${cut(text(), paper.width - 1, paper.glyphs.more)}`);
      isWritten = true;
    },
    clear() {
      if (isWritten) call.io.stderr.write('\r\x1b[2K');
      isWritten = false;
    },
  };
}
