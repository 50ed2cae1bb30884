import { Unauthorized } from './lines.ts';
import type { Playhead } from './playhead.ts';

/** Reads what `command` tells, to its end; says what is wrong. */
export async function load<T>(
  { connection, trouble }: Playhead,
  source: {
    readonly lines: AsyncIterable<readonly T[]>;
    readonly command: string;
    /** Takes in what came together. */
    readonly take: (items: readonly T[]) => void;
  },
): Promise<void> {
  const { lines, command, take } = source;
  try {
    for await (const items of lines) take(items);
    connection.value = 'stored';
  } catch (error) {
    connection.value = 'lost';
    trouble.value =
      error instanceof Unauthorized
        ? `This page is opened by the link that flamestack ${command} prints.`
        : `flamestack ${command} has ended; what it told is still here.`;
  }
}
