import { basename } from 'node:path';
import type { ImportProgress } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { statusLine } from '../call/status-line.ts';
import { cleanLine } from '../paper/clean.ts';
import { many, number, percent } from '../paper/size.ts';

/** A line on stderr that says how far an import is. */
export interface ProgressLine {
  /** Whether anybody sees it. */
  readonly isShown: boolean;
  begin(file: string): void;
  readonly update: (progress: ImportProgress) => void;
  clear(): void;
}

/** A progress line for terminals; silent elsewhere. */
export function progressLine(call: CommandCall): ProgressLine {
  const status = statusLine(call);
  let begun = 0;
  let name = '';
  return {
    isShown: status.isShown,
    begin(file) {
      name = cleanLine(basename(file));
      begun = performance.now();
    },
    update({ bytes, size, appended }) {
      status.say(() => {
        const rate = appended / Math.max(0.001, (performance.now() - begun) / 1_000);
        const done =
          size === undefined || size === 0 ? '' : `${percent(Math.min(1, bytes / size))}  `;
        return `${done}${many(appended, 'entry', 'entries')}, ${number(rate)} a second  ${name}`;
      });
    },
    clear: () => status.clear(),
  };
}
