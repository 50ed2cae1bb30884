import { open, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Length of a play that is watched, in milliseconds. */
const watchedTime = 20_000;

/** Least speed, in steps per second. */
const leastSpeed = 6;

/** How long a line of a tour is left to be read, in milliseconds. */
export const readingTime = 1_400;

/** Bytes that a step takes where a file has no lines to count. */
const bytesPerStep = 1_000;

/** The speed of a play. */
export interface Pace {
  /** Waits after a step; `read` lines of a tour were shown with it. Rejects on abort. */
  step(read: number): Promise<void>;
}

/** No waiting at all. */
export const atOnce: Pace = { step: async () => undefined };

/** Steps that follow each other evenly, `speed` per second. */
export function paced(speed: number, signal: AbortSignal): Pace {
  const begun = performance.now();
  let due = 0;
  return {
    async step(read) {
      due += 1_000 / speed;
      const late = performance.now() - begun - due;
      if (late > 1_000) due += late;
      due += read * readingTime;
      const wait = due - (performance.now() - begun);
      if (wait >= 4) await sleep(wait, undefined, { signal });
    },
  };
}

/** Steps per second at which so many are pleasant to watch. */
export function pleasantSpeed(steps: number): number {
  return Math.max(leastSpeed, steps / (watchedTime / 1_000));
}

/** About how many steps a file holds: its lines, unless it is one long text; 0 for what cannot be read twice, or at all. */
export async function stepsIn(file: string | Uint8Array): Promise<number> {
  if (typeof file !== 'string') return file.length / bytesPerStep;
  const stats = await stat(file).catch(() => null);
  const handle = stats?.isFile() === true ? await open(file, 'r').catch(() => null) : null;
  // Whoever plays it says why it cannot be read.
  if (stats === null || handle === null) return 0;
  try {
    let lines = 0;
    for await (const chunk of handle.createReadStream({
      autoClose: false,
    }) as AsyncIterable<Buffer>)
      for (const byte of chunk) if (byte === 10) lines += 1;
    return lines < 8 ? stats.size / bytesPerStep : lines;
  } finally {
    await handle.close();
  }
}
