import { basename } from 'node:path';
import type { ImportProgress } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { paceText } from '../call/pace-text.ts';
import { statusLine } from '../call/status-line.ts';
import { cleanLine } from '../paper/clean.ts';
import { number } from '../paper/size.ts';

/** A line on stderr that says how far an import is. */
export interface ProgressLine {
  /** Whether anybody sees it. */
  readonly isShown: boolean;
  /** `at` files of `of` were taken in before. */
  begin(file: string, place: { readonly at: number; readonly of: number }): void;
  readonly update: (progress: ImportProgress) => void;
  clear(): void;
}

/** A status line for an import. */
export function progressLine(call: CommandCall): ProgressLine {
  const status = statusLine(call);
  let begun = 0;
  let name = '';
  return {
    isShown: status.isShown,
    begin(file, { at, of }) {
      const place = of > 1 ? `  file ${number(at + 1)} of ${number(of)}` : '';
      name = `${place}  ${cleanLine(basename(file))}`;
      begun = performance.now();
    },
    update({ bytes, size, appended }) {
      const share = size === undefined || size === 0 ? undefined : Math.min(1, bytes / size);
      status.say(() => paceText({ count: appended, what: 'entries', share }, begun) + name);
    },
    clear: () => status.clear(),
  };
}
