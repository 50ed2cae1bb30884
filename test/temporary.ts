import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const prefix = 'f-';

/** Gives a run a folder of its own for temporary files, once for all projects; it goes with all that was left in it. */
export function setup(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(prefix)) return undefined;
  const folder = mkdtempSync(join(place(), prefix));
  // Servers that refuse to run as root have folders in it, too.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** Memory, unless `TMPDIR` is set, where Linux offers enough of it for files and programs: stores on a disk wait for it. */
function place(): string {
  const memory = '/dev/shm';
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return tmpdir();
  const isMounted = / \/dev\/shm tmpfs (?!\S*noexec)/.test(readFileSync('/proc/mounts', 'utf8'));
  const { bavail, bsize } = statfsSync(memory);
  return isMounted && bavail * bsize > 2 ** 31 ? memory : tmpdir();
}
