import { expect, test } from 'vitest';
import { openStore } from '../../src/index.ts';

test('a wrong argument rejects, and does not throw', async () => {
  await using store = await openStore(':memory:');
  const session = await store.open('s', { window: 8_000 });
  const untitled = {} as { title: string };
  await expect(session.push(untitled)).rejects.toThrow(TypeError);
  await expect(session.frames.plan(untitled)).rejects.toThrow('A frame needs a title');
  const bogus = { status: 'done' } as unknown as { status: 'completed' };
  await expect(session.pop(bogus)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option: 'status', value: 'done' },
  });
  expect(session.frames.tree()).toMatchObject({ status: 'in_progress', children: [] });
});
