import { stat } from 'node:fs/promises';

/** Whether there is something at `path`; a command that cannot read its file makes no store for it. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
