import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copiesFolder, newCopyFolder, sweepCopies } from '../../../src/store/level/copy-folder.ts';
import { folder } from '../../cli/call.ts';

test('a copy that is being made is not taken for one that was left over by the same process', async () => {
  const location = await folder();
  for (let round = 0; round < 300; round += 1) {
    const making = newCopyFolder(join(location, copiesFolder));
    const sweeps = Array.from({ length: 8 }, () => sweepCopies(location));
    const copy = await making;
    await Promise.all(sweeps);
    await expect(stat(copy.path)).resolves.toBeDefined();
    await copy.remove();
  }
});
