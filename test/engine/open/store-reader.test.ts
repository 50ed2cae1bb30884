import { beforeEach, expect, it } from 'vitest';
import { durableMachines, openReader, openStore } from '../../../src/index.ts';
import { newLocation } from '../../store/folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await newLocation();
});

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

it('lists and searches a store while another has it open for writing', async () => {
  await using store = await openStore(folder);
  const session = await store.open('notes', { window: 8_192, title: 'A notes app' });
  await session.append({ role: 'user', content: 'Look at the dialyzer warning.' });

  await using reader = await openReader(folder);
  const listed = await all(reader.sessions());
  expect(listed).toEqual(await all(store.sessions()));
  expect(listed).toMatchObject([{ id: 'notes', title: 'A notes app', turns: 1 }]);
  expect(await reader.recall('dialyzer')).toEqual(await store.recall('dialyzer'));
  expect(await reader.recall('dialyzer')).toMatchObject([{ session: 'notes', entry: 'e1' }]);
  expect(await all(durableMachines(reader))).toEqual([]);
});

it('refuses a place without a store, and what is no place', async () => {
  await expect(openReader(folder)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
  await expect(openReader('')).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});

it('refuses to read when it is closed, and closes once', async () => {
  await (await openStore(folder)).close();
  const reader = await openReader(folder);
  await reader[Symbol.asyncDispose]();
  await reader[Symbol.asyncDispose]();
  await expect(reader.recall('word')).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  await expect(all(reader.sessions())).rejects.toMatchObject({ code: 'STORE_CLOSED' });
});
