import type { Told } from './wire.ts';

/** So many times what is held back may be told already: then it is told, too. */
const growth = 4;

/** What comes in few groups that grow, until all that is stored was told: with each of them all of it is laid out anew. */
export async function* grouped(
  lines: AsyncIterable<readonly Told[]>,
): AsyncGenerator<readonly Told[]> {
  let [told, held, isAll] = [0, [] as Told[], false];
  for await (const some of lines) {
    held.push(...some);
    isAll ||= some.some((one) => !('session' in one || 'sizes' in one));
    if (!isAll && held.length * growth < told) continue;
    told += held.length;
    yield held;
    held = [];
  }
  yield held;
}
