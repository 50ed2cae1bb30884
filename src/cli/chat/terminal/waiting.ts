import type { CommandCall } from '../../call/call.ts';

/** How often a wait is told anew, in milliseconds. */
const every = 1_000;

/** The word for what is waited for. */
export type WaitingWord = 'waiting' | 'thinking' | 'running';

/** A line that says how long something is waited for, and goes when it is there. */
export interface WaitingLine {
  /** What is waited for now; null for nothing. */
  readonly word: WaitingWord | null;
  begin(word: WaitingWord): void;
  /** Takes the line away; what was waited for, and how long, in milliseconds. */
  end(): { readonly word: WaitingWord; readonly ms: number } | null;
}

/** A waiting line on the terminal of `call`; only `thinking` shows before a second is over. */
export function waitingLine(call: CommandCall): WaitingLine {
  const { stdout } = call.io;
  let word: WaitingWord | null = null;
  let begun = 0;
  let timer: NodeJS.Timeout | undefined;
  let isDrawn = false;
  const draw = (): void => {
    const { paint, glyphs } = call.paper();
    const passed = Math.floor((performance.now() - begun) / 1_000);
    stdout.write(`\r\x1b[2K${paint(`${word}${glyphs.more} ${passed} s`, 'gray')}`);
    isDrawn = true;
  };
  return {
    get word() {
      return word;
    },
    begin(next) {
      word = next;
      begun = performance.now();
      if (!call.paper().isLive) return;
      if (next === 'thinking') draw();
      timer = setInterval(draw, every);
    },
    end() {
      const ended = word === null ? null : { word, ms: performance.now() - begun };
      clearInterval(timer);
      if (isDrawn) stdout.write('\r\x1b[2K');
      isDrawn = false;
      word = null;
      return ended;
    },
  };
}
