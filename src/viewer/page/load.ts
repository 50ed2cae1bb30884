import { Unauthorized } from './lines.ts';
import type { Playhead } from './playhead.ts';

/** Reads what `command` tells, to its end; says what is wrong. */
export async function load<T>(
  { connection, trouble }: Playhead,
  given: {
    readonly lines: AsyncIterable<readonly T[]>;
    readonly command: string;
    /** Takes in what came together. */
    readonly take: (told: readonly T[]) => void;
  },
): Promise<void> {
  const { lines, command, take } = given;
  try {
    for await (const told of lines) take(told);
    connection.value = 'stored';
  } catch (error) {
    connection.value = 'lost';
    trouble.value =
      error instanceof Unauthorized
        ? `This page is opened by the link that flamestack ${command} prints.`
        : `flamestack ${command} has ended; what it told is still here.`;
  }
}
