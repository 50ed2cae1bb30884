import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';

test.each([
  [{ summarisers: [] }, 'summarisers'],
  [{ durability: 'none' }, 'durability'],
  [{ maxQueued: 0 }, 'maxQueued'],
  [{ maxQueued: Number.NaN }, 'maxQueued'],
  [{ effects: { concurrency: 0 } }, 'effects.concurrency'],
  [{ effects: { timeout: -1 } }, 'effects.timeout'],
  [{ effects: { patience: 1 } }, 'patience'],
  [{ documents: '' }, 'documents'],
  [{ documents: true }, 'documents'],
  [{ summarizers: [{ name: 'embedded', summarize: () => 'x' }] }, 'summarizer'],
])('a store opened with %j is refused, and the option is named', async (options, option) => {
  const refused = { code: 'OPTION_INVALID', detail: { option } };
  await expect(openStore(':memory:', options as never)).rejects.toMatchObject(refused);
});

test('options that the first design had are taken and do nothing', async () => {
  const store = await openStore(':memory:', { maxOpen: 1, ids: () => 'x' } as never);
  await store.close();
});
