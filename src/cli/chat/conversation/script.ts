import { createInterface } from 'node:readline';
import type { CommandCall } from '../../call/call.ts';
import type { Person } from '../terminal/person.ts';

/** Messages out of a pipe: a line each, or all of it as one. */
export function script(call: CommandCall, { once }: { readonly once: boolean }): Person {
  const { stdin, signal } = call.io;
  const lines = createInterface({ input: stdin, terminal: false });
  // Lines that come before somebody asks for them are kept only from here on.
  const kept = lines[Symbol.asyncIterator]();
  const read = once ? whole(kept) : kept;
  const out = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  let [ahead, left]: [string | null, number] = [null, 0];
  // Of `once` all is one message, behind which there is none.
  if (!once) lines.on('line', (line) => (left += isBlank(line) ? 0 : 1));
  /** The next line that is not blank. */
  const next = async (): Promise<string | null> => {
    for (;;) {
      const line = await Promise.race([read.next(), out]);
      if (line === null || line.done === true) return null;
      if (!isBlank(line.value)) return line.value;
    }
  };
  return {
    isThere: false,
    isAhead: false,
    hasQuit: false,
    async isReady() {
      ahead = await next();
      return ahead !== null;
    },
    async next() {
      const line = ahead ?? (await next());
      ahead = null;
      if (line !== null) left -= 1;
      return line;
    },
    left: () => left,
    choose: () => Promise.resolve(null),
    during: (work) => work(signal),
    interject: (show) => show(false),
    close: () => lines.close(),
  };
}

const isBlank = (line: string): boolean => line.trim() === '';

/** Everything as one message, without the line feed at its end. */
async function* whole(lines: AsyncIterableIterator<string>): AsyncGenerator<string> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  yield all.join('\n');
}
