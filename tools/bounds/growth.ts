/** Times by which a text grows between two measurements, and before those once. */
const step = 4;

/** Growth of time which is judged too much: what is linear grows by 4, what is quadratic by 16. */
const most = 9;

/** Time below which nothing is judged, and that no short text may take, in milliseconds; collecting garbage takes less. */
const least = 250;
const longest = 1_500;

/** What a reading does as a text gets longer; null where its time keeps to the length. */
export async function growthOf(
  make: (length: number) => string,
  read: (text: string) => unknown,
  length: number,
): Promise<string | null> {
  const took = async (size: number): Promise<number> => {
    const text = make(size);
    return Math.min(await timeOf(() => read(text)), await timeOf(() => read(text)));
  };
  const short = await timeOf(() => read(make(length / step ** 2)));
  if (short > longest) return `${short.toFixed(0)} ms at ${length / step ** 2}`;
  if ((await timeOf(() => read(make(length)))) < least) return null;
  const [before, after] = [await took(length / step), await took(length)];
  return after > least && after / before > most
    ? `${before.toFixed(0)} → ${after.toFixed(0)} ms at ${length}`
    : null;
}

async function timeOf(run: () => unknown): Promise<number> {
  const start = performance.now();
  try {
    await run();
  } catch {
    // What refuses a text has read it.
  }
  return performance.now() - start;
}
