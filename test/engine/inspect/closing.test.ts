import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openStore } from '../../../src/index.ts';

test('an inspector that is too slow is told nothing more when its store closed, and that is a warning', async () => {
  let heard = 0;
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);
  const store = await openStore(':memory:', {
    async inspect() {
      heard += 1;
      await sleep(50);
    },
  });
  const session = await store.open('s', { window: 8_192 });
  for (let n = 0; n < 60; n += 1) await session.append({ role: 'user', content: `${n}` });
  await store.close();
  const atClose = heard;
  await sleep(300);
  expect(heard).toBe(atClose);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^The store closed before its inspector was told \d+ more$/),
  );
  warn.mockRestore();
});
