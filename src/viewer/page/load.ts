import { readLines, Unauthorized } from './lines.ts';
import type { Move } from './move.ts';
import { connection, take, trouble } from './store.ts';

/** Reads what is told, to its end; says what is wrong. */
export async function load(): Promise<void> {
  try {
    for await (const told of readLines<Told>('/api/inspections')) {
      take(told.filter((one) => !('live' in one)) as readonly Move[]);
      if (told.some((one) => 'live' in one && one.live)) connection.value = 'live';
    }
    connection.value = 'ended';
  } catch (error) {
    connection.value = 'lost';
    trouble.value =
      error instanceof Unauthorized
        ? 'This page is opened by the link that flamestack inspect prints.'
        : 'flamestack inspect has ended; what it told is still here.';
  }
}

/** A move, or first of all whether what comes is told, too. */
type Told = Move | { readonly live: boolean };
