import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { expect, test } from 'vitest';
import { batchesOf } from '../../../src/store/level/level-log.ts';
import { newFolder } from '../folder.ts';

// The log as LevelDB itself writes it. A block ends wherever it does: within a text, or within the header of a batch.

test('batches are found wherever a block ends between or within them', async () => {
  for (let size = 32_700; size <= 32_760; size += 1) {
    const log = await logOf(['a'.repeat(size), 'b', 'c']);
    const found = [...batchesOf(log)].map(({ begin, end }) => [begin, end]);
    expect([size, found]).toEqual([
      size,
      [
        [1, 2],
        [2, 3],
        [3, 4],
      ],
    ]);
  }
});

/** The log of a store into which values were put one by one. */
async function logOf(values: readonly string[]): Promise<Buffer> {
  const folder = await newFolder();
  const db = new Level(folder);
  for (const [at, value] of values.entries()) await db.put(`k${at}`, value);
  await db.close();
  const name = (await readdir(folder)).find((file) => file.endsWith('.log'))!;
  return readFile(join(folder, name));
}
