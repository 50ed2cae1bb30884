import type { StreamItem } from './wire.ts';

/** So many times what is held back may be told already: then it is told, too. */
const growth = 4;

/** What comes in few groups that grow, until all that is stored was told: with each of them all of it is laid out anew. */
export async function* grouped(
  lines: AsyncIterable<readonly StreamItem[]>,
): AsyncGenerator<readonly StreamItem[]> {
  let [toldCount, held, isAll] = [0, [] as StreamItem[], false];
  for await (const some of lines) {
    held.push(...some);
    isAll ||= some.some((one) => !('session' in one || 'sizes' in one));
    if (!isAll && held.length * growth < toldCount) continue;
    toldCount += held.length;
    yield held;
    held = [];
  }
  yield held;
}
