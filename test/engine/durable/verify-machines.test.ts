import { Level } from 'level';
import { expect, onTestFinished, test } from 'vitest';
import {
  durable,
  durableMachines,
  openStore,
  repairStore,
  restoreStore,
  salvageStore,
  type SessionCheck,
} from '../../../src/index.ts';
import { journalKey, machineRows, sessionKey, stateKey } from '../../../src/store/key.ts';
import type { RecordKind } from '../../../src/store/store.ts';
import { flamestack } from '../../cli/call.ts';
import { newFolder, newLocation } from '../../store/folder.ts';
import { orderMachine, orderPorts } from './order.ts';

const rows = machineRows('o');
const input = { item: 'a lamp' };

/** A closed store with a session `s` and machines `o` and `p` of three steps each; rows of `o` are harmed. */
async function harmed(
  ...harms: readonly (readonly [kind: RecordKind, key: string, to: 'gone' | 'changed'])[]
): Promise<string> {
  const folder = await newFolder();
  const store = await openStore(folder);
  const session = await store.open('s', { window: 8_192 });
  await session.append({ role: 'user', content: 'hello' });
  for (const id of ['o', 'p']) {
    const order = await durable(orderMachine, { host: store, id, ports: orderPorts, input });
    for (const text of ['one', 'two']) await order.send({ type: 'note', text });
    await order.close();
  }
  await store.close();
  const db = new Level(folder);
  for (const [kind, key, to] of harms) {
    const space = db.sublevel(kind);
    if (to === 'gone') await space.del(key);
    else await space.put(key, `${(await space.get(key))!}~`);
  }
  await db.close();
  return folder;
}

async function checks(folder: string): Promise<ReadonlyMap<string, SessionCheck>> {
  const store = await openStore(folder);
  onTestFinished(() => store.close());
  const found = new Map<string, SessionCheck>();
  for await (const check of store.verify())
    found.set(`${check.isMachine === true ? 'machine ' : ''}${check.id}`, check);
  await store.close();
  return found;
}

test('machines are checked beside the sessions, each by its records', async () => {
  const found = await checks(await harmed());
  expect([...found.keys()]).toEqual(['s', 'machine o', 'machine p']);
  expect(found.get('machine o')).toEqual({
    id: 'o',
    isMachine: true,
    isSound: true,
    entries: { sound: 0, lost: [] },
    journal: { sound: 3, lost: [] },
    texts: { sound: 0, lost: [] },
    damaged: [],
  });
});

test.each([
  ['journal', journalKey(rows, 2), 'gone', { from: 2, to: 2, reason: 'missing' }],
  ['journal', journalKey(rows, 2), 'changed', { from: 2, to: 2, reason: 'changed' }],
  ['journal', journalKey(rows, 3), 'gone', { from: 3, to: 3, reason: 'missing' }],
  ['session', sessionKey(rows), 'gone', 'The record "~o" of the kind session is missing'],
  ['session', sessionKey(rows), 'changed', sessionKey(rows)],
  ['state', stateKey(rows, 0), 'gone', 'The record "~o" of the kind state is missing'],
  ['state', stateKey(rows, 0), 'changed', stateKey(rows, 0)],
] as const)('a machine with its %s row %s %s is named', async (...given) => {
  const [kind, key, to, named] = given;
  const found = await checks(await harmed([kind, key, to]));
  const { isSound, journal, damaged } = found.get('machine o')!;
  expect(isSound).toBe(false);
  if (kind === 'journal') expect([journal, damaged]).toEqual([{ sound: 2, lost: [named] }, []]);
  else {
    expect(damaged).toHaveLength(1);
    expect(damaged[0]!.kind).toBe(kind);
    expect([damaged[0]!.key, damaged[0]!.message]).toContain(named);
  }
  expect([found.get('s')!.isSound, found.get('machine p')!.isSound]).toEqual([true, true]);
});

test('a machine of which only what was noted is left is named', async () => {
  const all = [1, 2, 3].map((n) => ['journal', journalKey(rows, n), 'gone'] as const);
  const rest = [
    ['state', stateKey(rows, 0), 'gone'],
    ['session', sessionKey(rows), 'gone'],
  ] as const;
  const found = await checks(await harmed(...all, ...rest));
  expect(found.get('machine o')!.journal.lost).toEqual([{ from: 1, to: 3, reason: 'missing' }]);
});

test('a machine that rests before the end of its journal is named', async () => {
  const folder = await harmed();
  const db = new Level(folder);
  const space = db.sublevel('state');
  const now = (await space.get(stateKey(rows, 0)))!;
  await db.close();
  const store = await openStore(folder);
  const order = await durable(orderMachine, { host: store, id: 'o', ports: orderPorts });
  await order.send({ type: 'cancel' });
  await order.close();
  await store.close();
  const again = new Level(folder);
  await again.sublevel('state').put(stateKey(rows, 0), now);
  await again.close();
  expect((await checks(folder)).get('machine o')!.damaged).toEqual([
    { kind: 'state', message: 'It rests after step 3, and its journal has 4' },
  ]);
});

test('the list of machines goes on past one whose header is damaged', async () => {
  const host = await harmed(['session', sessionKey(rows), 'changed']);
  const listed = [];
  for await (const { id, machine, rests, damage } of durableMachines(host))
    listed.push([id, machine, rests?.value, damage?.includes('"~o"')]);
  expect(listed).toEqual([
    ['o', 'order', 'waiting', true],
    ['p', 'order', 'waiting', undefined],
  ]);
});

test('the program names a damaged machine, and what of it is lost', async () => {
  const folder = await harmed(['journal', journalKey(rows, 2), 'gone']);
  const { exit, out, err } = await flamestack(`verify --store ${folder}`);
  expect(exit).toBe(4);
  expect(out).toContain(
    'machine o: DAMAGED (2 records)\n  lost records of the journal: 2 (missing)\nmachine p: sound (3 records)\n',
  );
  expect(err).toContain('1 session and 2 machines checked, 1 damaged.');
  const json = JSON.parse((await flamestack(`verify --json --store ${folder}`)).out);
  expect(json.isSound).toBe(false);
  expect(json.sessions.map(({ id }: { id: string }) => id)).toEqual(['s']);
  expect(json.machines).toMatchObject([
    { id: 'o', isSound: false },
    { id: 'p', isSound: true },
  ]);
});

test('what a machine lost is not mended: repair says so and leaves the store, restore refuses it', async () => {
  const folder = await harmed(['journal', journalKey(rows, 2), 'gone']);
  const { aside, sessions } = await repairStore(folder);
  expect(aside).toBeNull();
  expect(sessions.filter(({ isSound }) => !isSound)).toMatchObject([{ id: 'o', isMachine: true }]);
  const told = await flamestack(`repair --store ${folder}`);
  expect([told.exit, told.out]).toEqual([
    4,
    'machine o: DAMAGED (2 records)\n  lost records of the journal: 2 (missing)\n',
  ]);
  expect(told.err).toContain('What a machine lost cannot be made again.');
  await expect(restoreStore(folder, await newLocation())).rejects.toMatchObject({
    code: 'STORE_DAMAGED',
    message: `Store "${folder}" is damaged, as machine "o" is`,
  });
});

test('a session that is mended, copied, redacted or deleted leaves machines as they are', async () => {
  const folder = await harmed(['journal', 's:000000000001', 'gone']);
  const repaired = await repairStore(folder);
  expect(repaired.aside).not.toBeNull();
  const [copy, restored, salvaged] = await Promise.all([1, 2, 3].map(() => newLocation()));
  const store = await openStore(folder);
  await using session = await store.open('s');
  await session.redact('e1');
  await session.close();
  await store.delete('s');
  await store.compact();
  await store.backup(copy!);
  await store.close();
  await restoreStore(copy!, restored!);
  await salvageStore(folder, salvaged!);
  for (const host of [folder, copy!, restored!, salvaged!]) {
    expect([...(await checks(host))].map(([name, { isSound }]) => [name, isSound])).toEqual([
      ['machine o', true],
      ['machine p', true],
    ]);
    const order = await durable(orderMachine, { host, id: 'o', ports: orderPorts });
    const differences = [];
    for await (const { difference } of order.replay()) differences.push(difference);
    expect(differences).toEqual([null, null, null]);
    expect(order.state.context.notes).toEqual(['one', 'two']);
    await order.close();
  }
});
