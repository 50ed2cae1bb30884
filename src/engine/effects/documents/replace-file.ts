import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Puts a whole file in the place of another, or of none, all or nothing and durable; `isSame` is asked last. Says whether it did. */
export async function replaceFile(
  target: string,
  whole: Buffer | string,
  { mode = 0o600, isSame }: { mode?: number; isSame?: () => Promise<boolean> } = {},
): Promise<boolean> {
  const draft = join(dirname(target), `.${basename(target)}.tmp`);
  await rm(draft, { force: true });
  try {
    const file = await open(draft, 'wx', mode);
    try {
      await file.writeFile(whole);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    if (isSame !== undefined && !(await isSame())) return false;
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(target));
  return true;
}

/** Makes a new name in a folder durable, where the system lets a folder be opened for that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
