import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ImportProgress } from '../../index.ts';
import type { CommandCall } from '../call/call.ts';
import { paceText } from '../call/pace-text.ts';
import { statusLine } from '../call/status-line.ts';
import { cleanLine } from '../paper/clean.ts';
import { number, percent } from '../paper/size.ts';

/** A line on stderr that says how far an import is: all of it, and the file that is taken in. */
export interface ProgressLine {
  /** Whether anybody sees it. */
  readonly isShown: boolean;
  /** The file at this place among all is taken in from now on. */
  begin(at: number): void;
  readonly update: (progress: ImportProgress) => void;
  clear(): void;
}

/** A status line for an import of files. */
export async function progressLine(
  call: CommandCall,
  files: readonly string[],
): Promise<ProgressLine> {
  const status = statusLine(call);
  const of = files.length;
  const sizes = status.isShown && of > 1 ? await Promise.all(files.map(sizeOf)) : [];
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const begun = performance.now();
  let at = 0;
  /** Bytes and entries of the files before this one, and entries of it so far. */
  const done = { bytes: 0, entries: 0, own: 0 };
  return {
    isShown: status.isShown,
    begin(next) {
      for (; at < next; at += 1) done.bytes += sizes[at] ?? 0;
      done.entries += done.own;
      done.own = 0;
    },
    update({ bytes, size, appended }) {
      done.own = appended;
      const name = cleanLine(basename(files[at]!));
      const own = size === undefined || size === 0 ? undefined : Math.min(1, bytes / size);
      status.say(() => {
        if (of === 1)
          return `${paceText({ count: appended, what: 'new entries', share: own }, begun)}  ${name}`;
        const share = all === 0 ? undefined : Math.min(1, (done.bytes + bytes) / all);
        const count = done.entries + appended;
        const pace = paceText({ count, what: 'new entries', share, of: 'all' }, begun);
        const place = `${number(at)} of ${number(of)} files`;
        return [pace, place, name, ...(own === undefined ? [] : [percent(own)])].join('  ');
      });
    },
    clear: () => status.clear(),
  };
}

/** Bytes of a file; 0 where it has none that are known. */
const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );
