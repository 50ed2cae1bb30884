import {
  assign,
  createMachine,
  emit,
  fromPromise,
  log,
  raise,
  sendTo,
  setup,
  spawnChild,
} from 'xstate';
import { expect, onTestFinished, test } from 'vitest';
import {
  durable,
  durableMachines,
  openStore,
  salvageStore,
  type DurableMachine,
  type StoreHost,
} from '../../../src/index.ts';
import { journalKey, machineRows, parseOutboxKey, sessionRange } from '../../../src/store/key.ts';
import { openMemoryStore } from '../../../src/store/level/level-store.ts';
import type { RecordStore } from '../../../src/store/store.ts';
import { simulatedClock } from '../../../src/testing/simulated-clock.ts';
import { newFolder, newLocation } from '../../store/folder.ts';
import { orderMachine, orderPorts } from './order.ts';

const input = { item: 'a lamp' };
const day = 86_400_000;

/** A place in memory that outlives whoever has it open. */
function newHost(): StoreHost & { readonly records: Promise<RecordStore> } {
  const records = openMemoryStore();
  const close = async (): Promise<void> => undefined;
  return {
    records,
    open: async () => Object.assign(Object.create(await records) as RecordStore, { close }),
  };
}

/** Gives answers when it is told to. */
function held<Output>() {
  const calls: {
    key: string;
    signal: AbortSignal;
    answer(output: Output): void;
    fail(reason: string): void;
  }[] = [];
  const body = (_: unknown, { key, signal }: { key: string; signal: AbortSignal }) =>
    new Promise<Output>((resolve, reject) =>
      calls.push({ key, signal, answer: resolve, fail: (reason) => reject(new Error(reason)) }),
    );
  return { calls, body };
}

async function owedIn(
  host: { readonly records: Promise<RecordStore> },
  id: string,
): Promise<string[]> {
  const names: string[] = [];
  for await (const [key] of (await host.records).range('outbox', sessionRange(machineRows(id))))
    names.push(parseOutboxKey(key).effect);
  return names;
}

async function stepsOf({ history }: Pick<DurableMachine<typeof orderMachine>, 'history'>) {
  const steps = [];
  for await (const { input, value } of history())
    steps.push([input.type === 'event' ? input.event.type : input.type, value]);
  return steps;
}

const opened = async (
  given: Partial<Parameters<typeof durable<typeof orderMachine>>[1]> = {},
): Promise<DurableMachine<typeof orderMachine>> => {
  const order = await durable(orderMachine, {
    host: ':memory:',
    id: 'o',
    ports: orderPorts,
    input,
    ...given,
  });
  onTestFinished(() => order.close());
  return order;
};

test('an order is paid, shipped and billed, and tells so', async () => {
  const order = await opened({ clock: simulatedClock() });
  const told: unknown[] = [];
  order.on('paid', ({ receipt }) => told.push(receipt));
  expect(order.state).toMatchObject({ seq: 1, value: 'waiting', status: 'active', asked: [] });
  expect(await order.send({ type: 'pay', card: '1' }, { key: 'a' })).toEqual({ seq: 2 });
  const output = { end: 'completed', receipts: ['charged 1', 'shipped a lamp'] };
  expect(await order.done).toEqual(output);
  expect(order.state).toMatchObject({ value: 'completed', status: 'done', output, due: null });
  expect(told).toEqual(['charged 1']);
  expect(await stepsOf(order)).toEqual([
    ['start', 'waiting'],
    ['pay', 'paying'],
    ['done', { fulfilling: { parcel: 'shipping', invoice: 'billing' } }],
    ['done', { fulfilling: { parcel: 'shipped', invoice: 'billing' } }],
    ['done', 'completed'],
  ]);
});

test('a key is used once, and of a machine that is over, too', async () => {
  const order = await opened({ clock: simulatedClock() });
  await order.send({ type: 'note', text: 'once' }, { key: 'n' });
  expect(await order.send({ type: 'note', text: 'once' }, { key: 'n' })).toEqual({ seq: 2 });
  await order.send({ type: 'cancel' }, { key: 'c' });
  expect(await order.send({ type: 'cancel' }, { key: 'c' })).toEqual({ seq: 3 });
  expect(order.state.context.notes).toEqual(['once']);
  await expect(order.send({ type: 'cancel' })).rejects.toMatchObject({
    code: 'MACHINE_ENDED',
    detail: { machine: 'o', status: 'done' },
  });
});

test('a timer fires when it is due, however often the machine was opened meanwhile', async () => {
  const [host, clock] = [newHost(), simulatedClock()];
  const first = await opened({ host, clock });
  const { due } = first.state;
  expect(await owedIn(host, 'o')).toEqual(['timer xstate.after.patience.order.waiting']);
  await clock.advance(3_000_000);
  await first.close();
  const second = await opened({ host, clock });
  expect(second.state.due).toBe(due);
  await clock.advance(599_999);
  expect(second.state.value).toBe('waiting');
  await clock.advance(1);
  expect(second.state.value).toBe('cancelled');
  expect(await owedIn(host, 'o')).toEqual([]);
});

test('timers that were due while nobody ran the machine fire in their order, and one may take another back', async () => {
  const machine = createMachine({
    id: 'two',
    type: 'parallel',
    context: { log: [] as string[] },
    states: {
      slow: { initial: 'on', states: { on: { after: { 2_000: 'off' } }, off: {} } },
      fast: {
        initial: 'on',
        on: { slow: {} },
        states: { on: { after: { 1_000: 'off' } }, off: { after: { 500: 'gone' } }, gone: {} },
      },
    },
  });
  const [host, clock] = [newHost(), simulatedClock()];
  const given = { host, clock, id: 't', ports: {} };
  await (await durable(machine, given)).close();
  await clock.advance(day);
  await using late = await durable(machine, given);
  await clock.advance(500);
  expect(late.state.value).toEqual({ slow: 'off', fast: 'gone' });
  const fired = [];
  for await (const { input: step } of late.history())
    if (step.type === 'fire') fired.push(step.timer);
  expect(fired).toEqual([
    'xstate.after.1000.two.fast.on',
    'xstate.after.2000.two.slow.on',
    'xstate.after.500.two.fast.off',
  ]);
});

test('a wait longer than a timer of Node is waited for', async () => {
  const machine = createMachine({
    id: 'patient',
    initial: 'waiting',
    states: { waiting: { after: { [60 * day]: 'over' } }, over: { type: 'final' } },
  });
  const clock = simulatedClock();
  const asked: number[] = [];
  const watched = {
    ...clock,
    setTimeout: (run: () => void, ms: number) => (asked.push(ms), clock.setTimeout(run, ms)),
  };
  await using patient = await durable(machine, {
    host: ':memory:',
    id: 'p',
    ports: {},
    clock: watched,
  });
  await clock.advance(60 * day - 1);
  expect(patient.state.status).toBe('active');
  await clock.advance(1);
  expect(patient.state.status).toBe('done');
  expect(Math.max(...asked)).toBeLessThan(2 ** 31);
});

test('a port that owes an answer is asked again with the same key, and its answer counts once', async () => {
  const [host, charge] = [newHost(), held<string>()];
  const ports = { ...orderPorts, charge: charge.body };
  const first = await opened({ host, ports });
  await first.send({ type: 'pay', card: '1' });
  expect(await owedIn(host, 'o')).toEqual(['port 0.order.paying']);
  await first.close();
  expect(charge.calls[0]!.signal.aborted).toBe(true);
  const second = await opened({ host, ports });
  const keys = charge.calls.map(({ key }) => key);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toMatch(/^o\/[\w-]{12}\/2\/0\.order\.paying$/);
  charge.calls[0]!.answer('late');
  charge.calls[1]!.answer('right');
  expect((await second.done).receipts[0]).toBe('right');
});

test('a machine that has the id of another one, later or elsewhere, asks its ports with other keys', async () => {
  const charge = held<string>();
  const ports = { ...orderPorts, charge: charge.body };
  const host = newHost();
  for (const place of [host, host, newHost()]) {
    const order = await opened({ host: place, ports });
    await order.send({ type: 'pay', card: '1' });
    await order.delete();
  }
  expect(new Set(charge.calls.map(({ key }) => key)).size).toBe(3);
});

test.each(['the handle', 'the store'] as const)(
  'what was sent before %s is closed is taken, as by a session',
  async (what) => {
    const memory = newHost();
    const store = await openStore(memory);
    const order = await opened({ host: store, ports: orderPorts });
    const sent = Promise.all([1, 2, 3].map(() => order.send({ type: 'nothing' } as never)));
    await (what === 'the store' ? store : order).close();
    expect(await sent).toEqual([{ seq: 2 }, { seq: 3 }, { seq: 4 }]);
    await expect(order.send({ type: 'cancel' })).rejects.toMatchObject({ code: 'MACHINE_CLOSED' });
    await store.close();
  },
);

test('a machine that is over opens in any version, and never as another machine', async () => {
  const host = newHost();
  const order = await opened({ host, ports: orderPorts });
  await order.send({ type: 'cancel' });
  await order.close();
  const other = setup({}).createMachine({ id: 'invoice', version: '1' });
  const wanted = durable(other, { host, id: 'o', ports: {} });
  await expect(wanted).rejects.toMatchObject({ code: 'MACHINE_CHANGED' });
});

test('a port whose state is left is aborted, and a late answer is nothing', async () => {
  const [host, charge] = [newHost(), held<string>()];
  const order = await opened({ host, ports: { ...orderPorts, charge: charge.body } });
  await order.send({ type: 'pay', card: '1' });
  await order.send({ type: 'cancel' });
  expect(charge.calls[0]!.signal.aborted).toBe(true);
  charge.calls[0]!.answer('late');
  await order.settled();
  expect(order.state).toMatchObject({ seq: 3, value: 'cancelled', asked: [] });
  expect(await owedIn(host, 'o')).toEqual([]);
});

test('a wait for a port that owes an answer ends with its signal, and the port goes on', async () => {
  const [clock, charge] = [simulatedClock(), held<string>()];
  const order = await opened({ clock, ports: { ...orderPorts, charge: charge.body } });
  await order.send({ type: 'pay', card: '1' });
  const abort = new AbortController();
  const waiting = order.settled({ signal: abort.signal });
  const reason = new Error('Enough');
  abort.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(order.settled({ signal: 5 } as never)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option: 'signal' },
  });
  expect(charge.calls[0]!.signal.aborted).toBe(false);
  expect(order.state.asked).not.toEqual([]);
});

test('a port that rejects is an event, and asked anew it has another key', async () => {
  const [clock, charge] = [simulatedClock(), held<string>()];
  const order = await opened({ clock, ports: { ...orderPorts, charge: charge.body } });
  const told: unknown[] = [];
  order.on('*', (emitted) => told.push(emitted));
  await order.send({ type: 'pay', card: '1' });
  for (const tries of [1, 2, 3]) {
    charge.calls[tries - 1]!.fail('no money');
    await clock.advance(tries * 1_000);
  }
  expect(await order.done).toEqual({ end: 'cancelled', receipts: [] });
  const steps = charge.calls.map(({ key }) => key.split('/')[2]);
  expect(steps).toEqual(['2', '4', '6']);
  expect(told).toEqual([1, 2].map((tries) => ({ type: 'refused', tries })));
});

test('an answer that is no JSON is a failure of its port', async () => {
  const seen: unknown[] = [];
  const machine = setup({
    actors: { ask: fromPromise<unknown, undefined>(async () => null) },
  }).createMachine({
    id: 'm',
    initial: 'asking',
    context: { why: '' },
    states: {
      asking: {
        invoke: {
          src: 'ask',
          onDone: 'over',
          onError: { target: 'over', actions: assign({ why: ({ event }) => String(event.error) }) },
        },
      },
      over: { type: 'final' },
    },
  });
  const ports = { ask: () => ({ at: new Date(0) }) };
  await using made = await durable(machine, { host: ':memory:', id: 'm', ports });
  await made.done;
  seen.push(made.state.context);
  expect(seen).toEqual([
    {
      why: 'TypeError: Port "ask" gave an output of which output.at is an object of the class Date; keep its getTime(): JSON holds no Date',
    },
  ]);
});

test('a failure that nobody handles ends the machine', async () => {
  const machine = setup({ actors: { ask: fromPromise(async () => 1) } }).createMachine({
    id: 'm',
    initial: 'asking',
    states: { asking: { invoke: { src: 'ask' }, after: { 1_000: {} } } },
  });
  const ports = { ask: () => Promise.reject(Object.assign(new Error('gone'), { code: 'E1' })) };
  const host = newHost();
  await using made = await durable(machine, { host, id: 'm', ports });
  await expect(made.done).rejects.toMatchObject({
    code: 'MACHINE_FAILED',
    detail: { reason: 'gone' },
  });
  expect(made.state).toMatchObject({
    status: 'error',
    error: { message: 'gone', code: 'E1' },
    due: null,
  });
  expect(await owedIn(host, 'm')).toEqual([]);
  await expect(made.send({ type: 'x' })).rejects.toMatchObject({ code: 'MACHINE_ENDED' });
});

const ask = { ask: fromPromise(async () => 1) };
const ports = { ask: () => 1 };

test.each([
  ['an inline action', createMachine({ entry: () => undefined }), {}, 'an inline function'],
  ['a log', createMachine({ on: { x: { actions: log('x') } } }), {}, 'xstate.log'],
  [
    'a message to another',
    createMachine({ exit: sendTo('x', { type: 'x' }) }),
    {},
    'xstate.sendTo',
  ],
  [
    'an actor that is spawned',
    setup({ actors: ask }).createMachine({ entry: spawnChild('ask') }),
    ports,
    'xstate.spawnChild',
  ],
  [
    'a port without a body',
    setup({ actors: ask }).createMachine({ invoke: { src: 'ask' } }),
    {},
    'invokes "ask"',
  ],
  [
    'an actor without a name',
    createMachine({ invoke: { src: createMachine({}) } }),
    {},
    'without a name',
  ],
  [
    'snapshots of a port',
    setup({ actors: ask }).createMachine({ invoke: { src: 'ask', onSnapshot: {} } }),
    ports,
    'snapshots',
  ],
  [
    'an action without a body',
    createMachine({ always: { actions: 'x', guard: () => false } }),
    {},
    '"x", which has no body',
  ],
  [
    'a delay that there is not',
    createMachine({ initial: 'a', states: { a: { after: { soon: {} } } } }),
    {},
    '"soon"',
  ],
  [
    'an own action',
    setup({ actions: { act: () => undefined } }).createMachine({
      initial: 'a',
      states: { a: { entry: 'act' } },
    }),
    {},
    'calls "act"',
  ],
  [
    'a spawn in an assignment',
    setup({ actors: ask }).createMachine({
      context: {},
      entry: assign(({ spawn }) => ({ kid: spawn('ask', { id: 'kid' }) })),
    }),
    ports,
    'spawned "kid"',
  ],
  [
    'a wait without an end',
    createMachine({ entry: raise({ type: 'x' }, { delay: () => Number.NaN }) }),
    {},
    'waits NaN ms',
  ],
  [
    'a date in the context',
    createMachine({ context: { at: { first: new Date(0) } } }),
    {},
    'context.at.first is an object of the class Date',
  ],
  [
    'a wait for an event with a function',
    createMachine({
      entry: raise({ type: 'x', run: () => 1 } as { type: 'x' }, { delay: 5, id: 'r' }),
    }),
    {},
    'event of r.run is a function',
  ],
] as const)('%s is refused before anything is written', async (...[, machine, bodies, says]) => {
  const host = newHost();
  const opening = durable(machine as never, {
    host,
    id: 'm',
    ports: bodies,
    input: input as never,
  });
  await expect(opening).rejects.toMatchObject({ code: 'MACHINE_UNSUPPORTED' });
  await expect(opening).rejects.toThrow(says);
  expect(await (await host.records).get('session', machineRows('m'))).toBeUndefined();
});

test.each([
  [{ id: 'a b' }, 'id'],
  [{ id: '~a' }, 'id'],
  [{ host: 3 }, 'host'],
  [{ ports: { ...orderPorts, shop: () => 1 } }, 'ports.shop'],
  [{ input: { item: new Map() } }, 'input.item'],
  [{ maxQueued: 0 }, 'maxQueued'],
  [{ inputs: {} }, 'inputs'],
])('the option %j is refused', async (given, option) => {
  await expect(opened(given as never)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option },
  });
});

test.each([
  [{}],
  [{ type: 'xstate.init' }],
  [{ type: '*' }],
  ['pay'],
  [{ type: 'pay', card: undefined, on: new Set() }],
])('the event %j is refused', async (event) => {
  const order = await opened();
  await expect(order.send(event as never)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  expect(order.state.seq).toBe(1);
});

/** A machine that counts, and throws or keeps a function where it is told to. */
const counting = (fault: 'throws' | 'keeps' | 'none') =>
  setup({
    types: { context: {} as { readonly count: unknown } },
    actors: { ask: fromPromise<number, undefined>(async () => 1) },
  }).createMachine({
    id: 'counting',
    context: { count: 0 },
    initial: 'asking',
    states: {
      asking: {
        invoke: {
          src: 'ask',
          onDone: { target: 'idle', actions: assign({ count: () => next(fault) }) },
        },
      },
      idle: { on: { more: { actions: assign({ count: () => next(fault) }) } } },
    },
  });
function next(fault: 'throws' | 'keeps' | 'none'): unknown {
  if (fault === 'throws') throw new Error('a mistake');
  return fault === 'keeps' ? () => 1 : 2;
}

test.each([
  ['throws', 'MACHINE_FAILED'],
  ['keeps', 'MACHINE_UNSUPPORTED'],
] as const)(
  'a machine that %s at an answer stops where it rests, and goes on when it is mended',
  async (fault, code) => {
    const [host, answer] = [newHost(), held<number>()];
    const given = { host, id: 'c', ports: { ask: answer.body } };
    const broken = await durable(counting(fault), given);
    answer.calls[0]!.answer(1);
    await expect(broken.done).rejects.toMatchObject({ code });
    await expect(broken.send({ type: 'more' })).rejects.toMatchObject({ code });
    expect(broken.state).toMatchObject({ seq: 1, value: 'asking' });
    await broken.close();
    await using mended = await durable(counting('none'), given);
    expect(answer.calls[1]!.key).toBe(answer.calls[0]!.key);
    answer.calls[1]!.answer(1);
    await mended.settled();
    expect(mended.state).toMatchObject({ seq: 2, value: 'idle', context: { count: 2 } });
  },
);

test('an event at which the machine throws is refused, and changes nothing', async () => {
  const host = newHost();
  const given = { host, id: 'c', ports: { ask: () => 1 } };
  const first = await durable(counting('none'), given);
  await first.settled();
  await first.close();
  await using wrong = await durable(counting('throws'), given);
  await expect(wrong.send({ type: 'more' })).rejects.toMatchObject({
    code: 'MACHINE_FAILED',
    cause: { message: 'a mistake' },
  });
  expect(wrong.state.seq).toBe(2);
});

test('machines lie beside the sessions of a store, which knows nothing of them', async () => {
  const folder = await newFolder();
  const store = await openStore(folder);
  await using session = await store.open('o', { window: 8_192 });
  const order = await opened({ host: store });
  await session.append({ role: 'user', content: 'hello' });
  const ids: string[] = [];
  for await (const { id, pending } of store.sessions()) ids.push(`${id} ${pending}`);
  for await (const { id, isSound, isMachine } of store.verify())
    ids.push(`${id} ${isSound}${isMachine === true ? ' machine' : ''}`);
  expect(ids).toEqual(['o 0', 'o true', 'o true machine']);
  const copy = await newFolder();
  await store.backup(copy);
  await store.close();
  await expect(order.done).rejects.toMatchObject({ code: 'MACHINE_CLOSED' });
  await expect(order.send({ type: 'cancel' })).rejects.toMatchObject({ code: 'MACHINE_CLOSED' });
  const salvaged = await newLocation();
  const { sessions } = await salvageStore(folder, salvaged);
  expect(sessions.map(({ id }) => id)).toEqual(['o']);
  for (const host of [folder, copy, salvaged]) {
    const again = await opened({ host });
    expect(again.state).toMatchObject({ seq: 1, value: 'waiting' });
    await again.close();
    await using reopened = await openStore(host);
    expect((await reopened.open('o')).state.entries).toBe(1);
    await expect(reopened.delete('o')).rejects.toMatchObject({ code: 'BUSY' });
  }
});

test('machines share a folder, which is free when the last is closed', async () => {
  const host = await newFolder();
  const orders = await Promise.all([1, 2, 3].map((n) => opened({ host, id: `o${n}` })));
  await expect(openStore(host)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
  await Promise.all(orders.map((order) => order.send({ type: 'pay', card: '1' })));
  for (const order of orders) expect((await order.done).end).toBe('completed');
  await Promise.all(orders.map((order) => order.close()));
  const again = await opened({ host, id: 'o2' });
  expect(again.state.status).toBe('done');
  await again.close();
  await (await openStore(host)).close();
});

test('a host lists its machines, and says which are to be opened', async () => {
  const host = await newFolder();
  const clock = simulatedClock();
  const [one, two] = await Promise.all(['b', 'a'].map((id) => opened({ host, id, clock })));
  await one!.send({ type: 'cancel' });
  const listed = [];
  for await (const { id, rests } of durableMachines(host))
    listed.push([id, rests?.status, rests?.value, rests?.due]);
  expect(listed).toEqual([
    ['a', 'active', 'waiting', two!.state.due],
    ['b', 'done', 'cancelled', null],
  ]);
  for await (const { machine, version, rests } of durableMachines(host)) {
    expect([machine, version, rests?.asked]).toEqual(['order', '1', []]);
    break;
  }
  await Promise.all([one!.close(), two!.close()]);
  await (await openStore(host)).close();
});

test('a machine whose newest record is lost is not opened, and listed as damaged', async () => {
  const host = newHost();
  for (const id of ['o', 'p']) await (await opened({ host, id })).close();
  const records = await host.records;
  await records.commit([{ type: 'del', kind: 'journal', key: journalKey(machineRows('o'), 1) }]);
  await expect(opened({ host })).rejects.toMatchObject({
    code: 'RECORD_DAMAGED',
    detail: { kind: 'journal', after: 1 },
  });
  const listed = [];
  for await (const { id, damage } of durableMachines(host)) listed.push([id, damage]);
  expect(listed).toEqual([
    ['o', 'The rows of machine "o" end with step 1, and its journal does not'],
    ['p', undefined],
  ]);
});

test('of two who run a machine each takes in what is so, and an answer counts once', async () => {
  const [host, charge] = [newHost(), held<string>()];
  const ports = { ...orderPorts, charge: charge.body };
  const [one, other] = await Promise.all([
    opened({ host: { open: host.open }, ports }),
    opened({ host: { open: host.open }, ports }),
  ]);
  const told: unknown[] = [];
  other.on('*', (emitted) => told.push(emitted));
  const seen: number[] = [];
  other.subscribe(({ seq }) => seen.push(seq));
  const notes = Array.from({ length: 10 }, (_, n) => [
    one.send({ type: 'note', text: `one ${n}` }, { key: `${n}` }),
    other.send({ type: 'note', text: `other ${n}` }, { key: `${n}` }),
  ]);
  for (const [mine, theirs] of notes) expect(await mine).toEqual(await theirs);
  await one.send({ type: 'pay', card: '1' });
  await other.send({ type: 'note', text: 'seen' });
  const keys = charge.calls.map(({ key }) => key);
  expect(keys).toEqual([expect.stringMatching(/\/12\//), keys[0]]);
  for (const { answer } of charge.calls) answer('paid');
  const [end] = await Promise.all([one.done, other.settled()]);
  expect(await other.done).toEqual(end);
  expect(end.receipts).toEqual(['paid', 'shipped a lamp']);
  expect(other.state.context.notes).toHaveLength(12);
  expect(told).toEqual([{ type: 'paid', receipt: 'paid' }]);
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe(other.state.seq);
});

test('whoever subscribes is told of what another process did before what is done here', async () => {
  const host = newHost();
  const [one, other] = [await opened({ host: { open: host.open } }), await opened({ host })];
  const heard: string[] = [];
  other.subscribe(({ seq, context }) => heard.push(`${seq} ${context.notes.join()}`));
  await one.send({ type: 'note', text: 'theirs' });
  await other.send({ type: 'note', text: 'mine' });
  expect(heard).toEqual(['2 theirs', '3 theirs,mine']);
});

test('a store closes behind the steps of its machines', async () => {
  const memory = await newHost().records;
  const happened: string[] = [];
  const records: RecordStore = Object.assign(Object.create(memory) as RecordStore, {
    async commit(...[batch, given]: Parameters<RecordStore['commit']>) {
      await new Promise((resolve) => setImmediate(resolve));
      await memory.commit(batch, given);
      happened.push('step');
    },
    close: async () => void happened.push('close'),
  });
  const store = await openStore({ open: async () => records });
  const order = await opened({ host: store });
  const sent = ['a', 'b'].map((text) => order.send({ type: 'note', text }));
  await store.close();
  expect(happened).toEqual(['step', 'step', 'step', 'close']);
  await Promise.all(sent);
});

test('more calls than may wait are refused', async () => {
  const order = await opened({ maxQueued: 1 });
  const first = order.send({ type: 'note', text: 'a' });
  await expect(order.send({ type: 'note', text: 'b' })).rejects.toMatchObject({
    code: 'BUSY',
    detail: { machine: 'o', queued: 1, most: 1 },
  });
  await first;
});

/** A machine that asks nothing, in some version. */
const versioned = (version: string | undefined, states: readonly string[]) =>
  createMachine({
    id: 'versioned',
    ...(version !== undefined && { version }),
    context: ({ input }: { input: { had?: unknown } }) => ({ had: input?.had ?? null }),
    initial: states[0]!,
    states: Object.fromEntries(states.map((state) => [state, { after: { 9_999: {} } }])),
  });

test.each([
  ['2', ['first']],
  [undefined, ['first']],
  ['1', ['other']],
])(
  'version %j with the states %j does not go on from another one unless it is told how',
  async (version, states) => {
    const host = newHost();
    const given = { host, id: 'v', ports: {} };
    await (await durable(versioned('1', ['first']), given)).close();
    const machine = versioned(version, states);
    await expect(durable(machine, given)).rejects.toMatchObject({
      code: 'MACHINE_CHANGED',
      detail: { machine: 'v', state: 'first', version: '1', given: version ?? null },
    });
    await using anew = await durable(machine, {
      ...given,
      restart: ({ value }) => ({ had: value }),
    });
    expect(anew.state).toMatchObject({ seq: 2, value: states[0], context: { had: 'first' } });
    expect(await owedIn(host, 'v')).toEqual([`timer xstate.after.9999.versioned.${states[0]}`]);
    for await (const step of anew.replay())
      expect(step).toMatchObject({ seq: 2, difference: null });
    await anew.close();
    await using again = await durable(machine, given);
    expect(again.state.seq).toBe(2);
  },
);

test('a replay decides every step again, and names the first that differs', async () => {
  const [host, clock] = [newHost(), simulatedClock()];
  const order = await opened({ host, clock });
  await order.send({ type: 'note', text: 'quick' });
  await order.send({ type: 'pay', card: '1' });
  await order.done;
  const values = [];
  for await (const { state, difference } of order.replay()) values.push([state?.value, difference]);
  expect(values.map(([value]) => value)).toEqual((await stepsOf(order)).map(([, value]) => value));
  expect(values.every(([, difference]) => difference === null)).toBe(true);
  await order.close();
  const changed = orderMachine.provide({ delays: { patience: 1 } });
  await using other = await durable(changed, { host, clock, id: 'o', ports: orderPorts, input });
  const steps = [];
  for await (const step of other.replay()) steps.push(step);
  expect(steps).toHaveLength(1);
  expect(steps[0]).toMatchObject({
    seq: 1,
    state: null,
    difference: { path: 'timers[0][1]', stored: expect.any(Number), decided: expect.any(Number) },
  });
});

test('a machine that is deleted leaves nothing, and who runs it elsewhere hears so', async () => {
  const host = newHost();
  const [one, other] = [await opened({ host: { open: host.open } }), await opened({ host })];
  await one.send({ type: 'note', text: 'a secret' }, { key: 'k' });
  await one.delete();
  await expect(one.done).rejects.toMatchObject({ code: 'MACHINE_ENDED' });
  for await (const [key] of (await host.records).rows()) expect(key).not.toContain('~o');
  const gone = { code: 'MACHINE_ENDED', detail: { machine: 'o', status: 'deleted' } };
  await expect(other.send({ type: 'cancel' })).rejects.toMatchObject(gone);
  const anew = await opened({ host: { open: host.open } });
  expect(anew.state).toMatchObject({ seq: 1, context: { notes: [] } });
  await expect(other.send({ type: 'cancel' })).rejects.toMatchObject(gone);
});

test('whoever changes what is told, or what a port is given, changes nothing of the machine', async () => {
  const host = newHost();
  const charge = held<string>();
  const ports = {
    ...orderPorts,
    charge: (given: { item: string }, call: never) => {
      given.item = 'changed';
      return charge.body(given, call);
    },
  };
  const order = await opened({ host, ports: ports as never });
  expect(() => (order.state.context.notes as string[]).push('changed')).toThrow(TypeError);
  await order.send({ type: 'pay', card: '1' });
  await order.send({ type: 'note', text: 'mine' });
  expect(order.state.context.notes).toEqual(['mine']);
  await order.close();
  const asked: unknown[] = [];
  const again = await opened({
    host,
    ports: { ...orderPorts, charge: ({ item }) => `${asked.push(item)}` },
  });
  await again.done;
  expect(asked).toEqual(['a lamp']);
});

test('a store that is only read runs no machine', async () => {
  const host = await newFolder();
  await (await opened({ host })).close();
  await using store = await openStore(host, { readOnly: true });
  await expect(opened({ host: store })).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });
  for await (const { id, rests } of durableMachines(store))
    expect([id, rests?.value]).toEqual(['o', 'waiting']);
});

test('a port that means another one by now is not asked for what the old one owes', async () => {
  const asking = (src: 'one' | 'other') =>
    setup({
      actors: { one: fromPromise(async () => 1), other: fromPromise(async () => 1) },
    }).createMachine({
      id: 'm',
      initial: 'asking',
      states: { asking: { invoke: { src } } },
    });
  const given = {
    host: newHost(),
    id: 'm',
    ports: { one: held().body, other: held().body } as never,
  };
  await (await durable(asking('one'), given)).close();
  await expect(durable(asking('other'), given)).rejects.toMatchObject({ code: 'MACHINE_CHANGED' });
});

test('what is closed is closed', async () => {
  const order = await opened();
  await order.close();
  await order.close();
  await expect(order.done).rejects.toMatchObject({ code: 'MACHINE_CLOSED' });
  await expect(order.settled()).rejects.toMatchObject({ code: 'MACHINE_CLOSED' });
  expect(() => order.on('*', () => undefined)).toThrow('closed');
});

test('a listener that is taken away hears nothing more', async () => {
  const machine = createMachine({ id: 'm', on: { x: { actions: emit({ type: 'y' }) } } });
  await using made = await durable(machine, { host: ':memory:', id: 'm', ports: {} });
  let heard = 0;
  const off = made.on('y', () => (heard += 1));
  await made.send({ type: 'x' });
  off();
  await made.send({ type: 'x' });
  expect(heard).toBe(1);
});
