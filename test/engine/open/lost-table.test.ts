import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Level } from 'level';
import { assign, setup } from 'xstate';
import { beforeAll, expect, test } from 'vitest';
import {
  durable,
  durableMachines,
  openStore,
  repairStore,
  salvageStore,
  type DurableMachine,
  type SessionCheck,
} from '../../../src/index.ts';
import { copyOf, filesIn, newLocation } from '../../store/folder.ts';

// A compacted store has all of its rows in one table: two sessions, and a durable machine.

const machine = setup({
  types: { context: {} as { readonly n: number }, events: {} as { readonly type: 'go' } },
}).createMachine({
  id: 'm',
  version: '1',
  context: { n: 0 },
  initial: 'one',
  states: { one: { on: { go: { actions: assign({ n: ({ context }) => context.n + 1 }) } } } },
});

let made: string;
let table: string;
let size: number;

beforeAll(async () => {
  made = await newLocation();
  const store = await openStore(made);
  for (const id of ['a', 'b']) {
    const session = await store.open(id, { window: 4_096 });
    for (let n = 1; n <= 60; n += 1) {
      if (n % 20 === 10) await session.push({ title: `Aside ${n}` });
      if (n % 20 === 19) await session.pop({ status: 'completed', results: 'Done.' });
      const content = `${id} ${n} ${Math.random().toString(36).repeat(30)}`;
      await session.append({ role: n % 2 ? 'user' : 'assistant', content }, { key: `k${n}` });
    }
  }
  const order = await durable(machine, { host: store, id: 'order', ports: {} });
  for (let n = 0; n < 20; n += 1) await order.send({ type: 'go' }, { key: `g${n}` });
  await order.close();
  await store.compact();
  await store.close();
  // What is in the log when a store is opened becomes a table.
  const again = await openStore(made);
  await again.compact();
  await again.close();
  const tables = await filesIn(made, /\.ldb$/);
  expect(tables).toHaveLength(1);
  [table = ''] = tables;
  size = (await readFile(join(made, table))).length;
}, 60_000);

const opened = (host: string): Promise<DurableMachine<typeof machine>> =>
  durable(machine, { host, id: 'order', ports: {} });

async function sessions(location: string): Promise<readonly SessionCheck[]> {
  await using store = await openStore(location, { readOnly: true });
  const found: SessionCheck[] = [];
  for await (const check of store.verify()) if (check.isMachine !== true) found.push(check);
  return found;
}

async function headsIn(location: string): Promise<unknown> {
  return (JSON.parse(await readFile(join(location, 'guard.json'), 'utf8')) as { heads: unknown })
    .heads;
}

test('a machine of which nothing is left is named, and never begun anew under its id', async () => {
  const location = await copyOf(made);
  await rm(join(location, table));
  const { salvage } = await repairStore(location);
  const lost = [{ from: 1, to: 21, reason: 'missing' }];
  expect(salvage!.machines).toEqual([{ id: 'order', journal: { sound: 0, lost }, goesOn: false }]);
  expect(salvage!.isWhole).toBe(false);
  expect(await headsIn(location)).toMatchObject({ '~order': [21, 0] });
  await expect(opened(location)).rejects.toMatchObject({ code: 'RECORD_DAMAGED' });
  const backup = await newLocation();
  await using store = await openStore(location);
  await store.backup(backup);
  await expect(opened(backup)).rejects.toMatchObject({ code: 'RECORD_DAMAGED' });
  const listed = [];
  for await (const { id, damage } of durableMachines(backup)) listed.push([id, typeof damage]);
  expect(listed).toEqual([['order', 'string']]);
  const checks = [];
  for await (const { id, isMachine, isSound, known } of store.verify())
    if (isMachine === true) checks.push({ id, isSound, gone: known?.journal });
  expect(checks).toEqual([{ id: 'order', isSound: true, gone: lost }]);
});

test('a machine that lost nothing goes on, with its numbers and keys', async () => {
  const location = await copyOf(made);
  const bytes = await readFile(join(location, table));
  bytes[bytes.indexOf('!entry!') + 60]! ^= 1;
  await writeFile(join(location, table), bytes);
  const { salvage } = await repairStore(location);
  expect(salvage!.machines).toMatchObject([{ id: 'order', goesOn: true }]);
  expect(await headsIn(location)).toMatchObject({ '~order': [21, 0] });
  const order = await opened(location);
  expect(order.state).toMatchObject({ seq: 21, context: { n: 20 } });
  expect(await order.send({ type: 'go' }, { key: 'g3' })).toEqual({ seq: 5 });
  expect(await order.send({ type: 'go' })).toEqual({ seq: 22 });
  await order.close();
});

/** A copy without the rows whose keys match, as if the store were in good order; nothing is noted of it. */
async function without(gone: RegExp): Promise<string> {
  const location = await copyOf(made);
  const db = new Level(location);
  for (const key of await db.keys().all()) if (gone.test(key)) await db.del(key);
  await db.close();
  await rm(join(location, 'guard.json'));
  return location;
}

test('keys that were used for steps are made up of the journal, the header of where it rests', async () => {
  const { machines, location } = await salvageStore(
    await without(/^!(key|session)!~order/),
    await newLocation(),
  );
  expect(machines).toMatchObject([{ id: 'order', goesOn: true }]);
  const order = await opened(location);
  expect(await order.send({ type: 'go' }, { key: 'g3' })).toEqual({ seq: 5 });
  await order.close();
  const listed = [];
  for await (const { id, machine: of } of durableMachines(location)) listed.push([id, of]);
  expect(listed).toEqual([['order', 'm']]);
});

test.each([/^!state!~/, /^!journal!~order:0+21$/, /^!journal!~order:0+7$/])(
  'a machine without %s does not go on where it was salvaged, also from a backup',
  async (gone) => {
    const { machines, location } = await salvageStore(await without(gone), await newLocation());
    expect(machines).toMatchObject([{ id: 'order', goesOn: false }]);
    await expect(opened(location)).rejects.toMatchObject({ code: 'RECORD_DAMAGED' });
    const again = await salvageStore(location, await newLocation());
    expect(again.machines).toEqual(machines);
  },
);

test('a machine that does not say where it rests is not begun anew', async () => {
  const location = await without(/^!state!~/);
  await expect(opened(location)).rejects.toMatchObject({ code: 'RECORD_DAMAGED' });
});

test.each([0.1, 0.3, 0.45, 0.6, 0.9])(
  'a table that is cut at %d of it: the store is mended, and sound when it goes on',
  async (part) => {
    const location = await copyOf(made);
    await truncate(join(location, table), Math.floor(size * part));
    const { location: salvaged } = await salvageStore(location, await newLocation());
    await repairStore(location);
    for (const store of [location, salvaged])
      expect((await sessions(store)).map(({ id, isSound }) => [id, isSound])).toEqual([
        ['a', true],
        ['b', true],
      ]);
    expect((await repairStore(location)).aside).toBeNull();
  },
);

test('a session of which nothing is left stays sound after its first append, and what is gone is named', async () => {
  const location = await copyOf(made);
  await rm(join(location, table));
  await repairStore(location);
  const store = await openStore(location);
  const session = await store.open('a');
  const { id } = await session.append({ role: 'user', content: 'Go on.' });
  expect(id).toBe('e61');
  await session.close();
  await store.close();
  const known = { entries: [{ from: 'e1', to: 'e60' }] };
  expect(await sessions(location)).toMatchObject([
    { id: 'a', isSound: true, known },
    { id: 'b', isSound: true, known },
  ]);
  expect((await repairStore(location)).aside).toBeNull();
});
