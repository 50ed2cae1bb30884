import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Probes } from './probe.ts';

/** The session file that a probe file names: beside it, or in the nearest folder above where it is. Throws where there is none. */
export function sessionFile({ file, session }: Probes): string {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const path = join(folder, session);
    if (existsSync(path)) return path;
    if (folder === dirname(folder))
      throw new Error(`"${session}", which "${basename(file)}" is about, is not there; name it`);
  }
}
