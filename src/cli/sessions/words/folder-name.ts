import { posix, win32 } from 'node:path';

/** The last name of a folder's path, wherever its session was held: of one of Windows, too. */
export function folderName(folder = ''): string {
  const path = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(folder) ? win32 : posix;
  return path.basename(folder);
}
