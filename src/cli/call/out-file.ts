import { lstat, stat } from 'node:fs/promises';
import { EngineError } from '../../names.ts';

/** The file that a command writes. */
export interface OutOptions {
  readonly out?: string | undefined;
  /** Whether it replaces one that is there. */
  readonly force?: boolean | undefined;
}

/** Throws `OPTION_INVALID` where a file is there that nobody said is to be replaced. */
export async function checkFree(path: string, force = false): Promise<void> {
  // A link that leads nowhere is there, too.
  const stats = force
    ? null
    : await stat(path)
        .catch(() => lstat(path))
        .catch(() => null);
  if (stats?.isFile() === true || stats?.isSymbolicLink() === true)
    throw new EngineError('OPTION_INVALID', `The file "${path}" is there already`, {
      detail: { option: 'force', value: path },
    });
}
