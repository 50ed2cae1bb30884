import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import type { CommandCall } from '../../../src/cli/call/call.ts';
import { destinationOf } from '../../../src/cli/export/destination.ts';
import { cleanLine } from '../../../src/cli/paper/clean.ts';
import { size } from '../../../src/cli/paper/size.ts';
import { wrap } from '../../../src/cli/paper/width.ts';

/** How a report is shown. */
export interface Looks {
  /** Whether every measure is printed, not the leading ones only. */
  readonly all: boolean;
  /** The file of a page with charts; undefined for none. */
  readonly html: string | undefined;
}

/** Says what there is beside a headline, where nobody asked for more. */
export function noteMore(more: string, { all, html }: Looks, call: CommandCall): void {
  const text = `--all: ${more}; --html <file>: charts`;
  if (!all && html === undefined) call.note(...wrap(text, call.margin().width));
}

/** Refuses what is no file, and a folder that takes none, before anything is measured. */
export async function checkPage(file: string): Promise<void> {
  if (file === '-') throw new InvalidArgumentError('--html writes a file, not stdout');
  const known = await stat(file).catch(() => null);
  if (known?.isDirectory() === true) throw new InvalidArgumentError(`"${file}" is a folder`);
  try {
    await access(dirname(file), constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidArgumentError(`"${file}" cannot be written (${code})`);
  }
}

/** Writes a page to its file, whole or not at all, and says so. */
export async function writePage(file: string, page: string, call: CommandCall): Promise<void> {
  const bytes = await destinationOf({ out: file, force: true }, call).write(Readable.from([page]));
  call.note(`${cleanLine(file)}: ${size(bytes)}`);
}
