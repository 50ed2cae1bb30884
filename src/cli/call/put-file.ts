import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Puts a file in the place of another, or of none, in one step: what fails leaves all as it was. `mode` is that of
 * a new file, of which the umask takes its part, `exact` one of which it takes nothing.
 */
export async function putFile(
  path: string,
  text: string | AsyncIterable<string>,
  { mode, exact }: { readonly mode?: number; readonly exact?: number | undefined },
): Promise<void> {
  // Whoever may write to the folder cannot have put a link there before.
  const aside = `${path}.${randomUUID()}.part`;
  // A second signal ends the process at once.
  const leave = (): void => rmSync(aside, { force: true });
  process.on('exit', leave);
  try {
    const initialMode = exact ?? mode;
    const options = { flag: 'wx', ...(initialMode !== undefined && { mode: initialMode }) };
    await writeFile(aside, text, options);
    if (exact !== undefined) await chmod(aside, exact);
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  } finally {
    process.off('exit', leave);
  }
}
