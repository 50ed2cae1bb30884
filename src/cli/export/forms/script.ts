import type { Exporting } from '../exporting.ts';

/** A session as lines that `import` reads: all of it, byte for byte. */
export async function* scriptLines({ call, session, leftOut }: Exporting): AsyncGenerator<string> {
  const { signal } = call.io;
  for await (const line of session.export({ signal, onLost: leftOut.onLost }))
    yield `${JSON.stringify(line)}\n`;
}
