import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { flamestack, folder } from '../call.ts';

/** A store with a session of each title. */
async function titled(...titles: readonly string[]): Promise<string> {
  const location = join(await folder(), 'store');
  await using store = await openStore(location);
  for (const [n, title] of titles.entries()) {
    const session = await store.open(`s-${n}`, { window: 2_000, title });
    await session.append({ role: 'user', content: `On ${title}.` });
    await session.close();
  }
  return location;
}

test('in a pipe open prints what show prints, by words of a title', async () => {
  const store = await titled('Login form', 'Rate limits');
  const line = `rate limits --store ${store}`;
  expect(await flamestack(`open ${line}`)).toEqual(await flamestack(`show ${line}`));
  const { out } = await flamestack(`open login --store ${store} --json`);
  expect(JSON.parse(out)).toMatchObject({ schema: 'flamestack.show/1', id: 's-0' });
  expect((await flamestack(`open nothing near --store ${store}`)).exit).toBe(3);
});
