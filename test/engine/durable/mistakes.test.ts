import { assign, createMachine, enqueueActions, fromPromise, log, setup } from 'xstate';
import { expect, onTestFinished, test } from 'vitest';
import { durable, durableMachines, openStore, type EngineError } from '../../../src/index.ts';
import { newFolder, newLocation } from '../../store/folder.ts';

const idle = createMachine({ id: 'idle', initial: 'a', states: { a: {}, b: {} } });
const given = { host: ':memory:', id: 'm', ports: {} };

test.each([
  [{}, given, 'machine'],
  [undefined, given, 'machine'],
  [null, given, 'machine'],
  [fromPromise(async () => 1), given, 'machine'],
  [idle, undefined, 'options'],
])('what is no machine, or no options, is refused: %#', async (machine, options, option) => {
  await expect(durable(machine as never, options as never)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    detail: { option },
  });
});

const asking = setup({
  types: { context: {} as { err: unknown } },
  actors: { charge: fromPromise<unknown, undefined>(async () => 1) },
}).createMachine({
  id: 'asking',
  context: { err: null },
  initial: 'asking',
  states: {
    asking: {
      invoke: {
        src: 'charge',
        onDone: 'over',
        onError: { target: 'over', actions: assign({ err: ({ event }) => event.error }) },
      },
    },
    over: { type: 'final' },
  },
});

const ring: { inside?: object } = {};
ring.inside = ring;
const one = (): number => 1;
const cyclic = createMachine({ entry: assign(() => ring) });
const acting = createMachine({
  id: 'm',
  initial: 'a',
  states: { a: { entry: enqueueActions(({ enqueue }) => enqueue(() => undefined)) } },
});

test('an event that JSON does not give back is refused, with what to send', async () => {
  await using made = await durable(idle, given);
  let deep: unknown = 1;
  for (let n = 0; n < 20_000; n += 1) deep = { deep };
  for (const [part, says] of [
    [{ at: new Date(0) }, '"event.at" cannot be an object of the class Date; keep its getTime():'],
    [{ deep }, '"event" cannot be more than 1000 values in one another; keep it flatter'],
    [ring, '"event.inside.inside" cannot be a part of itself; keep its id there'],
  ] as const)
    await expect(made.send({ type: 'x', ...part })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining(says),
    });
});

/** What opening a machine is refused with, or else running it. */
async function refusal(machine: unknown, ports: object): Promise<string> {
  try {
    const made = await durable(machine as never, { ...given, ports: ports as never });
    onTestFinished(() => made.close());
    await made.done;
    return '';
  } catch (error) {
    return (error as EngineError).message;
  }
}

test.each([
  [
    asking,
    { charge: () => Promise.reject(new Error('no money')) },
    'Machine "asking" cannot be durable: its context.err is an object of the class Error; keep its message: JSON holds no Error',
  ],
  [
    asking,
    { charge: () => ({ at: new Date(0) }) },
    'its context.err is an object of the class Error',
  ],
  [createMachine({ context: { at: new Date(0) } }), {}, 'keep its getTime(): JSON holds no Date'],
  [
    createMachine({ context: { a: new Map() } }),
    {},
    'keep its entries as a list: JSON holds no Map',
  ],
  [createMachine({ context: { a: 1n } }), {}, 'its context.a is a bigint; keep what JSON holds'],
  [asking, { charge: 5 }, 'Option "ports.charge" cannot be 5; it takes a function'],
  [
    createMachine({ entry: log('x') }),
    {},
    'does xstate.log, which is done beside its steps and would be lost or done twice in a crash; emit an event, or ask a port',
  ],
  [
    asking,
    { charge: one, pay: one },
    'Option "ports.pay" has no port in machine "asking", which asks charge',
  ],
  [idle, { pay: one }, 'has no port in machine "idle", which asks none'],
  [cyclic, {}, 'its context.inside.inside is a part of itself; keep its id there'],
  [
    acting,
    {},
    'Machine "m" cannot be durable: on its way to "m.a" it calls an inline function, which is done beside its steps',
  ],
] as const)('a refusal says what to do: %#', async (...[machine, ports, says]) => {
  expect(await refusal(machine, ports)).toContain(says);
});

test('a state is named in one form, whether its fault is found at opening or in a step', async () => {
  const inside = (entry: never) =>
    createMachine({ initial: 'a', states: { a: { initial: 'x', states: { x: { entry } } } } });
  const act = Object.assign(() => undefined, { type: 'act' });
  const inStep = enqueueActions(({ enqueue }) => enqueue(() => undefined));
  for (const entry of [act, inStep])
    await expect(durable(inside(entry as never), { ...given, ports: {} })).rejects.toMatchObject({
      code: 'MACHINE_UNSUPPORTED',
      detail: { state: '(machine).a.x' },
    });
});

test('a port that gives what JSON does not hold is named', async () => {
  const machine = setup({ actors: { charge: fromPromise(async () => 1) } }).createMachine({
    invoke: { src: 'charge' },
  });
  const ports = { charge: () => ({ at: new Date(0) }) };
  expect(await refusal(machine, ports)).toContain(
    'Port "charge" gave an output of which output.at is an object of the class Date; keep its getTime(): JSON holds no Date',
  );
});

test('a machine that changed says what can be done', async () => {
  const folder = await newFolder();
  await (await durable(idle, { ...given, host: folder })).close();
  const other = createMachine({ id: 'other' });
  await expect(durable(other, { ...given, host: folder })).rejects.toThrow(
    'open it with the machine that it was, or tell with the option restart what it begins anew with',
  );
});

test('a field that is undefined is one that is not there, before and after a restart', async () => {
  const machine = createMachine({
    context: { a: undefined as unknown, b: 1 },
    on: { x: { actions: assign({ a: ({ event }) => Object.keys(event).join() }) } },
  });
  const host = await newFolder();
  const one = await durable(machine, { ...given, host });
  const { context } = one.state;
  expect(context).toStrictEqual({ b: 1 });
  await one.send({ type: 'x', d: undefined });
  expect(one.state.context).toStrictEqual({ a: 'type', b: 1 });
  const { state } = one;
  await one.close();
  await using again = await durable(machine, { ...given, host });
  expect(again.state).toStrictEqual(state);
  for await (const { difference } of again.replay()) expect(difference).toBeNull();
});

test('machines are listed beside whoever writes, and where there are none', async () => {
  const host = await newFolder();
  const store = await openStore(host);
  await using made = await durable(idle, { ...given, host: store });
  const ids: string[] = [];
  for await (const { id } of durableMachines(host)) ids.push(id);
  expect(ids).toEqual([made.id]);
  const nowhere = await newLocation();
  for await (const { id } of durableMachines(nowhere)) ids.push(id);
  expect(ids).toHaveLength(1);
  await expect(openStore(nowhere, { create: false })).rejects.toMatchObject({
    code: 'STORE_NOT_FOUND',
  });
  await store.close();
});
