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

it('finds in sessions that are read at once what it finds in each of them', async () => {
  const ids = ['long', 'none', 'one', 'two'];
  const lengths = [40, 0, 1, 2];
  {
    await using store = await openStore(folder);
    for (const [at, id] of ids.entries()) {
      const session = await store.open(id, { window: 8_192 });
      for (let n = 1; n <= lengths[at]!; n += 1)
        await session.append({ role: 'user', content: `Step ${n} of ${id}: the dialyzer warns.` });
    }
  }
  const find = async (session: readonly string[]): Promise<readonly string[]> => {
    await using reader = await openReader(folder);
    const hits = await reader.recall('dialyzer', { session, limit: 50, tokens: 9_000 });
    return hits.map((hit) => `${hit.session} ${hit.entry} ${hit.text}`).toSorted();
  };
  const alone = await Promise.all(ids.map((id) => find([id])));
  expect(alone.map((hits) => hits.length)).toEqual(lengths);
  expect(alone[2]).toEqual([expect.stringContaining('of one')]);
  expect(await find(ids)).toEqual(alone.flat());
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
