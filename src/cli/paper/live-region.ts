import type { Writer } from '../io.ts';

// Lines at the bottom that are drawn over, below lines that stay and scroll
// away. Each change is one write between the marks of a synchronized update,
// so that terminals which know them never show half of it.

/** Lines at the bottom of a terminal that are redrawn in place. */
export interface LiveRegion {
  /** Writes `lines`, which stay, and below them `region` in the place of the one before. */
  show(lines: readonly string[], region: readonly string[]): void;
  /** Takes the region away and shows the cursor again. */
  clear(): void;
}

const begin = '\x1b[?2026h\x1b[?25l';
const finish = '\x1b[?2026l';

/** A region at the bottom of `writer`, which must be a terminal. */
export function liveRegion(writer: Writer): LiveRegion {
  let height = 0;
  const back = (): string => (height === 0 ? '' : `\x1b[${height}A\r`);
  return {
    show(lines, region) {
      const text = [...lines, ...region].map((line) => `\x1b[2K${line}\n`).join('');
      writer.write(`${begin}${back()}${text}\x1b[J${finish}`);
      height = region.length;
    },
    clear() {
      if (height > 0) writer.write(`${back()}\x1b[J\x1b[?25h`);
      height = 0;
    },
  };
}
