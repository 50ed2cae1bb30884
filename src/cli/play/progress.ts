import { basename } from 'node:path';
import type { ImportProgress } from '../../index.ts';
import type { Call } from '../call.ts';
import { cleanLine } from '../render/clean.ts';
import { many, number, percent } from '../render/size.ts';
import { cut } from '../render/width.ts';

/** A line on stderr that says how far an import is. */
export interface ProgressLine {
  /** Whether anybody sees it. */
  readonly isShown: boolean;
  begin(file: string): void;
  readonly update: (progress: ImportProgress) => void;
  clear(): void;
}

/** How long an import goes on without a word, and from one to the next, in milliseconds. */
const every = 120;

/** A progress line for terminals; silent elsewhere. */
export function progressLine(call: Call): ProgressLine {
  const paper = call.margin();
  const isShown = paper.isLive && !call.quiet && !call.json;
  let begun = 0;
  let told = 0;
  let name = '';
  let isWritten = false;
  return {
    isShown,
    begin(file) {
      name = cleanLine(basename(file));
      begun = performance.now();
      told = begun;
    },
    update({ bytes, size, appended }) {
      const now = performance.now();
      if (now - told < every) return;
      told = now;
      const rate = appended / Math.max(0.001, (now - begun) / 1_000);
      const done =
        size === undefined || size === 0 ? '' : `${percent(Math.min(1, bytes / size))}  `;
      const text = `${done}${many(appended, 'entry', 'entries')}, ${number(rate)} a second  ${name}`;
      call.io.stderr.write(`\r\x1b[2K${cut(text, paper.width - 1, paper.glyphs.more)}`);
      isWritten = true;
    },
    clear() {
      if (isWritten) call.io.stderr.write('\r\x1b[2K');
      isWritten = false;
    },
  };
}
