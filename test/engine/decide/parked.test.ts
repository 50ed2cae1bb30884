import { expect, test } from 'vitest';
import { openOver } from '../../../src/engine/open/open-store.ts';
import { newDisk } from '../disk.ts';

test('a parked frame keeps its partial result when a blocked child of it is closed from below', async () => {
  const store = await openOver((await newDisk()).mount());
  const session = await store.open('s', { window: 8_000 });
  await session.append({ role: 'user', content: 'Build it' });
  await session.push({ title: 'Waits' });
  await session.pop({ status: 'blocked', results: 'No key yet' });
  await session.append({ role: 'assistant', content: 'Read src/key.ts and found no key' });
  await session.push({ title: 'Goes on' });
  expect(session.where('e2')).toMatchObject({ place: 'partial' });
  await session.pop({ frame: 'f1', status: 'failed', results: 'No key at all' });
  expect(session.where('e2')).toMatchObject({ place: 'partial' });
  expect(JSON.stringify(await session.assemble())).toContain('src/key.ts');
});
