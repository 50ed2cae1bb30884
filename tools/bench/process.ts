import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How a process is started. */
interface ProcessOptions {
  /** The program; this Node unless told. */
  readonly node?: string;
  readonly flags?: readonly string[];
  /** Milliseconds; ten minutes unless told. */
  readonly timeout?: number;
}

/** What `part` of the suite gives in a process of its own, so that nothing measured before is in its memory. */
export async function inProcess<T>(
  part: string,
  given: unknown,
  options: ProcessOptions = {},
): Promise<T> {
  const { node = process.execPath, flags = [], timeout = 600_000 } = options;
  const child = fileURLToPath(new URL('child.js', import.meta.url));
  const memory = ['--expose-gc', '--max-old-space-size=4096'];
  const { stdout } = await run(node, [...memory, ...flags, child, part, JSON.stringify(given)], {
    timeout,
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as T;
}
