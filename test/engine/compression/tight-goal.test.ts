import { expect, test } from 'vitest';
import { openStore } from '../../../src/index.ts';
import { prose } from '../../../src/testing/made-text.ts';

test('where nothing else can give, a goal stands as its description', async () => {
  await using store = await openStore(':memory:');
  const s = await store.open('s', { window: 2_000 });
  const milestones = Array.from({ length: 20 }, (_, n) => ({
    text: `Milestone ${n}`,
    status: 'completed' as const,
  }));
  await s.goal.set({ description: 'Ship the parser', milestones });
  await s.append({ role: 'user', content: prose(70) });
  const whole = await s.assemble();
  const room = whole.budget.limit - whole.budget.total + whole.budget.goal - 40;
  const tools = [{ name: 'read', description: 'word '.repeat(room - 12) }];
  const { budget, messages } = await s.assemble({ tools });
  expect(budget.total).toBeLessThanOrEqual(budget.limit);
  expect(messages.find(({ section }) => section === 'goal')?.content).toContain('Ship the parser');
});
