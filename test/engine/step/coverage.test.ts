import { expect, test } from 'vitest';
import { openOver } from '../../../src/engine/open/open-store.ts';
import type { WorkingItem } from '../../../src/core/state/view.ts';
import { replayed } from '../replayed.ts';
import { prose } from '../../../src/testing/made-text.ts';
import { newDisk } from '../disk.ts';

test('an assembly that leaves entries out is recorded as certain truncation, once, and recovered from', async () => {
  const records = (await newDisk()).mount();
  await using store = await openOver(records);
  const session = await store.open('s', { window: 8_000 });
  for (let n = 1; n <= 6; n += 1)
    await session.append({ role: n % 2 === 0 ? 'assistant' : 'user', content: prose(20, n) });
  const told: unknown[] = [];
  session.on('truncation.suspected', ({ rule, truncation, numbers, lost }) =>
    told.push({ rule, truncation, numbers, lost }),
  );
  await session.assemble();
  const { state } = await store.live('s');
  (state.views.get('f0' as never)!.items as WorkingItem[]).splice(1, 3);
  await session.assemble();
  expect(told).toEqual([]);
  await session.goal.set('Begin an epoch');
  const { messages, budget } = await session.assemble();
  expect(told).toEqual([
    {
      rule: 'coverage.broken',
      truncation: 'certain',
      numbers: { uncovered: 3 },
      lost: [{ from: 'e2', to: 'e4' }],
    },
  ]);
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  expect(JSON.stringify(messages)).toContain('Recovered context');
  await session.goal.set('Begin another');
  await session.assemble();
  expect(told).toHaveLength(1);
  expect((await replayed(records, 's')).records).toBeGreaterThan(8);
});
